// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import Synchronization
import TestSupport
import Testing

/// A run of the program that samples itself, and its trace.
struct SampledRun {
  let run: TestProcess
  let directory: TemporaryDirectory
  let tracePath: String

  /// - Parameter mode: what it does, and words that choose options.
  init(_ mode: String...) throws { try self.init(mode) }

  /// - Parameter isUndisturbed: whether it has real-time priority, so that no other program takes its processor.
  private init(_ mode: [String], isUndisturbed: Bool = false) throws {
    directory = try TemporaryDirectory(keepsTraces: true)
    tracePath = directory.appending("sampled.pftrace")
    let command = [try BuiltProgram.product("sampled-program"), tracePath] + mode
    let place = directory.path
    run =
      isUndisturbed
      ? try Self.turn.withLock { _ in try TestProcess.run("/usr/bin/env", Self.priority + command, directory: place) }
      : try TestProcess.run("/usr/bin/env", command, directory: place)
  }

  /// One program with priority at a time: two of them take both processors from the threads that sample.
  private static let turn = Mutex(())

  /// A run that no other program disturbs, where real-time priority is allowed: root may. Other programs take the processor at
  /// some ticks, which then have no stacks.
  static func undisturbed(_ mode: String...) throws -> SampledRun { try SampledRun(mode, isUndisturbed: true) }

  private static let priority: [String] = {
    let chrt = ["chrt", "--rr", "1"]
    let isAllowed = (try? TestProcess.run("/usr/bin/env", chrt + ["true"]).succeeded) ?? false
    return isAllowed ? chrt : []
  }()

  /// A run of a phase that ends with a sleep, whose stacks before the sleep have no pause of a budget. Such a pause cuts the
  /// work in two: on a busy machine, the program waits for a processor, where it may not have priority. After five runs with
  /// one, another one.
  ///
  /// - Parameter budget: ns.
  static func withoutPause(_ budget: Int64, _ mode: String...) throws -> SampledRun {
    for _ in 0..<5 {
      let run = try SampledRun(mode, isUndisturbed: true)
      let trace = try run.trace()
      let end = trace.ranges(ofSlices: "did-finish-launching").first?.upperBound ?? 0
      let times = trace.samples.time.filter { $0 < end - 60_000_000 }
      if zip(times, times.dropFirst()).allSatisfy({ $1 - $0 < budget }) { return run }
    }
    return try SampledRun(mode, isUndisturbed: true)
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
