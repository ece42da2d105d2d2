// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchComparison
import LaunchObserver

/// Shows the progress of a live comparison, and its interval. On a terminal, this is one line that is drawn again. On
/// other streams, it is a line for each evaluation.
struct ShownProgress: LiveProgress {
  private let isQuiet: Bool
  private let canRedraw = StandardStream.error.canRedraw
  /// If a program also writes to the terminal, the line belongs to the program while it runs.
  private let sharesTerminal = StandardStream.output.isTerminal
  private var text = ""

  init(isQuiet: Bool) { self.isQuiet = isQuiet }

  func starting(_ run: PlannedRun, done: Int, most: Int) {
    ProgressBar(runs: most, isQuiet: isQuiet).starting(run, done: done)
  }

  mutating func starting(round: Int, most: Int) {
    guard !isQuiet, canRedraw else { return }
    draw("round \(round) of at most \(most)\(text)")
    if sharesTerminal { clear() }
  }

  mutating func show(_ comparison: LaunchComparison, round: Int, most: Int) {
    guard !isQuiet, let total = comparison.total else { return }
    text = "  " + Self.line(total, cpu: comparison.cpu)
    if canRedraw { draw("round \(round) of at most \(most)\(text)") } else { tell("round \(round)\(text)") }
  }

  func tell(_ sentence: String) { if !isQuiet { launchprof.tell(sentence) } }

  func clear() { if !isQuiet, canRedraw { draw("") } }

  private func draw(_ text: String) { _ = StandardStream.error.write("\r\u{1b}[K" + text) }

  /// `total +5.2 % (−1.0 to +11.3), cpu +4.9 % (…)`; of the first rounds, which bound nothing, `total +5.2 % (not yet
  /// sure)`.
  private static func line(_ total: MetricComparison, cpu: MetricComparison?) -> String {
    let parts = [("total", total.shift)] + (cpu.map { [("cpu", $0.shift)] } ?? [])
    return parts.map { name, shift in
      let bounds = [shift.lower, shift.upper].compactMap { percent($0.relative) }
      let interval = bounds.count == 2 ? "\(bounds[0]) to \(bounds[1])" : "not yet sure"
      return "\(name) \(percent(shift.estimate.relative).map { $0 + " % " } ?? "")(\(interval))"
    }.joined(separator: ", ")
  }

  /// nil for a value without meaning, such as one below −100 %.
  static func percent(_ part: Double, ascii: Bool = !ReportOptionGroup.isLocaleUTF8) -> String? {
    guard part.isFinite, part > -1 else { return nil }
    let sign = part >= 0 ? "+" : ascii ? "-" : "−"
    return sign + DecimalText.text(Int64((min(abs(part), 1e6) * 1000).rounded()), decimals: 1)
  }
}
