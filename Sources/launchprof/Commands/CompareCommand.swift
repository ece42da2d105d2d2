// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis

struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare recorded launches: what got slower, by how much, and how certain that is.",
    usage: "launchprof compare [<options>] <base> <head>",
    discussion: """
      BASE and HEAD are traces, directories of traces, or quoted patterns. Launches of `launchprof bench --vs` are \
      paired by round, which shows small changes. Launches from different sessions (calls of `record`) show only \
      changes that are larger than the difference between sessions. For changes of a few percent, compare live: \
      launchprof bench --vs.

      \(GateStatus.help)
      """)

  @Argument(help: ArgumentHelp("Traces to compare against.", valueName: "base"), completion: .file())
  var base: String

  @Argument(help: ArgumentHelp("Traces to judge.", valueName: "head"), completion: .file())
  var head: String

  @OptionGroup var comparison: ComparisonOptionGroup

  func run() throws {
    let writing = ResultWriting(options: comparison)
    let paths = (base: try TraceArguments.files([base]), head: try TraceArguments.files([head]))
    try writing.checkPlaces(inputs: paths.base + paths.head)
    let (old, new) = (
      try Measuring.read(paths.base, orSums: true), try Measuring.read(paths.head, orSums: true)
    )
    var result = GateResult(
      comparison: LaunchComparison(base: old, head: new, options: comparison.comparisonOptions()), launches: new)
    if old.allSatisfy({ $0.leftOut != nil }) { result.baselineProblem = "the base has no launch that counts" }
    result.inconclusiveFails = comparison.inconclusive ?? .fail == .fail
    try writing.write(result)
    try GateStatus.end(result.status, comparison.inconclusive ?? .fail)
  }
}
