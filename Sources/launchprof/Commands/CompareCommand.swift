import ArgumentParser
import LaunchAnalysis

struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare recorded launches: what got slower, by how much, and how sure that is.",
    discussion: """
      BASE and HEAD are traces, directories of traces, or patterns in quotes. Launches of `launchprof bench --vs` are paired by \
      round, and show small changes; launches that were recorded in different sessions (calls of `record`) are held to how \
      far sessions differ. For changes of a few percent, compare live: launchprof bench --vs.

      \(GateStatus.help)
      """)

  @Argument(help: ArgumentHelp("Traces of the launches before.", valueName: "base"), completion: .file())
  var base: String

  @Argument(help: ArgumentHelp("Traces of the launches after.", valueName: "head"), completion: .file())
  var head: String

  @OptionGroup var comparison: ComparisonOptionGroup

  func run() throws {
    let (old, new) = (try Measuring.measurements([base]), try Measuring.measurements([head]))
    var result = GateResult(
      comparison: LaunchComparison(base: old, head: new, options: comparison.comparisonOptions()), launches: new)
    if old.allSatisfy({ $0.leftOut != nil }) { result.baselineProblem = "no launch of the base counts" }
    result.inconclusiveFails = comparison.inconclusive ?? .fail == .fail
    try ResultWriting(options: comparison).write(result)
    try GateStatus.end(result, comparison.inconclusive ?? .fail)
  }
}
