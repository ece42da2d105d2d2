// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// Which waits were for a disk: from the kernel's records where there are any, otherwise from looks. Looks are
/// further apart than waits are long.
struct DiskWaitTests {
  private let millisecond: Int64 = 1_000_000

  private func launch(exit: Int64 = 100_000_000, states: String = "looks") -> SampleLaunch {
    var launch = SampleLaunch()
    launch.launcher(
      exit: exit, isInstrumented: false, [("observer", .string("perf")), ("wait_states", .string(states))])
    return launch
  }

  /// Adds a wait of a millisecond every other millisecond.
  private func reading(
    from start: Int64 = 2, to end: Int64 = 44, exit: Int64 = 100, _ kind: SwitchKind = .sleeping
  ) -> SampleLaunch {
    var launch = launch(exit: exit * millisecond)
    for time in stride(from: start, to: end, by: 2) {
      launch.pause(from: time * millisecond, to: (time + 1) * millisecond, kind)
    }
    return launch
  }

  /// Start of each wait for a disk, ms. Checks that the states add up.
  private func blocked(_ launch: SampleLaunch) -> [Int64] {
    let timeline = LaunchTimeline(trace: launch.trace())
    #expect(timeline.stateSummaries.reduce(0) { $0 + $1.total } == timeline.total)
    let states = timeline.states
    return (0..<states.count).filter { states.state[$0] == .blocked }
      .map { (states.start[$0] - timeline.start) / millisecond }
  }

  @Test func waitsBetweenTwoLooksAtOneFileAreForThatFile() {
    var launch = reading()
    launch.look("read", at: 12 * millisecond + 1, state: "D", path: "/srv/cold.dat")
    launch.look("read", at: 24 * millisecond + 1, state: "D", path: "/srv/cold.dat")
    // Also waits at most two look distances away.
    #expect(blocked(launch) == Array(stride(from: 4, through: 32, by: 2)))
    let causes = LaunchTimeline(trace: launch.trace()).waitCauses(.blocked)
    #expect(causes.map(\.path) == ["/srv/cold.dat"])
    #expect(causes.first?.total == 15 * millisecond && causes.first?.count == 15)
  }

  @Test func oneLookIsEnough() {
    var launch = reading()
    launch.look("page-fault", at: 14 * millisecond + 1, state: "D")
    #expect(blocked(launch) == [6, 8, 10, 12, 14, 16, 18, 20, 22])
  }

  @Test func theNearestLookCounts() {
    var launch = reading()
    launch.look("read", at: 14 * millisecond + 1, state: "D", path: "/srv/cold.dat")
    launch.look("futex", at: 15 * millisecond + 500_000)
    launch.look("poll", at: 18 * millisecond + 1)
    #expect(blocked(launch) == [6, 8, 10, 12, 14])
  }

  /// A look would have found a wait that lasts longer than the time between looks.
  @Test func longWaitsAreNotGuessed() {
    var launch = reading(from: 10, to: 14)
    launch.look("read", at: 12 * millisecond + 1, state: "D", path: "/srv/cold.dat")
    launch.pause(from: 14 * millisecond, to: 24 * millisecond)
    #expect(blocked(launch) == [10, 12])
  }

  /// The observer looks less often later in the launch.
  @Test func theReachGrowsWithTheLaunch() {
    var launch = reading(from: 986, to: 1_014, exit: 2_000)
    launch.look("read", at: 1_000 * millisecond + 1, state: "D", path: "/srv/cold.dat")
    #expect(blocked(launch) == Array(stride(from: 986, to: 1_014, by: 2)))
    launch = reading(from: 486, to: 514, exit: 2_000)
    launch.look("read", at: 500 * millisecond + 1, state: "D", path: "/srv/cold.dat")
    #expect(blocked(launch) == [490, 492, 494, 496, 498, 500, 502, 504, 506, 508, 510])
  }

  /// If the scheduler reported every wait, a look provides the file's name but changes no state.
  @Test func theKernelsWordIsNotCorrected() {
    var launch = launch(states: "kernel")
    for time in stride(from: Int64(6), to: 32, by: 2) {
      launch.pause(
        from: time * millisecond, to: (time + 1) * millisecond, time % 4 == 0 ? .uninterruptible : .sleeping)
    }
    launch.look("read", at: 16 * millisecond + 1, state: "D", path: "/srv/cold.dat")
    #expect(blocked(launch) == [8, 12, 16, 20, 24, 28])
    let causes = LaunchTimeline(trace: launch.trace()).waitCauses(.blocked)
    #expect(causes.first?.path == "/srv/cold.dat" && causes.first?.count == 5)
  }

  /// Reads of a file each, ms: the cause of the time that was blocked.
  private func causeOfReads(_ times: [Int64]) -> WaitCause? {
    var launch = launch(states: "kernel")
    for (place, time) in times.enumerated() {
      let start = Int64(10 + 10 * place) * millisecond
      launch.look("read", at: start + 1, state: "D", path: "/srv/\(place).dat")
      launch.pause(from: start, to: start + time * millisecond, .uninterruptible)
    }
    return LaunchTimeline(trace: launch.trace()).stateSummaries.first { $0.state == .blocked }?.cause
  }

  @Test func filesOfWhichNoneHasMostOfTheTimeCountTogether() throws {
    let cause = try #require(causeOfReads([4, 3, 1]))
    #expect(cause.systemCall == "read" && cause.path == nil && cause.files == 3)
    #expect(cause.total == 8 * millisecond && cause.count == 3)
  }

  @Test func aFileThatHasMostOfTheTimeIsTheCause() throws {
    let cause = try #require(causeOfReads([6, 3, 1]))
    #expect(cause.path == "/srv/0.dat" && cause.files == 0)
    #expect(cause.total == 6 * millisecond && cause.count == 1)
  }

  @Test func aFaultNamesTheFileOfALook() {
    var launch = launch()
    launch.pause(from: 10 * millisecond, to: 13 * millisecond)
    launch.look("page-fault", at: 11 * millisecond, state: "D")
    launch.fault(at: 13 * millisecond + 5_000, path: "/usr/lib/libbig.so")
    #expect(blocked(launch) == [10])
    #expect(LaunchTimeline(trace: launch.trace()).states.waits.first?.path == "/usr/lib/libbig.so")
  }

  /// `state call file function` of each wait. The kernel executes the program up to 12 ms, and the loader then waits for a library.
  private func waitsOfExecution(states: String, _ kind: SwitchKind = .sleeping) -> [String] {
    var launch = launch(states: states)
    func point(_ name: String, at time: Int64, path: String = "") {
      launch.instant(
        name, at: time * millisecond, category: "launchprof.point",
        [("source", .string("kernel"))] + (path.isEmpty ? [] : [("path", .string(path))]))
    }
    point("exec", at: 4, path: "/usr/bin/notes")
    point("loader-started", at: 12)
    point("relocated", at: 30)
    for (start, end) in [(1, 3), (5, 11), (14, 16)] as [(Int64, Int64)] {
      launch.pause(from: start * millisecond, to: end * millisecond, kind)
      launch.waitStack(["execvpe", "start"], at: start * millisecond)
    }
    launch.look("page-fault", at: 15 * millisecond, state: "D")
    launch.fault(at: 16 * millisecond + 5_000, path: "/usr/lib/libbig.so")
    let timeline = LaunchTimeline(trace: launch.trace())
    return timeline.states.waits.map { wait in
      let place = timeline.place(of: wait)?.functions.first ?? "nobody"
      return [wait.state.name, wait.systemCall ?? "", wait.path ?? "", place].joined(separator: " ")
    }
  }

  /// The kernel waits for the program's file. The look at the loader, and its fault, named those waits.
  @Test func whatTheKernelReadsToExecuteAProgramIsTheProgram() {
    let own = "execve /usr/bin/notes nobody"
    let waits = waitsOfExecution(states: "looks")
    #expect(waits.prefix(2) == ["blocked-io \(own)", "blocked-io \(own)"], "\(waits)")
    #expect(waits.last?.hasPrefix("blocked-io page-fault /usr/lib/libbig.so ") == true, "\(waits)")
    #expect(waits.last?.hasSuffix("nobody") == false, "\(waits)")
    #expect(waitsOfExecution(states: "kernel").prefix(2) == ["sleeping \(own)", "sleeping \(own)"])
    #expect(waitsOfExecution(states: "kernel", .uninterruptible).first == "blocked-io \(own)")
  }

  /// A fault shortly afterwards does not explain it either.
  @Test func aFaultDoesNotExplainASleep() {
    var launch = launch(states: "kernel")
    launch.pause(from: 10 * millisecond, to: 12 * millisecond)
    launch.fault(at: 12 * millisecond + 3000, path: "/usr/lib/libbig.so")
    #expect(blocked(launch).isEmpty)
  }

  /// A file system in user space answers from a thread.
  @Test func aFileThatAThreadFeedsIsNoDisk() {
    var launch = launch()
    let worker = launch.thread(4720, name: "worker")
    launch.pause(from: 10 * millisecond, to: 20 * millisecond)
    launch.look("read", at: 12 * millisecond, path: "/mnt/archive/file")
    launch.wakeup(at: 19 * millisecond, by: worker)
    #expect(firstWait(of: launch.trace()) == "waiting worker")
  }

  @Test func pagesNearAFaultAreOfItsFile() {
    var launch = reading(from: 10, to: 16)
    launch.look("page-fault", at: 10 * millisecond + 1, state: "D")
    launch.look("page-fault", at: 14 * millisecond + 1, state: "D")
    launch.fault(at: 13 * millisecond + 5_000, path: "/usr/lib/libbig.so")
    #expect(blocked(launch) == [10, 12, 14])
    let causes = LaunchTimeline(trace: launch.trace()).waitCauses(.blocked)
    #expect(causes.map(\.path) == ["/usr/lib/libbig.so"])
  }

  // MARK: Not every uninterruptible wait is for a disk

  /// `<state> <waker>` of the first wait.
  private func firstWait(of trace: Trace) -> String {
    let wait = LaunchTimeline(trace: trace).states.waits.first
    let waker = wait?.culprit.map { trace.strings[trace.tracks[Int($0)].name] } ?? "nobody"
    return "\(wait?.state.name ?? "none") \(waker)"
  }

  @Test func aThreadOfTheLaunchIsNoDisk() {
    var launch = launch()
    let worker = launch.thread(4720, name: "worker")
    launch.pause(from: 10 * millisecond, to: 20 * millisecond, .uninterruptible)
    launch.wakeup(at: 19 * millisecond, by: worker)
    #expect(firstWait(of: launch.trace()) == "waiting worker")
  }

  @Test func anInterruptEndsAReading() {
    var launch = launch()
    launch.pause(from: 10 * millisecond, to: 20 * millisecond, .uninterruptible)
    launch.wakeup(at: 19 * millisecond, by: nil)
    #expect(firstWait(of: launch.trace()) == "blocked-io nobody")
  }

  /// The parent of a new process waits uninterruptibly until the child has executed its program.
  @Test func aNewProcessIsWaitedFor() {
    var launch = launch()
    _ = launch.builder.process(99, name: "child")
    let child = launch.builder.thread(99, ofProcess: 99, name: "child")
    launch.pause(from: 10 * millisecond, to: 20 * millisecond, .uninterruptible)
    launch.wakeup(at: 19 * millisecond, by: child)
    #expect(firstWait(of: launch.trace()) == "waiting child")
    launch = self.launch()
    launch.pause(from: 10 * millisecond, to: 20 * millisecond, .uninterruptible)
    launch.look("vfork", at: 12 * millisecond, state: "D")
    #expect(firstWait(of: launch.trace()) == "waiting nobody")
  }

  /// A trace of the whole system contains threads of the kernel, which end waits for disks.
  @Test func inATraceOfTheWholeSystemAnotherProcessMayBeADisk() {
    var launch = SampleLaunch()
    launch.mark("main", at: millisecond)
    _ = launch.builder.process(99, name: "kworker/0:1")
    let worker = launch.builder.thread(99, ofProcess: 99, name: "kworker/0:1")
    launch.pause(from: 10 * millisecond, to: 20 * millisecond, .uninterruptible)
    launch.wakeup(at: 19 * millisecond, by: worker)
    launch.mark("ready", at: 50 * millisecond)
    #expect(firstWait(of: launch.trace()) == "blocked-io nobody")
  }
}
