// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// How much of the main thread's running time was in the kernel.
struct KernelTimeTests {
  private let millisecond: Int64 = 1_000_000

  /// A launch of 100 ms that runs for 80 ms. Samples show the program's own code for some of them.
  private func timeline(
    samples: Int64, exit: Int64 = 100, faults: UInt64 = 3412, _ add: (inout SampleLaunch) -> Void = { _ in }
  ) -> LaunchTimeline {
    var launch = SampleLaunch()
    launch.mark("main", at: millisecond)
    launch.pause(from: 10 * millisecond, to: 30 * millisecond)
    launch.samples(["main", "parse"], from: 40 * millisecond, to: (40 + samples) * millisecond)
    add(&launch)
    let observed: SampleLaunch.Annotations = [("observer", .string("perf")), ("sample_rate", .uint(1000))]
    launch.launcher(exit: exit * millisecond, observed + [("minor_faults", .uint(faults))])
    return LaunchTimeline(trace: launch.trace())
  }

  @Test func theRunningTimeWithoutASampleWasInTheKernel() throws {
    let kernel = try #require(timeline(samples: 10).kernelTime)
    #expect(kernel.running == 80 * millisecond && kernel.time == 70 * millisecond)
    // Of 80 periods, 10 have a sample: two standard deviations are about 6.
    #expect((5 * millisecond...7 * millisecond).contains(kernel.error))
  }

  /// A program that only makes calls has no samples, and so no unit of samples.
  @Test func aProgramWithoutAnySampleWasInTheKernel() {
    var launch = SampleLaunch()
    launch.pause(from: 10 * millisecond, to: 30 * millisecond)
    launch.launcher(exit: 100 * millisecond, [("observer", .string("perf")), ("sample_rate", .uint(1000))])
    #expect(LaunchTimeline(trace: launch.trace()).kernelTime?.time == 80 * millisecond)
  }

  /// No sample in 40 periods is no proof that none of the time was the program's own.
  @Test func withoutASampleTheTimeStillHasAnError() throws {
    let kernel = try #require(timeline(samples: 0, exit: 60).kernelTime)
    #expect(kernel.time == 40 * millisecond && kernel.error > millisecond)
  }

  /// Five milliseconds of running have five samples at the most.
  @Test func fewSamplesSayNothing() {
    #expect(timeline(samples: 0, exit: 5).kernelTime == nil)
    #expect(timeline(samples: 60).kernelTime?.time == 20 * millisecond)
  }

  /// A rest that is smaller than its error may be none.
  @Test func aProgramThatOnlyComputesIsNotInTheKernel() {
    let launch = timeline(samples: 60) { launch in
      launch.samples(["main", "parse"], from: 0, to: 10 * millisecond)
      launch.samples(["main", "parse"], from: 31 * millisecond, to: 40 * millisecond)
    }
    #expect(launch.kernelTime == nil)
  }

  /// Without samples of user code alone, nothing tells where the rest of the time was.
  @Test(
    arguments: [
      ("sample_rate", .uint(0)), ("samples_lost", .uint(7)), ("wait_states", .string("times")),
    ] as [(String, AnnotationValue)])
  func otherRecordingsDoNotTell(key: String, value: AnnotationValue) {
    let launcher: SampleLaunch.Annotations = [("observer", .string("perf")), ("sample_rate", .uint(1000))]
    var launch = SampleLaunch()
    launch.pause(from: 10 * millisecond, to: 30 * millisecond)
    launch.samples(["main"], from: 40 * millisecond, to: 50 * millisecond)
    launch.launcher(exit: 100 * millisecond, launcher.filter { $0.key != key } + [(key, value)])
    #expect(LaunchTimeline(trace: launch.trace()).kernelTime == nil)
  }

  /// Samples of other threads, and those while the main thread waited, are not of its running time.
  @Test func onlySamplesOfTheMainThreadCount() throws {
    let launch = timeline(samples: 10) { launch in
      let worker = launch.thread(4720, name: "worker")
      launch.turn(from: 40 * millisecond, to: 90 * millisecond, on: worker)
      launch.samples(["start_thread", "index"], from: 40 * millisecond, to: 90 * millisecond, on: worker)
    }
    #expect(launch.kernelTime?.time == 70 * millisecond)
  }

  @Test func mostTimeInTheKernelIsAFinding() throws {
    let launch = timeline(samples: 10) { launch in
      launch.phase("read-index", from: 35 * millisecond, to: 99 * millisecond)
    }
    let finding = try #require(launch.findings.first { $0.id == FindingName.mainThreadInKernel })
    #expect(finding.actual == 70 * millisecond && finding.expected == 40 * millisecond && finding.error != nil)
    #expect(finding.start == launch.start + 35 * millisecond)
    #expect(finding.evidence.first == Evidence(.span, "read-index", time: 54 * millisecond))
    #expect(finding.evidence.last == Evidence(.note, "3414 page faults of the process until its end"))
    #expect(finding.advice.hasPrefix("Put strace -c -f before the command"))
  }

  /// A program that fills 200 MiB makes hardly any call: strace lists nothing.
  @Test(arguments: [(27_000, false), (29_000, true)] as [(UInt64, Bool)])
  func pageFaultsAreNoSystemCalls(faults: UInt64, areMost: Bool) throws {
    let finding = try #require(
      timeline(samples: 10, faults: faults).findings.first { $0.id == FindingName.mainThreadInKernel })
    #expect(finding.advice.contains("strace") != areMost, "\(finding.advice)")
    #expect(finding.advice.hasPrefix("Probably, most of it is 29,002 page faults: ") == areMost, "\(finding.advice)")
  }

  /// A program that computes also makes calls.
  @Test(arguments: [40, 60] as [Int64]) func lessTimeInTheKernelIsNone(samples: Int64) {
    #expect(!timeline(samples: samples).findings.contains { $0.id == FindingName.mainThreadInKernel })
  }

  /// "Start with main, which takes 97 % of the launch" said nothing.
  @Test func theAdviceOfALongLaunchNamesTheFinding() throws {
    let launch = timeline(samples: 10, exit: 810) { launch in
      launch.phase("read-index", from: 31 * millisecond, to: 799 * millisecond)
      launch.mark("ready", at: 800 * millisecond)
    }
    let advice = try #require(launch.findings.first { $0.id == FindingName.launchOverBudget }).advice
    #expect(
      advice == "The main thread was in the kernel for 96 % of the launch. See main-thread-in-kernel.", "\(advice)")
  }
}
