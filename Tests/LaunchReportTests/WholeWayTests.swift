// SPDX-License-Identifier: Apache-2.0

import Foundation
import FuzzSupport
import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

@testable import LaunchReport

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

  /// Corrupts the fixtures, and a launch that contains everything.
  @Test func brokenFiles() throws {
    var mutator = Mutator(random: SeededGenerator("brokenFiles"))
    let seeds = try Self.names().map(Self.bytes).filter { $0.count < 4096 } + [LaunchFile.bytes]
    for round in 0..<60 {
      let bytes = mutator.mutate(seeds[round % seeds.count])
      guard let trace = WholeWay.trace(bytes) else { continue }
      #expect(TraceInvariants.violations(trace).isEmpty, "round \(round), seed \(mutator.random.seed)")
      WholeWay.go(trace)
      WholeWay.compare(trace, trace)
    }
  }
}
