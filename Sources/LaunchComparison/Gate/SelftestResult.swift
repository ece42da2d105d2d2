// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis

/// The result of a self-test.
package struct SelftestResult {
  /// The program compared with a copy of itself.
  package var same: MetricComparison
  /// The program compared with a delayed copy.
  package var slower: MetricComparison
  /// The delay as a fraction of the launch.
  package var delay: Double

  package init(same: MetricComparison, slower: MetricComparison, delay: Double) {
    (self.same, self.slower, self.delay) = (same, slower, delay)
  }

  /// How much a program differs from itself, at the given confidence. A smaller change cannot be shown.
  package var noiseFloor: Double { max(abs(same.shift.lower.relative), abs(same.shift.upper.relative)) }

  package var threshold: Double { same.thresholds.effective(base: same.shift.base) }

  private var isSameFound: Bool { same.verdict != .regressed && same.verdict != .improved }
  private var isDelayFound: Bool { slower.shift.lower.relative > 0 }

  package var status: Int32 { isSameFound && isDelayFound && noiseFloor <= threshold ? 0 : 2 }

  package var lines: [String] {
    var lines = [
      "against a copy of itself: \(Self.text(same.shift))",
      "against a copy with \(Self.percent(delay)) delay: \(Self.text(slower.shift))", "",
      "noise floor: \(Self.percent(noiseFloor)) with \(same.shift.count) rounds",
      "threshold:   \(Self.percent(threshold))",
    ]
    if !isSameFound { lines.append("FAILED: the program compared with a copy of itself is \(same.verdict.name)") }
    if !isDelayFound { lines.append("FAILED: the delay was not detected; try a larger --delay or more --runs") }
    if noiseFloor > threshold {
      lines.append(
        "REJECTED: the threshold is below the noise; set `regression: relative:` to \(Self.percent(noiseFloor)) or more, or "
          + "--runs to about \(neededRounds)")
    }
    if status == 0 { lines.append("PASSED") }
    return lines
  }

  /// The interval's width is inversely proportional to the square root of the number of rounds.
  private var neededRounds: Int {
    let ratio = noiseFloor / max(threshold, 1e-6)
    guard ratio.isFinite else { return same.shift.count * 4 }
    return Int(min(Double(same.shift.count) * ratio * ratio, 1e6).rounded(.up))
  }

  /// `+5.2 % (-1 % to +11.3 %)`
  package static func text(_ shift: Shift) -> String {
    guard shift.isBounded else { return "\(signed(shift.estimate.relative)) (how sure that is, is not known)" }
    return "\(signed(shift.estimate.relative)) (\(signed(shift.lower.relative)) to \(signed(shift.upper.relative)))"
  }

  package static func percent(_ part: Double) -> String {
    guard part.isFinite else { return "unknown" }
    return DecimalText.trimmed(Int64((min(abs(part), 1e6) * 1000).rounded()), decimals: 1) + " %"
  }

  package static func signed(_ part: Double) -> String { (part < 0 ? "-" : "+") + percent(part) }
}
