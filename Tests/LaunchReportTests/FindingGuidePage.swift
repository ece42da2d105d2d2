// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis

/// docs/findings.md, from what the command explains.
extension FindingGuide {
  /// The guide as a section of Markdown.
  fileprivate var markdown: String {
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
  static var page: String {
    """
    # Findings

    This page is for people who see a finding in a report and want to know what it means. A finding is something that slowed a
    launch, or that makes its figures doubtful. These lines print all findings of the latest recording, and a section of this page:

        launchprof report --findings
        launchprof explain main-thread-waiting

    A report lists the worst finding first: what is wrong with the launch as a whole, then the finding that is most over its
    budget or threshold. Findings that count something else than time follow, and findings about the recording are last.
    After a launch that failed, `debug-build` and `suspended` come first. Each finding has:
    - an id, which stays the same in all versions
    - `expected`: the budget, or the threshold
    - `actual`: what the launch took instead
    - its place: the phase, and the intervals or functions around it
    - its evidence, and what to do first
    - how often it occurred: with `(longest of 3)`, its time is that of the longest of three, and with `(3 times)` that of
      all three. `and others (5 times)` means that the time also has others, such as waits for other files, and the name of
      the largest part. `+2 more` means two others that took less, which the time does not have. The first screen has one
      line for each id. There, `+2 more` also counts other findings of that id

    `--format json` writes findings for programs. [advice.md](advice.md) shows the advice that real programs got.

    A threshold in percent is a share of the launch's own budget, or of the launch time. So the same threshold fits a tool
    that takes 5 ms and a program that takes 2 s. Work of other threads raises a finding only if it has a budget of its
    own, or if the launch or another thread waits for it.


    """ + all.map(\.markdown).joined(separator: "\n")
  }
}
