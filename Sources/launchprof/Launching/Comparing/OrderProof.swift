// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis
import LaunchComparison
import LaunchObserver
import LaunchSymbols
import LaunchSystem

/// Builds a program without an order of its functions and with it, checks that the linker took it, and compares cold launches.
struct OrderProof {
  /// Builds the program: one call of `swift build` or of `swiftc`.
  let build: BuildCommand
  /// Where the list is kept, for the linker.
  let list: String
  let rounds: Int
  let timeout: Int64

  /// - Parameter touched: of a program, what its launches touch, in order.
  /// - Throws: `CommitError`; `ExitCode`, after telling why.
  func run(_ command: PassedCommand, touched: (_ program: String) throws -> [Symbol]) throws {
    let (plain, ordered) = (build.withSections, build.ordered(by: try absolutePath(list)))
    let scratch = try ScratchBuilds(of: ".")
    tell("Building with a section for each function: \(plain)")
    let base = try scratch.build("base", plain, program: command.program)
    let isCold = LaunchConditions.canBeCold(base)
    if !isCold {
      tell("The builds are in memory, so no launch of them can be cold. Set TMPDIR to a folder on a disk")
    }
    let functions = try touched(base)
    var text = OutputText()
    for function in functions { text.line(function.mangledName) }
    try text.write(to: list)
    tell("Building in the order of \(functions.count) functions: \(ordered)")
    let head = try scratch.build("head", ordered, program: command.program)
    var result = OutputText()
    let isTaken = try check(functions, base, head, &result)
    if isTaken { try compare(command, base, head, isCold: isCold, &result) }
    _ = consume scratch
    try result.write()
    if !isTaken { throw ExitCode(CommandStatus.failure) }
  }

  /// Whether the functions are side by side in the built program.
  private func check(
    _ functions: [Symbol], _ base: String, _ head: String, _ text: inout OutputText
  ) throws -> Bool {
    let before = OrderedFunctions(functions, in: try ELFFile(path: base).functions)
    let after = OrderedFunctions(functions, in: try ELFFile(path: head).functions)
    text.line(
      "The linker put \(after.inOrder) of \(functions.count) functions in order (before: \(before.inOrder)), on "
        + "\(DecimalText.counted(after.pages, "page")) instead of \(before.pages)")
    if !after.isOrdered {
      text.line("The linker did not use the order. Does the build link the program again, with lld?")
    }
    return after.isOrdered
  }

  private func compare(
    _ command: PassedCommand, _ base: String, _ head: String, isCold: Bool, _ text: inout OutputText
  ) throws {
    var options = ComparisonOptions()
    options.exact = .unlimited
    var launching = try LaunchingOptions.parse([])
    launching.timeout = TimeLimit(nanoseconds: timeout)
    var bench = launching.bench(
      command, versus: command.launching(base), maxRuns: rounds, options,
      conditions: LaunchConditions(isCold: isCold))
    (bench.program, bench.looksOnce) = (head, true)
    let comparison = try bench.comparison(isQuiet: true) { _ in }
    guard let total = comparison.total else { throw fail("no launch counts", status: 3) }
    let faults = comparison.parts.first { $0.metric == .majorFaults }?.shift
    let isSeen = total.shift.lower.relative > 0 || total.shift.upper.relative < 0
    let doubt = isSeen ? "" : ": no difference seen"
    text.line("\(isCold ? "Cold" : "Warm") launches: the order saves \(WhatIfProof.saved(total.shift))\(doubt)")
    // The rest is about reading from a disk.
    guard isCold else { return }
    if let faults { text.line("Major faults: \(Int(faults.base)) before, \(Int(faults.head)) now") }
    text.line("Readahead: \(Readahead.text(ofDiskOf: head)). It decides how much an order saves")
  }
}
