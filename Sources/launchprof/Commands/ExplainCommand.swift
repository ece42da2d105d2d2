// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain a finding.",
    usage: "launchprof explain [<id> ...]",
    discussion: """
      Says what a finding means, when it is raised, and what to do about it. Without an id, explain lists all findings. \
      docs/findings.md has the same text.

      Exit status 0: success. 64: unknown id.
      """)

  @Argument(
    help: ArgumentHelp("Ids of findings, as they appear in reports.", valueName: "id"),
    completion: .list(FindingGuide.all.map(\.id)))
  var ids: [String] = []

  func validate() throws {
    for id in ids where FindingGuide.named(id) == nil {
      let similar = SimilarWord.all(of: id, in: FindingGuide.all.map(\.id)).joined(separator: ", ")
      throw ValidationError(
        "\(shown(id)) is not the id of a finding; "
          + (similar.isEmpty ? "launchprof explain lists all ids." : "similar ids: \(similar)."))
    }
  }

  func run() throws {
    let width = terminalWidth(StandardStream.output.descriptor) ?? 80
    var text = ""
    if ids.isEmpty {
      let longest = FindingGuide.all.map(\.id.count).max() ?? 0
      for guide in FindingGuide.all {
        let gap = String(repeating: " ", count: longest - guide.id.count + 2)
        text += guide.id + gap + FindingGuide.plain(guide.meaning) + "\n"
      }
    }
    for (place, id) in ids.enumerated() {
      if place > 0 { text += "\n" }
      text += FindingGuide.named(id)?.text(width: width) ?? ""
    }
    try FileOutput.write(lines: text)
  }
}
