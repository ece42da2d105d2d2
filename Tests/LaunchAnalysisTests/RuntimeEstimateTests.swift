// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import LaunchAnalysis

/// The Swift runtime's share of a launch, from samples.
struct RuntimeEstimateTests {
  private static let millisecond: Int64 = 1_000_000
  private static let foundation = "/opt/swift/libFoundationEssentials.so"

  /// 300 samples: half of them decode, and a third of those look up conformances.
  private func launch(_ count: Int64 = 300) -> LaunchTimeline {
    var launch = SampleLaunch()
    let sixth = count / 6 * Self.millisecond
    launch.launcher(exit: 6 * sixth, isInstrumented: false)
    launch.samples(["main", "app.load() -> ()"], from: 0, to: 3 * sixth)
    let decode: [SampleLaunch.Frame] = ["main", .init("JSONDecoder.decode", image: Self.foundation)]
    launch.samples(decode, from: 3 * sixth, to: 4 * sixth)
    launch.samples(decode + ["swift_conformsToProtocol"], from: 4 * sixth, to: 5 * sixth)
    launch.samples(decode + ["app.Note.init(from: Swift.Decoder)", "swift_retain"], from: 5 * sixth, to: 6 * sixth)
    return LaunchTimeline(trace: launch.trace())
  }

  @Test func whatIsBelowAndWhatIsItsOwn() throws {
    let breakdown = try #require(LaunchSet([launch()]).breakdown(by: .runtime))
    let rows = breakdown.rows.map {
      "\($0.name) \($0.total / Self.millisecond) \($0.selfTime / Self.millisecond) \($0.count)"
    }
    #expect(
      Set(rows) == [
        "other code 150 150 150", "Foundation 150 50 150", "protocol conformances 50 50 50",
        "reference counting 50 50 50",
      ])
    #expect(breakdown.rows.reduce(0) { $0 + $1.selfTime } == breakdown.whole)
    #expect(breakdown.shortcoming?.hasPrefix("an estimate from 300 stack samples") == true)
  }

  @Test func tooFewSamplesEstimateNothing() throws {
    let few = try #require(LaunchSet([launch(120)]).breakdown(by: .runtime))
    #expect(few.rows.isEmpty && few.shortcoming?.hasPrefix("120 stack samples are too few") == true)
    // Two launches together have enough samples. Each row is then the time of one launch.
    let two = try #require(LaunchSet([launch(120), launch(120)]).breakdown(by: .runtime))
    #expect(two.shortcoming?.hasPrefix("an estimate from 240 stack samples") == true)
    #expect(two.rows.first { $0.name == "Foundation" }?.total == 60 * Self.millisecond)
    let none = try #require(LaunchSet([LaunchTimeline(trace: SampleLaunch.server().trace())]).breakdown(by: .runtime))
    #expect(none.rows.isEmpty && none.shortcoming != nil)
  }

  @Test(
    arguments: [
      ("one-time initialization function for all", "app", RuntimePart.lazyGlobals),
      ("swift::threading_impl::once_slow(swift::threading_impl::once_t&, void (*)(void*), void*)", "app", .lazyGlobals),
      ("swift_getGenericMetadata", "libswiftCore.so", .metadata), ("swift_dynamicCast", "app", .casts),
      ("malloc", "libc.so.6", .allocation), ("swift_release", "libswiftCore.so", .counting),
      ("Foundation.DateFormatter.string(from: Foundation.Date) -> Swift.String", "app", .foundation),
      ("icu_74::Calendar::Calendar()", "lib_FoundationICU.so", .unicode), ("swift_task_create", "app", .tasks),
      ("app.malloc() -> ()", "app", nil), ("main", "app", nil), ("swift_job_run", "libswift_Concurrency.so", nil),
    ] as [(String, String, RuntimePart?)])
  func functionsByName(function: String, library: String, part: RuntimePart?) {
    #expect(RuntimePart(function: function, library: library) == part)
  }
}
