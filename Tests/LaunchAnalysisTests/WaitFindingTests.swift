// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// Findings about time in which the main thread waited, or had no processor.
struct WaitFindingTests {
  private let millisecond: Int64 = 1_000_000

  private func launch(exit: Int64 = 100_000_000) -> SampleLaunch { SampleLaunch(exit: exit, isInstrumented: false) }

  /// An initialiser of 2 ms came before a wait of 300 ms.
  @Test func theWorstFindingOfAllKindsIsFirst() {
    var launch = SampleLaunch(exit: 400 * millisecond)
    launch.initializer("slow", image: "notes-server", from: 1 * millisecond, to: 3 * millisecond)
    launch.pause(from: 10 * millisecond, to: 310 * millisecond)
    launch.look("clock_nanosleep", at: 100 * millisecond)
    let ids = LaunchTimeline(trace: launch.trace()).findings.map(\.id)
    #expect(ids.prefix(2) == [FindingName.mainThreadWaiting, FindingName.slowStaticInitializer])
  }

  /// The finding is of one long wait, so its evidence has no times of others.
  @Test func evidenceOfOneWaitIsOfThisWait() throws {
    var launch = launch()
    for (start, end) in [(10, 15), (20, 45), (50, 58)] as [(Int64, Int64)] {
      launch.pause(from: start * millisecond, to: end * millisecond)
      launch.look("wait4", at: (start + 2) * millisecond)
    }
    let findings = LaunchTimeline(trace: launch.trace()).findings
    let finding = try #require(findings.first { $0.id == FindingName.mainThreadWaiting })
    #expect(finding.actual == 25 * millisecond && finding.occurrences == 1)
    #expect(finding.evidence.filter { $0.kind == .systemCall }.map(\.time) == [25 * millisecond])
  }

  /// `Task.sleep` and others wait in an event loop, and a timer ends the wait.
  @Test(
    arguments: [
      ("epoll_wait", 40, nil, true), ("poll", nil, 50, true), ("epoll_wait", 400, nil, false),
      ("epoll_wait", 30, nil, false),
      ("poll", nil, 200, false),
    ] as [(String, Int64?, Int64?, Bool)])
  func aWaitThatATimerEndedIsASleep(call: String, remaining: Int64?, timeout: Int64?, isSleep: Bool) throws {
    var launch = launch()
    launch.pause(from: 10 * millisecond, to: 60 * millisecond)
    var times: [(String, AnnotationValue)] = [("state", .string("S"))]
    if let remaining { times.append(("remaining_ns", .int(remaining * millisecond))) }
    if let timeout { times.append(("timeout_ns", .int(timeout * millisecond))) }
    launch.instant(call, at: 20 * millisecond, category: "launchprof.wait", times)
    let finding = LaunchTimeline(trace: launch.trace()).findings.first { $0.id == FindingName.mainThreadWaiting }
    #expect((finding != nil) == isSleep)
    guard let finding else { return }
    #expect(finding.subject == "\(call) (timer)" && finding.actual == 50 * millisecond)
    #expect(finding.advice.hasPrefix("A timer ended the wait, such as that of Task.sleep"), "\(finding.advice)")
  }

  /// Foundation's `Process.waitUntilExit` runs the run loop.
  @Test(arguments: [59, 40] as [Int64]) func aWaitForEventsThatAChildEndedIsForTheChild(end: Int64) throws {
    var launch = launch()
    let child = launch.builder.thread(5000, ofProcess: 5000, name: "git")
    launch.pause(from: 10 * millisecond, to: 60 * millisecond)
    launch.look("ppoll", at: 20 * millisecond)
    launch.switched(.init(.switchedIn, at: 12 * millisecond, on: child, cpu: 1))
    launch.switched(.init(.sleeping, at: 13 * millisecond, on: child, cpu: 1))
    launch.switched(.init(.switchedIn, at: end * millisecond - 1000, on: child, cpu: 1))
    launch.switched(.init(.exited, at: end * millisecond, on: child, cpu: 1))
    let finding = LaunchTimeline(trace: launch.trace()).findings.first { $0.id == FindingName.mainThreadWaiting }
    #expect((finding != nil) == (end == 59))
    guard let finding else { return }
    #expect(finding.subject == "git (5000)" && finding.actual == 49 * millisecond)
    #expect(finding.advice.contains("wait for git (5000)") || finding.advice.contains("until git (5000) ended"))
  }

  /// In a launch that runs many short processes, one ends in most milliseconds.
  @Test(arguments: [[50 as Int64], [12, 13], [12]]) func aWaitForEventsIsNotForJustAnyProcess(starts: [Int64]) {
    var launch = launch()
    launch.pause(from: 10 * millisecond, to: 60 * millisecond)
    launch.look("ppoll", at: 20 * millisecond)
    for (number, start) in starts.enumerated() {
      let other = launch.builder.thread(5000 + Int32(number), ofProcess: 5000 + Int32(number), name: "git")
      launch.switched(.init(.switchedIn, at: start * millisecond, on: other, cpu: 1))
      launch.switched(.init(.exited, at: 59 * millisecond + Int64(number) * 1000, on: other, cpu: 1))
    }
    let findings = LaunchTimeline(trace: launch.trace()).findings
    #expect(findings.contains { $0.id == FindingName.mainThreadWaiting } == (starts == [12]))
  }

  /// The kernel says that another thread ended the wait, though a timer would have ended it 2 ms earlier.
  @Test func aWaitThatAThreadEndedIsNoSleep() {
    var launch = launch()
    let worker = launch.thread(4720, name: "worker")
    launch.pause(from: 10 * millisecond, to: 60 * millisecond)
    launch.look("epoll_wait", at: 20 * millisecond, remaining: 38 * millisecond)
    launch.wakeup(at: 60 * millisecond, by: worker)
    #expect(!LaunchTimeline(trace: launch.trace()).findings.contains { $0.id == FindingName.mainThreadWaiting })
  }

  /// firefox: "libxul.so 302 ms" was the time of all waits, half of them for other files. In another finding, "(2 times)" meant
  /// the longest of two.
  @Test func theTimeIsThatOfTheLongestWaitOrOfAll() throws {
    var launch = launch(exit: 400 * millisecond)
    for (file, start, end) in [("a", 10, 40), ("b", 50, 70)] as [(String, Int64, Int64)] {
      launch.pause(from: start * millisecond, to: end * millisecond, .uninterruptible)
      launch.look("read", at: (start + 10) * millisecond, state: "D", path: "/srv/\(file).dat")
    }
    for start in [100, 150] as [Int64] {
      launch.pause(from: start * millisecond, to: (start + 30) * millisecond)
      launch.look("clock_nanosleep", at: (start + 10) * millisecond)
    }
    let findings = LaunchTimeline(trace: launch.trace()).findings
    let all = try #require(findings.first { $0.id == FindingName.mainThreadBlockedIO })
    #expect(all.subject == "/srv/a.dat" && all.actual == 50 * millisecond)
    #expect(all.sum == .all && all.occurrences == 2 && all.others == 1)
    #expect(all.advice.hasPrefix("60 % of it: Read a.dat later"), "\(all.advice)")
    let longest = try #require(findings.first { $0.id == FindingName.mainThreadWaiting })
    #expect(longest.sum == nil && longest.occurrences == 2 && longest.actual == 30 * millisecond)
    #expect(longest.advice.hasPrefix("The program slept"))
  }

  /// A shell started a process, and executed a program, which waited for a name server. The finding had the start of the
  /// first wait, and its phase.
  @Test func aSumStartsWithTheWaitThatItNames() throws {
    var launch = launch(exit: 400 * millisecond)
    let origin = launch.origin
    launch.pause(from: 2 * millisecond, to: 3 * millisecond)
    launch.look("vfork", at: 2 * millisecond + 500_000)
    launch.pause(from: 10 * millisecond, to: 300 * millisecond)
    launch.look("clock_nanosleep", at: 20 * millisecond)
    let findings = LaunchTimeline(trace: launch.trace()).findings
    let finding = try #require(findings.first { $0.id == FindingName.mainThreadWaiting })
    #expect(finding.sum == .all && finding.occurrences == 2 && finding.subject == "clock_nanosleep")
    #expect(finding.start == origin + 10 * millisecond)
  }

  /// Between two waits for a child, a shell started the second one.
  @Test func aWaitThatMayBeOfAnotherCallIsOneOfTheOthers() throws {
    var launch = launch(exit: 400 * millisecond)
    launch.pause(from: 10 * millisecond, to: 150 * millisecond)
    launch.look("wait4", at: 20 * millisecond)
    launch.pause(from: 150 * millisecond + 100_000, to: 150 * millisecond + 200_000)
    launch.pause(from: 151 * millisecond, to: 300 * millisecond)
    launch.look("wait4", at: 200 * millisecond)
    let findings = LaunchTimeline(trace: launch.trace()).findings
    let finding = try #require(findings.first { $0.id == FindingName.mainThreadWaiting })
    #expect(finding.sum == .all && finding.occurrences == 3 && finding.others == 1)
    #expect(finding.subject == "wait4" && finding.actual == 289 * millisecond + 100_000)
  }

  /// In an event loop the thread is free, so its waits hide no other.
  @Test(arguments: [4, 2]) func aSleepIsFoundBesideWaitsForEvents(polls: Int64) throws {
    var launch = launch(exit: 500 * millisecond)
    launch.pause(from: 10 * millisecond, to: 160 * millisecond)
    launch.look("clock_nanosleep", at: 20 * millisecond)
    for start in (0..<polls).map({ 170 + $0 * 80 }) {
      launch.pause(from: start * millisecond, to: (start + 76) * millisecond)
      launch.look("poll", at: (start + 10) * millisecond)
    }
    let findings = LaunchTimeline(trace: launch.trace()).findings.filter { $0.id == FindingName.mainThreadWaiting }
    let expected = [("clock_nanosleep", 150, 16)] + (polls == 4 ? [("poll", 304, 232)] : []) as [(String, Int64, Int64)]
    #expect(Set(findings.map(\.subject)) == Set(expected.map(\.0)))
    for (subject, actual, allowed) in expected {
      let finding = try #require(findings.first { $0.subject == subject })
      #expect(finding.actual == actual * millisecond && finding.expected == allowed * millisecond)
      #expect(finding.advice.hasPrefix("The program slept") == (subject != "poll"), "\(finding.advice)")
    }
  }

  /// Two findings named it, and one of them sent the reader into the library's own source, and to root.
  @Test func aWaitForLaunchTasksIsOneFinding() {
    var launch = launch()
    launch.interval(
      "wait for launch tasks", from: 10 * millisecond, to: 50 * millisecond, category: "launchprof/launch-task-wait")
    launch.pause(from: 10 * millisecond + 40_000, to: 50 * millisecond)
    launch.look("futex", at: 20 * millisecond, owner: 5000)
    launch.pause(from: 60 * millisecond, to: 90 * millisecond)
    launch.look("clock_nanosleep", at: 70 * millisecond)
    let findings = LaunchTimeline(trace: launch.trace()).findings
    #expect(findings.filter { $0.id == FindingName.mainThreadOverBudget }.map(\.subject) == ["wait for launch tasks"])
    let waits = findings.filter { $0.id == FindingName.mainThreadWaiting }
    #expect(waits.map(\.subject) == ["clock_nanosleep"] && waits.map(\.actual) == [30 * millisecond], "\(findings)")
  }

  /// Nothing else of the program runs meanwhile, so the thread is not free.
  @Test func aWaitForASignalIsCounted() throws {
    var launch = launch()
    launch.pause(from: 10 * millisecond, to: 90 * millisecond)
    launch.look("rt_sigsuspend", at: 20 * millisecond)
    let findings = LaunchTimeline(trace: launch.trace()).findings
    let finding = try #require(findings.first { $0.id == FindingName.mainThreadWaiting })
    #expect(finding.occurrences == 1 && finding.actual == 80 * millisecond)
    #expect(finding.evidence.contains { $0.kind == .systemCall && $0.time == 80 * millisecond })
  }

  /// The kernel lets one thread at a time change the memory map, and the others wait as for a disk.
  @Test(arguments: [false, true]) func aWaitForTheMemoryMapIsNoWaitForADisk(isThreaded: Bool) throws {
    var launch = launch()
    if isThreaded { launch.turn(from: 5 * millisecond, to: 45 * millisecond, on: launch.thread(5000, name: "worker")) }
    launch.pause(from: 10 * millisecond, to: 50 * millisecond, .uninterruptible)
    launch.look("mmap", at: 20 * millisecond, state: "D")
    let findings = LaunchTimeline(trace: launch.trace()).findings
    let id = isThreaded ? FindingName.mainThreadWaiting : FindingName.mainThreadBlockedIO
    let finding = try #require(findings.first { $0.id == id }, "\(findings)")
    #expect(finding.actual == 40 * millisecond)
    #expect(finding.advice.hasPrefix("The kernel changes the memory map") == isThreaded)
  }

  /// Each of them is too long. One that is not long enough does not count.
  @Test func severalLongWaitsAreNotOne() throws {
    func finding(_ calls: [String]) throws -> Finding {
      var launch = launch()
      for (call, (start, end)) in zip(calls, [(5, 25), (30, 55), (60, 80), (85, 90)] as [(Int64, Int64)]) {
        launch.pause(from: start * millisecond, to: end * millisecond)
        launch.look(call, at: (start + 2) * millisecond)
      }
      let findings = LaunchTimeline(trace: launch.trace()).findings
      return try #require(findings.first { $0.id == FindingName.mainThreadWaiting })
    }
    let different = try finding(["clock_nanosleep", "wait4", "clock_nanosleep", "wait4"])
    #expect(different.actual == 25 * millisecond && different.subject == "wait4")
    #expect(different.occurrences == 3 && different.others == 2)
    let times = different.evidence.filter { $0.kind == .systemCall }.map { "\($0.text) \($0.time ?? 0)" }
    #expect(times == ["wait4 25000000", "clock_nanosleep 20000000", "clock_nanosleep 20000000"])
    let same = try finding(["wait4", "wait4", "wait4", "wait4"])
    #expect(same.occurrences == 3 && same.others == 0)
  }

  /// A wait for locks, 40 ms of 210, is a finding only above a fifth of the launch. It does not hide a longer sleep.
  @Test(arguments: [40, 60] as [Int64])
  func locksDoNotHideASleep(lock: Int64) {
    var launch = launch(exit: 210 * millisecond)
    launch.pause(from: 0, to: lock * millisecond)
    launch.look("futex", at: 2 * millisecond, owner: 5000)
    launch.pause(from: (lock + 5) * millisecond, to: (lock + 105) * millisecond)
    launch.look("clock_nanosleep", at: (lock + 10) * millisecond)
    let findings = LaunchTimeline(trace: launch.trace()).findings.filter { $0.id == FindingName.mainThreadWaiting }
    let (lockTime, allowed) = (60 * millisecond, 42 * millisecond)
    let others = lock == 60 ? findings.filter { $0.actual != lockTime } : findings
    #expect(findings.filter { $0.actual == lockTime && $0.expected == allowed }.count == (lock == 60 ? 1 : 0))
    #expect(others.map(\.actual) == [100 * millisecond] && others.map(\.subject) == ["clock_nanosleep"], "\(findings)")
  }

  /// `timeout 5 ./app` has one thread, which waits for the signal of a child's end. A program in `dispatchMain` has others.
  @Test(arguments: ["rt_sigsuspend", "rt_sigtimedwait", "pause"])
  func aWaitForASignalIsFreeOnlyBesideOtherThreads(call: String) {
    func waits(otherThreads: Bool) -> [Int64] {
      var launch = launch()
      launch.pause(from: 10 * millisecond, to: 50 * millisecond)
      launch.look(call, at: 12 * millisecond)
      if otherThreads {
        let worker = launch.thread(4720, name: "worker")
        launch.turn(from: 60 * millisecond, to: 61 * millisecond, on: worker)
      }
      let findings = LaunchTimeline(trace: launch.trace()).findings
      return findings.filter { $0.id == FindingName.mainThreadWaiting }.map(\.actual)
    }
    #expect(waits(otherThreads: false) == [40 * millisecond])
    #expect(waits(otherThreads: true).isEmpty)
  }

  /// A program waited in `poll` for the output of its child for 209 of 219 ms, and nothing said so.
  @Test(arguments: [("poll", 70, true), ("epoll_wait", 70, true), ("poll", 50, false)] as [(String, Int64, Bool)])
  func aWaitForEventsThatIsMostOfALaunchIsCounted(call: String, length: Int64, isFound: Bool) throws {
    var launch = launch()
    launch.pause(from: 10 * millisecond, to: (10 + length) * millisecond)
    launch.look(call, at: 20 * millisecond)
    let finding = LaunchTimeline(trace: launch.trace()).findings.first { $0.id == FindingName.mainThreadWaiting }
    #expect((finding != nil) == isFound)
    guard let finding else { return }
    #expect(finding.subject == call && finding.actual == length * millisecond && finding.expected == 16 * millisecond)
    #expect(finding.advice.contains("if they came from a child process, record with --follow."), "\(finding.advice)")
  }

  /// Other threads may do the launch's work meanwhile. A wait until the launch's end held up nothing.
  @Test(arguments: [true, false]) func aThreadThatRestsInItsEventLoopIsFree(isLast: Bool) {
    var launch = launch()
    launch.pause(from: 10 * millisecond, to: (isLast ? 100 : 80) * millisecond)
    launch.look("epoll_wait", at: 20 * millisecond)
    if !isLast {
      launch.turn(from: 20 * millisecond, to: 30 * millisecond, on: launch.thread(4720, name: "worker"))
    }
    let findings = LaunchTimeline(trace: launch.trace()).findings
    #expect(!findings.contains { $0.id == FindingName.mainThreadWaiting }, "\(findings)")
  }

  /// Of a short launch, a fifth is less than the budget of an interval, which then is the limit.
  @Test func theLimitOfLocksIsAtLeastAnInterval() {
    func waits(of time: Int64) -> [Int64] {
      var launch = launch(exit: 60 * millisecond)
      for start in [10, 30] as [Int64] {
        launch.pause(from: start * millisecond, to: start * millisecond + time)
        launch.look("futex", at: start * millisecond + 100_000, owner: 5000)
      }
      let findings = LaunchTimeline(trace: launch.trace()).findings
      return findings.filter { $0.id == FindingName.mainThreadWaiting }.flatMap { [$0.actual, $0.expected] }
    }
    #expect(waits(of: 7 * millisecond).isEmpty)
    #expect(waits(of: 9 * millisecond) == [18 * millisecond, 16 * millisecond])
  }

  /// Other threads of the trace that ran for a short time did not cause the wait.
  @Test func fewRivalsAreNotNone() throws {
    var launch = launch()
    let other = launch.thread(5000, name: "other")
    launch.pause(from: 10 * millisecond, to: 60 * millisecond, .preempted)
    launch.turn(from: 20 * millisecond, to: 25 * millisecond, on: other, cpu: 0)
    let findings = LaunchTimeline(trace: launch.trace()).findings
    let finding = try #require(findings.first { $0.id == FindingName.mainThreadRunnable })
    #expect(finding.evidence.map(\.text) == ["other threads of the trace ran for less than a quarter of that time"])
    #expect(finding.advice.hasPrefix("Other threads of the trace ran for less than a quarter of that time, so"))
    #expect(!findings.contains { $0.id == FindingName.cpuContention })
  }

  /// Without perf events, child processes are not seen.
  @Test func withoutPerfEventsRivalsMayBeChildren() throws {
    var launch = SampleLaunch()
    let facts: SampleLaunch.Annotations = [("observer", .string("ptrace")), ("wait_states", .string("times"))]
    launch.launcher(exit: 100 * millisecond, isInstrumented: false, facts)
    launch.pause(from: 10 * millisecond, to: 60 * millisecond, .preempted)
    let findings = LaunchTimeline(trace: launch.trace()).findings
    let finding = try #require(findings.first { $0.id == FindingName.mainThreadRunnable })
    #expect(finding.evidence.map(\.text) == ["other threads of the program ran for less than a quarter of that time"])
    #expect(finding.advice.contains("so its child processes or other programs used the processors."))
  }

  @Test func noneOfManyEqualThreadsIsNamed() throws {
    func finding(_ times: [Int64]) throws -> Finding {
      var launch = launch()
      launch.pause(from: 10 * millisecond, to: 60 * millisecond, .preempted)
      var start: Int64 = 10
      for (number, time) in times.enumerated() {
        let worker = launch.thread(Int32(5000 + number), name: "worker")
        launch.turn(from: start * millisecond, to: (start + time) * millisecond, on: worker, cpu: 0)
        start += time
      }
      let findings = LaunchTimeline(trace: launch.trace()).findings
      return try #require(findings.first { $0.id == FindingName.cpuContention })
    }
    #expect(try finding([10, 10, 10]).subject == "3 threads")
    #expect(try finding([10, 30, 10]).subject == "worker (5001)")
    // Readers add up what is listed.
    let many = try finding([9, 9, 8, 8, 8, 8])
    #expect(many.subject == "6 threads" && many.evidence.compactMap(\.time).reduce(0, +) == 50 * millisecond)
    #expect(many.evidence.last?.text.hasSuffix(" more threads") == true)
  }

  /// Then a quiet machine would not help.
  @Test(arguments: [true, false]) func aQuotaThatStoppedTheProgramIsNamed(hasRival: Bool) throws {
    var launch = SampleLaunch()
    launch.launcher(exit: 100 * millisecond, [("throttled_periods", .uint(7))])
    launch.pause(from: 10 * millisecond, to: 60 * millisecond, .preempted)
    if hasRival {
      launch.turn(
        from: 20 * millisecond, to: 55 * millisecond, on: launch.thread(5000, name: "other"), cpu: 0)
    }
    let findings = LaunchTimeline(trace: launch.trace()).findings
    let finding = try #require(findings.first { $0.id == FindingName.mainThreadRunnable })
    #expect(finding.evidence.map(\.text).first == "stopped by the CPU quota in 7 periods")
    #expect(finding.advice.hasPrefix("The CPU quota of the control group stopped the program (cpu.max)."))
    #expect(findings.contains { $0.id == FindingName.cpuContention } == hasRival)
  }

  /// A thread on another processor does not keep the main thread from running.
  @Test(arguments: [0, 1]) func onlyThreadsOnTheSameProcessorAreRivals(cpu: Int) {
    var launch = launch()
    launch.pause(from: 10 * millisecond, to: 60 * millisecond, .preempted)
    launch.turn(
      from: 10 * millisecond, to: 60 * millisecond, on: launch.thread(5000, name: "background"), cpu: cpu)
    let findings = LaunchTimeline(trace: launch.trace()).findings
    #expect(findings.contains { $0.id == FindingName.mainThreadRunnable })
    #expect(findings.contains { $0.id == FindingName.cpuContention } == (cpu == 0))
  }

  /// Without perf events, it is not known where a thread ran. One of eight processors is little.
  @Test(arguments: [1, 8] as [UInt64]) func withoutPerfEventsAllProcessorsCount(cpus: UInt64) {
    var launch = SampleLaunch()
    launch.launcher(
      exit: 100 * millisecond, isInstrumented: false,
      [("observer", .string("ptrace")), ("wait_states", .string("times")), ("cpus", .uint(cpus))])
    launch.pause(from: 10 * millisecond, to: 60 * millisecond, .preempted)
    launch.turn(from: 10 * millisecond, to: 60 * millisecond, on: launch.thread(5000, name: "background"), cpu: 1)
    let findings = LaunchTimeline(trace: launch.trace()).findings
    #expect(findings.contains { $0.id == FindingName.cpuContention } == (cpus == 1))
  }

  /// Without perf events, a loop on a busy machine "slept" where its launcher had no CPU to look at it.
  @Test(arguments: [false, true]) func anEstimatedWaitNeedsALook(isSeen: Bool) {
    var launch = SampleLaunch()
    launch.launcher(
      exit: 100 * millisecond, isInstrumented: false,
      [("observer", .string("ptrace")), ("wait_states", .string("times"))])
    launch.pause(from: 10 * millisecond, to: 38 * millisecond)
    if isSeen { launch.look("clock_nanosleep", at: 20 * millisecond) }
    let findings = LaunchTimeline(trace: launch.trace()).findings
    #expect(findings.contains { $0.id == FindingName.mainThreadWaiting } == isSeen)
  }
}
