// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import TestSupport
import Testing

@testable import LaunchAnalysis

/// Advice contains only what is known to be true.
struct AdviceTests {
  private func disk(_ call: String?, _ path: String?, isCold: Bool = false) -> String {
    WaitAdvice(systemCall: call, path: path, executable: "/usr/bin/node", isCold: isCold).forDisk
  }

  /// Comments quote earlier, wrong advice.
  @Test func adviceForDisks() {
    // initdb: "keep a small cache of what is needed first".
    #expect(disk("fsync", "/var/lib/pg/1").hasPrefix("It waited until written data"))
    #expect(disk("fsync", "/var/lib/pg/1").contains("sync once"))
    // node, cold: "Link less of node, or link statically".
    let own = disk("page-fault", "/usr/bin/node", isCold: true)
    #expect(own.contains("own code") && !own.contains("Link") && !own.contains("statically"))
    #expect(disk("page-fault", "/usr/lib/libx.so.1").contains("A second launch finds it in memory"))
    #expect(disk("page-fault", "/srv/data.bin").contains("is mapped"))
    #expect(disk("openat", "/srv/a").contains("fewer files"))
    #expect(disk("read", "/srv/a").contains("Read a later"))
    #expect(disk("pwrite64", "/srv/a").contains("Write a after the launch"))
    #expect(disk(nil, nil).contains("does not say"))
  }

  private func others(
    _ call: String?, _ culprit: (String, Wait.Link)? = nil, last: String? = nil, pause: WaitAdvice.Pause? = nil,
    isMost: Bool = false, isLock: Bool = false, path: String? = nil, showsChildren: Bool = false, isAlone: Bool = false,
    inputPipe: String? = nil, further: FurtherRecording = FurtherRecording()
  ) -> String {
    WaitAdvice(
      systemCall: call, path: path, executable: "", showsChildren: showsChildren, isAlone: isAlone,
      inputPipe: inputPipe, further: further
    ).forOthers(
      culprit: culprit.map { (title: $0.0, link: $0.1) }, last: last, pause: pause, isMost: isMost, isLock: isLock)
  }

  /// The input was /dev/null, and the pipe that of a child process: "which may be its standard input".
  @Test func aPipeIsOnlyTheInputIfItIs() {
    let input = others("read", path: "pipe:[7]", showsChildren: true, inputPipe: "pipe:[7]")
    #expect(input.hasPrefix("It waited for its standard input, a pipe") && !input.contains("child"))
    for other in ["", "pipe:[8]"] {
      let pipe = others("read", path: "pipe:[7]", inputPipe: other)
      #expect(pipe.contains("is not the input that it was launched with"), "\(pipe)")
      #expect(pipe.contains("child process writes that data"), "\(pipe)")
    }
    #expect(others("read", path: "pipe:[7]").contains("may be its standard input"))
  }

  @Test func adviceForOthers() {
    // java -version: "Ask for what java has later". Eight threads on two processors: "one does most of the work".
    let java = others("futex", ("java", .awaited), last: "java", isMost: true)
    #expect(java.hasPrefix("Most of the launch is a wait for java.") && !java.contains("later"))
    #expect(others("futex", ("worker", .owner), last: "worker").contains("held the lock"))
    #expect(others("futex", ("worker", .wakeup), last: "disk").contains("Start with disk"))
    #expect(others("wait4", ("sh", .awaited)).contains("--follow"))
    #expect(others("clock_nanosleep").contains("slept"))
    #expect(others("futex").contains("does not say"))
    #expect(others("poll").contains("waited for events") && others("poll").contains("(getaddrinfo)"))
    #expect(others("poll", path: "name-server:10.0.0.2").contains("the name server answered late or never"))
    #expect(!others("epoll_wait").contains("getaddrinfo"))
    #expect(others("rt_sigsuspend").contains("waited for events"))
    // timeout 5 ./app
    #expect(others("rt_sigsuspend", isAlone: true).contains("record that one. To see both, record with --follow."))
    // cmake waits for its compilers in pselect6. The table of threads would have one row.
    let alone = others("poll", isAlone: true)
    #expect(alone.hasPrefix("It waited for events.") && !alone.contains("--by thread"), "\(alone)")
    #expect(alone.contains("a child process, record with --follow.") && alone.contains("(getaddrinfo)"), "\(alone)")
    #expect(others("poll", showsChildren: true, isAlone: true).contains("report --by thread"))
    // With other threads, it is the first thread of a service, which started no program.
    #expect(others("pause", further: FurtherRecording(isEstimated: true)).hasPrefix("It waited for events."))
    // --follow needs perf events.
    #expect(
      others("pause", isAlone: true, further: FurtherRecording(isEstimated: true)).contains(
        "allow perf events, and record with"))
    // What the scheduler reports is no less than what a look sees.
    #expect(others("futex", ("worker", .wakeup), last: "worker", isLock: true).contains("held the lock"))
    #expect(others("read", path: "pipe:[7]").contains("--follow"))
    #expect(others("read", path: "/dev/pts/3").contains("input from the terminal"))
    #expect(others("read", path: "/srv/fifo").contains("does not say"))
    #expect(others("read", path: "fifo:/srv/fifo").contains("data in a pipe"))
    #expect(others("openat", path: "fifo:/srv/gate").contains("opened the other end of gate. "))
    #expect(others("open").contains("the other end of a FIFO"))
    // "It waited for input from the terminal": it wrote.
    #expect(others("write", path: "/dev/pts/3").hasPrefix("The terminal did not take its output"))
    for (call, path) in [("write", "pipe:[7]"), ("writev", "socket:[7]"), ("sendto", "socket:[7]")] {
      #expect(others(call, path: path).hasPrefix("It waited until another process read what it had written"))
    }
    // "The trace does not say what it waited for".
    #expect(others("vfork").contains("had executed its program. To see what it did until then, record with --follow."))
    #expect(
      others("vfork", showsChildren: true).hasSuffix(
        "report --by thread shows how long each child process lived and ran."))
    #expect(others("vfork", ("sh", .wakeup), last: "sh").hasSuffix("record with --follow."))
    // Another recording would say no more.
    for call in ["read", "recvfrom"] {
      #expect(others(call, path: "socket:[7]").contains("an answer from a socket"))
    }
    #expect(others("accept4", path: "socket:[7]").contains("--ready") && others("connect").contains("connection"))
    #expect(others("flock", path: "/srv/lock").contains("held the lock of lock (flock)"))
    #expect(others("fcntl").contains("does not say"))
  }

  /// java, whose libraries had to be read from the disk: the advice was to look at the samples of a thread that hardly ran.
  @Test func aThreadThatHardlyRanHasFewSamples() throws {
    func java(_ state: ThreadState?) -> String {
      let pause = state.map { WaitAdvice.Pause(state: $0) }
      return others("futex", ("java", .awaited), last: "java", pause: pause, isMost: true)
    }
    #expect(java(nil).contains("Its samples show what it does"))
    // A child, recorded with --follow: nothing said what it did.
    let child = others(
      "wait4", ("cc1", .awaited), last: "cc1", pause: WaitAdvice.Pause(state: .runnable), showsChildren: true)
    #expect(
      child == "It waited until cc1 ended. For most of that time, it waited for a CPU, so its samples show little. "
        + "Wait for it later, or after the launch.", "\(child)")
    #expect(java(.sleeping).hasSuffix("To find out for what, record with --detail scheduling, as root."))
    #expect(java(.blocked).contains("it waited for a disk"))
    #expect(java(.runnable).hasSuffix("it waited for a CPU, so its samples show little."))
    let unsampled = WaitAdvice(systemCall: "futex", executable: "/bin/app", work: .unsampled).forOthers(
      culprit: ("java", .awaited), last: "java", pause: .init(state: .runnable), isMost: true)
    #expect(unsampled.hasSuffix("it waited for a CPU."), "\(unsampled)")
    func advice(running: Int64, isSampled: Bool = true) throws -> String {
      var launch = SampleLaunch(exit: 100 * millisecond)
      launch.pause(from: 10 * millisecond, to: 90 * millisecond)
      launch.look("futex", at: 30 * millisecond, awaited: 5000)
      let worker = launch.thread(5000, name: "java")
      launch.turn(from: 12 * millisecond, to: (12 + running) * millisecond, on: worker)
      launch.turn(from: 85 * millisecond, to: 89 * millisecond, on: worker)
      if isSampled { launch.samples(["work"], from: 12 * millisecond, to: 30 * millisecond, on: worker) }
      let findings = LaunchTimeline(trace: launch.trace()).findings
      return try #require(findings.first { $0.id == FindingName.mainThreadWaiting }).advice
    }
    let most = "Most of the launch is a wait for java (5000). "
    #expect(try advice(running: 60).hasPrefix(most + "Its samples"))
    #expect(try advice(running: 60, isSampled: false) == most + "It has no samples.")
    #expect(try advice(running: 20).hasPrefix(most + "For most of that time, it"))
  }

  /// Only the program's own file may contain a runtime that it cannot change.
  @Test func anInitialiserOfALibraryGoesWithIt() throws {
    var launch = SampleLaunch()
    launch.initializer(
      "__CFInitialize (libFoundation.so)", image: "/usr/lib/libFoundation.so", from: millisecond, to: 9 * millisecond)
    let finding = LaunchTimeline(trace: launch.trace()).findings.first { $0.id == FindingName.slowStaticInitializer }
    #expect(try #require(finding).advice.hasPrefix("It belongs to libFoundation.so. Load that library"))
  }

  /// The advice was to do without it.
  @Test(arguments: [false, true]) func noProgramIsWithoutItsRuntime(isWatched: Bool) throws {
    var launch = SampleLaunch()
    launch.initializer(
      "static init of Backtrace.cpp (libswiftCore.so)", image: "/usr/lib/swift/linux/libswiftCore.so",
      from: millisecond,
      to: 9 * millisecond)
    if isWatched { launch.pause(from: 10 * millisecond, to: 11 * millisecond) }
    launch.launcher(exit: 20 * millisecond)
    let finding = LaunchTimeline(trace: launch.trace()).findings.first { $0.id == FindingName.slowStaticInitializer }
    let advice = try #require(finding).advice
    #expect(advice.hasPrefix("It belongs to libswiftCore.so, which the program's language needs."))
    #expect(advice.hasSuffix("may contain time without a processor.") != isWatched)
  }

  /// With --detail scheduling, the advice was to record with --detail scheduling. Of a thread that slept in a smaller part of the
  /// launch, it was to look at its samples.
  @Test func anOptionThatWasGivenIsNotAdvised() {
    let further = FurtherRecording(isExact: true)
    func joined(_ pause: WaitAdvice.Pause, isMost: Bool, by link: Wait.Link = .wakeup) -> String {
      others("futex", ("sl", link), last: "sl", pause: pause, isMost: isMost, further: further)
    }
    let sleep = WaitAdvice.Pause(state: .sleeping, systemCall: "clock_nanosleep", function: "t")
    #expect(joined(sleep, isMost: true).hasSuffix("For most of that time, it slept (clock_nanosleep), in t."))
    #expect(
      joined(sleep, isMost: false) == "The wait was for sl. For most of that time, it slept (clock_nanosleep), in t.")
    for link in [Wait.Link.overlap, .last] {
      #expect(joined(sleep, isMost: true, by: link).hasPrefix("Most of the launch is a wait, probably for sl. "))
      #expect(joined(sleep, isMost: false, by: link).hasPrefix("The wait was probably for sl. "))
    }
    #expect(joined(.init(state: .waiting), isMost: true).hasSuffix("For most of that time, it waited as well."))
    #expect(others("futex", further: further) == "The trace does not say what it waited for.")
    #expect(!others("flock", path: "/srv/lock", further: further).contains("--detail"))
  }

  /// Without perf events, --follow shows nothing. The advice was to use it, also after it was used.
  @Test func childrenAreFollowedByPerfEvents() {
    let estimated = FurtherRecording(isEstimated: true)
    for advice in [others("wait4", further: estimated), others("read", path: "pipe:[7]", further: estimated)] {
      #expect(advice.contains("allow perf events, and record with --follow"), "\(advice)")
    }
  }

  /// gcc, with --follow: the advice was to record with --follow.
  @Test func whatWasRecordedIsNotAskedFor() throws {
    for advice in [
      others("wait4", showsChildren: true), others("read", path: "pipe:[7]", showsChildren: true),
      others("wait4", ("cc1", .awaited), showsChildren: true),
      others("wait4", ("cc1", .awaited), isMost: true, showsChildren: true),
      others("rt_sigsuspend", showsChildren: true, isAlone: true),
    ] {
      #expect(!advice.contains("--follow"), "\(advice)")
    }
    func advice(recording isFollowed: Bool) throws -> String {
      var launch = SampleLaunch(exit: 100 * millisecond)
      launch.pause(from: 10 * millisecond, to: 90 * millisecond)
      launch.look("wait4", at: 30 * millisecond)
      if isFollowed {
        let child = launch.builder.thread(5000, ofProcess: 5000, name: "cc1")
        launch.turn(from: 12 * millisecond, to: 20 * millisecond, on: child)
      }
      let findings = LaunchTimeline(trace: launch.trace()).findings
      return try #require(findings.first { $0.id == FindingName.mainThreadWaiting }).advice
    }
    #expect(try advice(recording: false).hasSuffix("record with --follow."))
    #expect(try advice(recording: true).hasSuffix("how long each child process lived and ran."))
  }

  private let millisecond: Int64 = 1_000_000

  /// initdb: the finding named a child process, and the advice was "The trace does not say what it waited for".
  @Test func ofManyWaitsTheKnownPartIsTold() throws {
    var launch = SampleLaunch(exit: 1000 * millisecond)
    for start in stride(from: Int64(10), to: 900, by: 90) {
      launch.pause(from: start * millisecond, to: (start + 60) * millisecond)
    }
    launch.look("futex", at: 220 * millisecond)
    let finding = try #require(
      LaunchTimeline(trace: launch.trace()).findings.first { $0.id == FindingName.mainThreadWaiting })
    #expect(finding.advice.hasPrefix("The trace has the reason of 10 % of it"), "\(finding.advice)")
  }

  /// Rscript: "The trace has the reason of 100 % of it. To find out the rest, record with --detail scheduling".
  @Test func nothingIsLeftToFindOut() throws {
    var launch = SampleLaunch(exit: 1000 * millisecond)
    for (number, start) in stride(from: Int64(10), to: 900, by: 90).enumerated() {
      launch.pause(from: start * millisecond, to: (start + 60) * millisecond)
      launch.look("call \(number)", at: (start + 30) * millisecond)
    }
    let finding = try #require(
      LaunchTimeline(trace: launch.trace()).findings.first { $0.id == FindingName.mainThreadWaiting })
    #expect(finding.advice == "It has several reasons, and none stands out." && finding.listed == "the longest")
  }

  @Test func oneDamagedPlaceIsOne() throws {
    let trace = try #require(SampleLaunch.trace(raising: FindingName.traceDamaged))
    let finding = try #require(LaunchTimeline(trace: trace).findings.first { $0.id == FindingName.traceDamaged })
    #expect(finding.advice == "One place could not be read, at byte 77: a string has no end")
  }

  /// java: the advice was "Use later what needs it", of the library that the launch consists of.
  /// The advice was to move the wait off the main thread.
  @Test func aWaitForLaunchTasksNamesTheTask() throws {
    var launch = SampleLaunch(preinit: 1_000_000)
    let worker = launch.thread(5000, name: "worker")
    for (name, start, end) in [("small", 8, 12), ("parse", 10, 50)] as [(String, Int64, Int64)] {
      launch.interval(
        name, from: start * 1_000_000, to: end * 1_000_000, on: worker, category: "launchprof.launch-task")
    }
    launch.interval(
      "wait for launch tasks", from: 9_000_000, to: 51_000_000, category: "launchprof/launch-task-wait")
    launch.mark("ready", at: 60_000_000)
    let findings = LaunchTimeline(trace: launch.trace()).findings
    let finding = try #require(findings.first { $0.subject == "wait for launch tasks" })
    #expect(finding.advice.contains("Make parse shorter") && !finding.advice.contains("off the main thread"))
  }

  @Test func aLibraryWhoseCodeTheLaunchRunsIsNotForLater() throws {
    func advice(_ image: String) throws -> String {
      var launch = SampleLaunch(exit: 100 * millisecond)
      launch.interval(
        "dlopen", from: 5 * millisecond, to: 35 * millisecond, category: "launchprof.library",
        [("path", .array([.string("/usr/lib/jvm/libjvm.so")]))])
      launch.samples(
        [.init("start"), .init("run", image: image), .init("memcpy", image: "/usr/lib/libc.so.6")],
        from: 40 * millisecond, to: 90 * millisecond)
      let findings = LaunchTimeline(trace: launch.trace()).findings
      return try #require(findings.first { $0.id == FindingName.dlopenAtLaunch }).advice
    }
    #expect(try advice("/usr/lib/jvm/libjvm.so").contains("the launch runs its code. Avoid it if"))
    #expect(try advice("/usr/bin/notes-server").contains("Postpone the code that needs it"))
  }

  @Test func slowInitialisersOfOneFileAreOneFinding() {
    var launch = SampleLaunch(preinit: 1000)
    launch.phase("static-init", from: 1000, to: 20 * millisecond)
    launch.initializer("first", image: "/usr/lib/liba.so", from: 2000, to: 3 * millisecond)
    launch.initializer("second", image: "/usr/lib/liba.so", from: 3 * millisecond, to: 8 * millisecond)
    launch.initializer("own", image: "/usr/bin/notes-server", from: 8 * millisecond, to: 10 * millisecond)
    launch.mark("main", at: 20 * millisecond)
    launch.launcher(exit: 30 * millisecond)
    let findings = LaunchTimeline(trace: launch.trace()).findings.filter { $0.id == FindingName.slowStaticInitializer }
    #expect(findings.map(\.subject) == ["second", "own"])
    #expect(findings.map(\.occurrences) == [2, 1])
    #expect(findings[0].evidence.contains(Evidence(.span, "first", time: 3 * millisecond - 2000)))
    #expect(findings[0].advice.contains("liba.so"))
    #expect(findings[1].advice.contains("when the result is first needed"))
  }
}
