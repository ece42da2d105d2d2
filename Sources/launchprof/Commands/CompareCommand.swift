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
    let (old, new) = (try Measuring.read(paths.base, orSums: true), try Measuring.read(paths.head, orSums: true))
    let (base, head) = (LaunchSeries.all(of: old), LaunchSeries.all(of: new))
    if base.count < 2, head.count < 2 {
      let result = result(old, new, comparison.comparisonOptions())
      try writing.write(result)
      return try GateStatus.end(result.status, comparison.inconclusive ?? .fail)
    }
    let suite = suite(base, head)
    try writing.write(suite)
    try GateStatus.end(suite.status, comparison.inconclusive ?? .fail)
  }

  /// Each scenario or program of the head, compared with its own launches.
  private func suite(_ base: [LaunchSeries], _ head: [LaunchSeries]) -> GateSuite {
    var options = comparison.comparisonOptions()
    let confidence = 1 - 2 * options.tail
    let pairs = head.map { one in (head: one, base: base.first { $0.corresponds(to: one) }) }
    let family = ScenarioFamily(tail: options.tail, count: pairs.count { $0.base != nil })
    options.tail = family.strictest
    let results = pairs.map { pair in
      var result = result(pair.base?.launches ?? [], pair.head.launches, options)
      if pair.base == nil { result.baselineProblem = "the base has no launch of \(shown(pair.head.name))" }
      result.scenario = pair.head.name
      return result
    }
    let gone = base.filter { one in !head.contains(where: one.corresponds) }.map { shown($0.name) }
    var suite = GateSuite(
      family.corrected(results, most: results.map { _ in 1 }), confidence: confidence, isOfPrograms: head.isOfPrograms)
    if !gone.isEmpty { suite.unchecked = ["the head has no launch of: \(gone.joined(separator: ", "))"] }
    return suite
  }

  private func result(_ base: [Measurement], _ head: [Measurement], _ options: ComparisonOptions) -> GateResult {
    var result = GateResult(comparison: LaunchComparison(base: base, head: head, options: options), launches: head)
    if base.allSatisfy({ $0.leftOut != nil }) { result.baselineProblem = "the base has no launch that counts" }
    result.inconclusiveFails = comparison.inconclusive ?? .fail == .fail
    return result
  }
}
