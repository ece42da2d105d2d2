package import LaunchAnalysis

extension FindingGuide {
  /// The guide as a section of Markdown.
  package var markdown: String {
    let parts = [meaning, "**When.** \(when)", "**Shows.** \(shows)"].map { Self.wrapped($0) }
    let list = steps.map { Self.wrapped("- " + $0, indent: "  ") }
    return "## \(id)\n" + parts.joined(separator: "\n\n") + "\n\n**What to do.**\n" + list.joined(separator: "\n")
      + "\n"
  }

  /// Wrapped to lines of at most 120 columns.
  private static func wrapped(_ text: String, indent: String = "") -> String {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + word.count < 120 {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append((lines.isEmpty ? "" : indent) + word)
      }
    }
    return lines.joined(separator: "\n")
  }

  /// All guides as a page.
  package static var page: String {
    """
    # Findings

    A report names what its reader should know, the worst first. Each finding has an id that stays the same. It says what was
    `expected` (the budget, or the threshold), what was `actual`, where it is (the phase, and the intervals or functions
    around it), its evidence, and what to do first. `launchprof report --findings` shows all of that, `--format json` has
    it for programs, and `launchprof explain ID` prints a section of this page. [advice.md](advice.md) shows what real programs
    were told.

    Thresholds that are shares are of the launch's own budget, or of the launch. So they fit a tool that takes 5 ms and a
    program that takes 2 s. Work of other threads raises a finding only if it has a budget of its own, or if the launch waits for it.


    """ + all.map(\.markdown).joined(separator: "\n")
  }

  /// The guide as text of `width` columns.
  package func text(width: Int) -> String {
    let memory = MemorySink()
    var page = TextPage(memory, style: TextStyle(hasColor: false, isASCII: true), width: max(40, min(width, 120)))
    page.paragraph(id, indent: 0)
    page.paragraph(meaning, indent: 2)
    page.blank()
    for (title, text) in [("When", when), ("Shows", shows)] {
      page.paragraph(title, indent: 0)
      page.paragraph(text.filter { $0 != "`" }, indent: 2)
    }
    page.paragraph("What to do", indent: 0)
    for step in steps { page.paragraph("- " + step.filter { $0 != "`" }, indent: 2) }
    // A memory sink does not throw.
    try? page.finish()
    return String(decoding: memory.bytes, as: UTF8.self)
  }
}
