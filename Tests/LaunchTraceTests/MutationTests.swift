// SPDX-License-Identifier: Apache-2.0

import Foundation
import FuzzSupport
import LaunchTrace
import TestSupport
import Testing

/// Corrupted inputs of every format are read without a trap, and the result is a valid trace.
@Suite struct MutationTests {
  /// Number of corrupted files of each kind. Each run has other ones.
  private static let rounds = 50

  @Test(arguments: SampleInput.all) func brokenInputs(sample: SampleInput) throws {
    var mutator = Mutator(random: SeededGenerator("brokenInputs \(sample.name)"))
    var read = 0
    defer { #expect(read > 0, "\(sample.name)") }
    for round in 0..<Self.rounds {
      let bytes = mutator.mutate(sample.bytes)
      guard let trace = try? bytes.withUnsafeBytes({ try TraceReader().read(bytes: $0) }) else { continue }
      read += 1
      let violations = TraceInvariants.violations(trace)
      #expect(violations.isEmpty, "\(sample.name), round \(round), seed \(mutator.random.seed)")
      if round % 16 == 0 {
        let exported = Exported()
        try ChromeTraceExporter().write(trace) { exported.bytes += $0 }
        _ = try exported.bytes.withUnsafeBytes { try TraceReader().read(bytes: $0) }
        let converted = Exported()
        var exporter = PerfettoTraceExporter(trace) { converted.bytes += $0 }
        try exporter.write()
        _ = try Trace(reading: converted.bytes)
      }
    }
  }

  private final class Exported { var bytes: [UInt8] = [] }

  @Test(arguments: SampleInput.all) func wholeInputs(sample: SampleInput) throws {
    let trace = try sample.bytes.withUnsafeBytes { try TraceReader().read(bytes: $0) }
    #expect(trace.format == sample.format)
    #expect(trace.diagnostics.isEmpty)
    #expect(trace.slices.count + trace.samples.count > 0)
    #expect(TraceInvariants.violations(trace).isEmpty)
  }

  /// Every file that once broke the reader, found by fuzzing or by people.
  @Test func fixturesOfOldDefects() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: PackageRoot.fixture("broken")).sorted()
    #expect(!names.isEmpty)
    for name in names {
      guard let trace = try? TraceReader().read(path: PackageRoot.fixture("broken/" + name)) else { continue }
      #expect(TraceInvariants.violations(trace).isEmpty, "\(name)")
      WholeWay.go(trace)
      WholeWay.compare(trace, trace)
    }
  }

  /// Writes the samples to the place that `scripts/fuzz` asks for.
  @Test func samplesForTheFuzzer() throws {
    guard let directory = ProcessInfo.processInfo.environment["LAUNCHPROF_SAMPLES"] else { return }
    for sample in SampleInput.all {
      try Data(sample.bytes).write(to: URL(fileURLWithPath: directory + "/" + sample.name))
    }
    try Data(LaunchFile.bytes).write(to: URL(fileURLWithPath: directory + "/launch"))
  }
}
