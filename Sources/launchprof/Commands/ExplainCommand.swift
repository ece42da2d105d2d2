import ArgumentParser
import LaunchAnalysis
import LaunchReport

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain a finding.",
    usage: "launchprof explain [<id> ...]",
    discussion: """
      Says what a finding means, when it is raised, and what to do about it. Without an id, all findings are listed. The \
      same stands in docs/findings.md.

      Exit status: 0; 64 for an id that is none.
      """)

  @Argument(
    help: ArgumentHelp("Ids of findings, as reports have them.", valueName: "id"),
    completion: .list(FindingGuide.all.map(\.id)))
  var ids: [String] = []

  func validate() throws {
    for id in ids where FindingGuide.named(id) == nil {
      let known = FindingGuide.all.map { "  " + $0.id }.joined(separator: "\n")
      throw ValidationError("'\(id)' is no finding. There are:\n\(known)")
    }
  }

  func run() throws {
    let width = terminalWidth(StandardStream.output.descriptor) ?? 80
    if ids.isEmpty {
      let longest = FindingGuide.all.map(\.id.count).max() ?? 0
      for guide in FindingGuide.all {
        print(guide.id + String(repeating: " ", count: longest - guide.id.count + 2) + guide.meaning)
      }
    }
    for (place, id) in ids.enumerated() {
      if place > 0 { print() }
      print(FindingGuide.named(id)?.text(width: width) ?? "", terminator: "")
    }
  }
}
