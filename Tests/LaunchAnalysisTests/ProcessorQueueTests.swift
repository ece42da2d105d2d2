// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// Threads that had no processor while the main thread waited for their work.
struct ProcessorQueueTests {
  private let millisecond: Int64 = 1_000_000

  /// `java` does the work, as the launcher of Java has it. It is created at 5 ms, and other work has its processor from 20 to 80 ms.
  private func findings(_ change: (inout SampleLaunch, TrackID) -> Void = { _, _ in }) -> [Finding] {
    var launch = SampleLaunch(exit: 100 * millisecond, isInstrumented: false)
    let java = launch.thread(5000, name: "java")
    launch.wakeup(at: 5 * millisecond, of: java, by: launch.main)
    launch.pause(from: 10 * millisecond, to: 90 * millisecond)
    launch.look("futex", at: 50 * millisecond, awaited: 5000)
    launch.switched(.init(.switchedIn, at: 10 * millisecond, on: java, cpu: 1))
    launch.pause(from: 20 * millisecond, to: 80 * millisecond, .preempted, on: java, cpu: 1)
    launch.switched(.init(.exited, at: 90 * millisecond, on: java, cpu: 1))
    change(&launch, java)
    return LaunchTimeline(trace: launch.trace()).findings
  }

  /// The report said "waiting for others: 100 %", and nothing of the busy machine.
  @Test func theLaunchWaitedForAProcessor() throws {
    let finding = try #require(findings().first { $0.id == FindingName.mainThreadRunnable })
    #expect(finding.subject == "waiting for a CPU, in java (5000)")
    #expect(finding.actual == 60 * millisecond)
    #expect(finding.evidence.first == Evidence(.thread, "java (5000) waited for a CPU", time: 60 * millisecond))
    #expect(finding.advice.contains("Measure on a quiet machine."))
  }

  /// Then a quiet machine would not help.
  @Test func aThreadOfTheProgramHadTheProcessor() throws {
    let findings = findings { launch, _ in
      launch.turn(
        from: 20 * millisecond, to: 79 * millisecond, on: launch.thread(5001, name: "compiler"), cpu: 1)
    }
    let finding = try #require(findings.first { $0.id == FindingName.cpuContention })
    #expect(finding.subject == "compiler (5001)")
    #expect(finding.advice.hasPrefix("Start fewer threads"))
  }

  /// The longer of both is the finding.
  @Test func theMainThreadsOwnWaitsAreItsOwn() throws {
    var launch = SampleLaunch(exit: 200 * millisecond, isInstrumented: false)
    launch.pause(from: 100 * millisecond, to: 190 * millisecond, .preempted)
    let java = launch.thread(5000, name: "java")
    launch.wakeup(at: 5 * millisecond, of: java, by: launch.main)
    launch.pause(from: 10 * millisecond, to: 60 * millisecond)
    launch.look("futex", at: 30 * millisecond, awaited: 5000)
    launch.turn(from: 40 * millisecond, to: 60 * millisecond, on: java)
    let findings = LaunchTimeline(trace: launch.trace()).findings
    let finding = try #require(findings.first { $0.id == FindingName.mainThreadRunnable })
    #expect(finding.subject == "waiting for a CPU" && finding.actual == 90 * millisecond)
  }

  /// Without the thread's creation, it may not have existed before its first turn.
  @Test func aThreadThatMayNotHaveExistedWaitedForNothing() {
    var launch = SampleLaunch(exit: 100 * millisecond, isInstrumented: false)
    let java = launch.thread(5000, name: "java")
    launch.pause(from: 10 * millisecond, to: 90 * millisecond)
    launch.look("futex", at: 50 * millisecond, awaited: 5000)
    launch.turn(from: 80 * millisecond, to: 90 * millisecond, on: java)
    #expect(!LaunchTimeline(trace: launch.trace()).findings.contains { $0.id == FindingName.mainThreadRunnable })
  }
}
