// SPDX-License-Identifier: Apache-2.0

import Foundation
import FuzzSupport
import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// Reading and reporting a file never traps, whatever the file contains.
@Suite struct WholeWayTests {
  private static let broken = PackageRoot.fixture("broken")

  private static func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: broken).sorted()
  }

  private static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: broken + "/" + name)))
  }

  @Test func aWholeLaunch() throws {
    let trace = try #require(WholeWay.trace(LaunchFile.bytes))
    #expect(trace.diagnostics.isEmpty)
    #expect(trace.statistics.unsound == 0)
    #expect(trace.slices.count == 9 && trace.samples.count == 35 && trace.switches.count > 10)
    WholeWay.go(trace)
  }

  /// Every file that once broke a report, found by fuzzing or by people.
  @Test func fixturesOfOldDefects() throws {
    let names = try Self.names()
    #expect(names.count > 10)
    var last: Trace?
    for name in names {
      guard let trace = WholeWay.trace(try Self.bytes(name)) else { continue }
      #expect(TraceInvariants.violations(trace).isEmpty, "\(name)")
      WholeWay.go(trace)
      WholeWay.compare(trace, last ?? trace)
      last = trace
    }
  }

  /// What a trace says about itself may be any number.
  @Test(arguments: [UInt64.max, 1 << 63, 1 << 52]) func annotationsOfAnySize(number: UInt64) throws {
    var launch = SampleLaunch()
    launch.instant(
      "recorder", at: 1000, category: CategoryName.recorder,
      [("startup_cost_ns", .double(Double(number) * 1e200)), ("event_cost_ns", .double(Double(number)))])
    for place in 0..<6 as Range<Int64> {
      let start = 10_000 + place * 1000
      launch.lookup(
        "Type \(place)", "Protocol", from: start, to: 90_000 - place * 1000, repeats: number, callsInside: number)
      launch.global("global \(place)", from: start + 100_000, to: 190_000 - place * 1000, token: number)
    }
    launch.mark("ready", at: 300_000)
    let keys = [
      "globals_call_cost_ns", "globals_inside_cost_ns", "conformance_calls", "conformance_repeats_ns",
      "type_name_calls",
      "type_name_repeats_ns",
    ]
    launch.launcher(
      exit: 400_000,
      keys.map { ($0, .uint(number)) } + [
        ("observer", .string("perf")), ("globals", .string("uprobes")), ("lookups", .string("uprobes")),
      ])
    let trace = launch.trace()
    let timeline = LaunchTimeline(trace: trace)
    #expect(timeline.lazyGlobals.globals.count == 6 && timeline.lookups.lookups.count == 6)
    WholeWay.go(trace)
    WholeWay.compare(trace, trace)
  }

  /// Corrupts the fixtures, and a launch that contains everything.
  @Test func brokenFiles() throws {
    var mutator = Mutator(random: SeededGenerator("brokenFiles"))
    let seeds = try Self.names().map(Self.bytes).filter { $0.count < 4096 } + [LaunchFile.bytes]
    for round in 0..<40 {
      let bytes = mutator.mutate(seeds[round % seeds.count])
      guard let trace = WholeWay.trace(bytes) else { continue }
      #expect(TraceInvariants.violations(trace).isEmpty, "round \(round), seed \(mutator.random.seed)")
      WholeWay.go(trace)
      WholeWay.compare(trace, trace)
    }
  }
}
