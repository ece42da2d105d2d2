// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The cost of recording in instructions, which other programs on the machine cannot change.
struct InstructionTests {
  private let script = "\(PackageRoot.path)/scripts/count-instructions"
  private let figures = "\(PackageRoot.path)/Benchmarks/Data/instructions.tsv"

  private func check(_ arguments: [String]) throws -> TestProcess {
    try TestProcess.run(script, ["--check"] + arguments, timeout: 600)
  }

  @Test func noOperationTakesMoreInstructionsThanItDid() throws {
    let directory = try TemporaryDirectory()
    let counts = ["--counts", directory.appending("counts.tsv")]
    let run = try check(counts)
    #expect(run.succeeded, "\(run.text)\(run.errorText)")
    for operation in ["pair", "pair with a message", "begin and end", "event with a message", "counter", "phase"] {
      #expect(run.text.contains("\n  \(operation) "), "\(operation) was not counted")
    }
    try expectGrown(counts, in: directory)
  }

  /// An operation that has grown, and an unknown compiler, fail.
  private func expectGrown(_ counts: [String], in directory: TemporaryDirectory) throws {
    let lines = try String(contentsOfFile: figures, encoding: .utf8).split(separator: "\n")
    // Pretends that a pair took three percent less before, and that an event was never counted.
    let earlier: [String] = lines.compactMap { line in
      let fields = line.split(separator: "\t")
      guard fields[1] == "pair" || fields[1] == "event", let count = Double(fields[2]) else { return String(line) }
      return fields[1] == "event" ? nil : "\(fields[0])\t\(fields[1])\t\(count * 0.97 - 0.5)"
    }
    let file = try directory.write(earlier.joined(separator: "\n") + "\n", to: "figures.tsv")
    let run = try check(["--figures", file] + counts)
    #expect(run.outcome == .exited(1))
    let grown = run.text.split(separator: "\n").filter { $0.hasSuffix("GROWN") }
    #expect(!grown.isEmpty && grown.allSatisfy { $0.contains("  pair ") }, "\(run.text)")
    #expect(run.text.contains("Recording has become dearer."))
    #expect(run.text.contains("There is no figure for some operations") && run.text.contains("--bless"))
  }
}
