// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

struct ParallelSavingsTests {
  private let millisecond: Int64 = 1_000_000
  private let work = WorkSavingsTests()

  private func tasks(cpus: UInt64, workers: Int = 0, from first: Int64 = 10) -> Savings {
    var launch = work.launch(cpus: cpus)
    for (place, name) in ["read", "open", "index"].enumerated() {
      let start = (first + 20 * Int64(place)) * millisecond
      launch.interval(
        name, from: start, to: start + 20 * millisecond, category: "launchprof.launch-task",
        [("message", .string(name == "index" ? "read" : ""))])
    }
    for worker in 0..<workers {
      let thread = launch.thread(Int32(5000 + worker), name: "worker")
      launch.turn(from: 5 * millisecond, to: 90 * millisecond, on: thread, cpu: 1 + worker)
    }
    return work.savings(launch)
  }

  /// "read" and "open" at the same time, "index" after "read": 40 ms instead of 60.
  @Test func tasksAreReplayedInParallel() throws {
    let saving = try #require(tasks(cpus: 4).savings.first { $0.change == .parallelTasks })
    #expect(saving.isAtMost && saving.subject == "read, open, index" && abs(saving.share - 0.2) < 0.001, "\(saving)")
    #expect(tasks(cpus: 2, workers: 1).refused.map(\.change).contains(.parallelTasks))
    #expect(!tasks(cpus: 2, workers: 1).savings.contains { $0.change == .parallelTasks })
  }

  /// This was a trap.
  @Test func tasksAfterTheLaunchSaveNothing() {
    let found = tasks(cpus: 4, from: 2000)
    #expect(!found.savings.contains { $0.change == .parallelTasks })
  }

  private func phases(cpus: UInt64, workers: Int, _ first: String = "read", _ second: String = "open") -> Savings {
    var launch = work.launch(cpus: cpus)
    launch.phase(first, from: 10 * millisecond, to: 40 * millisecond)
    launch.phase(second, from: 40 * millisecond, to: 60 * millisecond)
    launch.phase("ready", from: 60 * millisecond, to: 90 * millisecond)
    for worker in 0..<workers {
      let thread = launch.thread(Int32(5000 + worker), name: "worker")
      launch.turn(from: 5 * millisecond, to: 90 * millisecond, on: thread, cpu: 1 + worker)
    }
    return work.savings(launch)
  }

  @Test func phasesInParallelSaveAllButTheLongest() throws {
    let saving = try #require(phases(cpus: 8, workers: 1).savings.first)
    #expect(saving.change == .parallelPhases && saving.subject == "read, open" && saving.isAtMost)
    #expect(saving.share == 0.2)
  }

  /// The host calls them one after the other.
  @Test func callbacksOfAnApplicationAreNotRunInParallel() {
    let found = phases(cpus: 8, workers: 0, "did-finish-launching", "scene-connect")
    #expect(found.savings.isEmpty && found.refused.isEmpty)
  }

  /// A thread that hardly runs takes no processor. The message was: other threads use 0.0 of them.
  @Test func aThreadThatHardlyRunsTakesNoProcessor() {
    var launch = work.launch(cpus: 2)
    launch.phase("read", from: 10 * millisecond, to: 40 * millisecond)
    launch.phase("open", from: 40 * millisecond, to: 60 * millisecond)
    let thread = launch.thread(5000, name: "worker")
    launch.turn(from: 41 * millisecond, to: 41 * millisecond + 100_000, on: thread, cpu: 1)
    let found = work.savings(launch)
    #expect(found.savings.map(\.change) == [.parallelPhases] && found.refused.isEmpty)
  }

  /// Where the processors are taken, replaying the launch misleads.
  @Test(arguments: [(1, 0), (2, 1), (4, 3)])
  func phasesInParallelAreRefusedWithoutProcessors(cpus: UInt64, workers: Int) {
    let savings = phases(cpus: cpus, workers: workers)
    #expect(!savings.savings.contains { $0.change == .parallelPhases })
    #expect(savings.refused.map(\.change) == [.parallelPhases])
  }

  /// Each launch had a line of its own, also if other launches predicted the change.
  @Test func aChangeIsRefusedOnceAndOnlyIfItIsNotPredicted() {
    func phases(workers: Int, until end: Int64) -> LaunchTimeline {
      var launch = work.launch(cpus: 2)
      launch.phase("read", from: 10 * millisecond, to: 40 * millisecond)
      launch.phase("open", from: 40 * millisecond, to: 60 * millisecond)
      for worker in 0..<workers {
        let thread = launch.thread(Int32(5000 + worker), name: "worker")
        launch.turn(from: 5 * millisecond, to: end * millisecond, on: thread, cpu: 1)
      }
      return LaunchTimeline(trace: launch.trace())
    }
    let busy = [phases(workers: 1, until: 90), phases(workers: 1, until: 30), phases(workers: 1, until: 90)]
    #expect(Savings(busy).refused.map(\.reason).count == 1)
    #expect(Savings(busy).refused.first?.reason.contains("use 1.0 of them") == true)
    let quiet = Savings([busy[0], phases(workers: 0, until: 0), phases(workers: 0, until: 0)])
    #expect(quiet.savings.map(\.change) == [.parallelPhases] && quiet.refused.isEmpty)
  }

  /// "read" and "open" at the same time would be 20 ms less, but the launch ends 10 ms after they begin.
  @Test func tasksThatOutlastTheLaunchSaveWhatIsInTheLaunch() throws {
    let saving = try #require(tasks(cpus: 4, from: 90).savings.first { $0.change == .parallelTasks })
    #expect(abs(saving.share - 0.1) < 0.001, "\(saving)")
  }

  /// A container or taskset(1) may have fewer processors than the machine.
  @Test func onlyProcessorsThatTheLaunchCouldUseCount() {
    var launch = work.launch(cpus: 8, usable: 1)
    launch.phase("read", from: 10 * millisecond, to: 40 * millisecond)
    launch.phase("open", from: 40 * millisecond, to: 60 * millisecond)
    let timeline = LaunchTimeline(trace: launch.trace())
    #expect(Savings([timeline]).savings.isEmpty)
    #expect(Savings([timeline]).refused.map(\.reason) == ["the launch could use one processor only"])
    #expect(timeline.provenance.fields[.processor] == "1 of 8 × EPYC")
    #expect(timeline.record().line.contains("\"cores\":1,"))
    let all = LaunchTimeline(trace: work.launch(cpus: 8, usable: 8).trace())
    #expect(all.provenance.fields[.processor] == "8 × EPYC")
  }
}
