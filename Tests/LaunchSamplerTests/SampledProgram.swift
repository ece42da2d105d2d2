// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import TestSupport
import Testing

/// A run of the program that samples itself, and its trace.
struct SampledRun {
  let run: TestProcess
  let directory: TemporaryDirectory
  let tracePath: String

  /// - Parameter mode: what it does, and words that choose options.
  init(_ mode: String...) throws {
    directory = try TemporaryDirectory(keepsTraces: true)
    tracePath = directory.appending("sampled.pftrace")
    run = try TestProcess.run(
      try BuiltProgram.product("sampled-program"), [tracePath] + mode, directory: directory.path)
  }

  /// The `n` of `name n` in what it printed.
  func count(_ name: String) throws -> Int {
    let words = run.text.split { $0 == " " || $0 == "\n" }
    let index = try #require(words.firstIndex { $0 == name }, "\(run.text) \(run.errorText)")
    return try #require(Int(words[index + 1]))
  }

  func trace() throws -> Trace {
    let trace = try TraceReader().read(path: tracePath)
    #expect(trace.diagnostics.isEmpty)
    return trace
  }

  func report(_ options: String...) throws -> String {
    let report = try TestProcess.run(
      BuiltProgram.command, ["report", tracePath] + options, directory: directory.path)
    #expect(report.succeeded, "\(report.errorText)")
    return report.text
  }

  /// Folded stacks as a report has them, the samples merged into the phases.
  func foldedReport() throws -> String { try report("--merge", "--format", "folded") }
}

extension Trace {
  /// The ranges of the slices with a name, ns.
  func ranges(ofSlices name: String) -> [ClosedRange<Int64>] {
    guard let id = strings.id(of: name)?.rawValue else { return [] }
    return slices.name.indices.filter { slices.name[$0] == id && slices.duration[$0] >= 0 }
      .map { slices.start[$0]...slices.start[$0] + slices.duration[$0] }
  }
}
