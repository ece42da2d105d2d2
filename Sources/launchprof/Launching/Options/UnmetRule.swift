// SPDX-License-Identifier: Apache-2.0

import LaunchObserver
import LaunchTrace

/// What the command says about a program that does not meet `--ready`.
enum UnmetRule {
  /// Characters of a line of output.
  private static let longestLine = 120

  static func lines(_ gap: ReadyGap) -> [String] {
    let seconds = gap.running.map { $0 / 1_000_000_000 }
    let isPattern = if case .match = gap.rule { true } else { false }
    // A misspelt rule is a pattern, too.
    let rule = shown(gap.rule) + (isPattern ? ", a pattern for lines of its output" : "")
    let head = (seconds.map { "In \($0) s, the program has not met" } ?? "The program never met") + " --ready \(rule)."
    let output = gap.evidence?.lines.map { "  | \(cut($0))" } ?? []
    let change = (isPattern ? "change the pattern, or " : "") + "choose another rule with --ready"
    let url = isPattern && gap.rule.text.contains(/^[^\s\/]+:[0-9]+(\/\S*)?$/) ? ". A URL begins with http://" : ""
    var advice: [String] = []
    if seconds != nil {
      advice = ["launchprof still waits. Ctrl-C ends that, and --timeout limits it. Or \(change)\(url)"]
    } else if !gap.hasFailed {
      advice = ["If the program was ready nevertheless, \(change)\(url)"]
    }
    return [[head, gap.evidence?.sentence].compactMap(\.self).joined(separator: " ")] + output + advice
  }

  private static func shown(_ rule: ReadyRule) -> String { rule.text.contains(" ") ? "'\(rule.text)'" : rule.text }

  private static func cut(_ line: String) -> String { line.count > longestLine ? "\(line.prefix(longestLine))…" : line }
}
