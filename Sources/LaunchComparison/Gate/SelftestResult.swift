// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis

/// The result of a self-test: whether the gate would judge two copies of a program rightly, by the metrics that decide for it.
package struct SelftestResult {
  /// A metric that may decide: the wall time, and the CPU time if it is that of the launch.
  private struct Measured {
    var name: String
    var same: MetricComparison
    var slower: MetricComparison?

    /// How much a program differs from itself, at the given confidence. A smaller change cannot be shown.
    var noiseFloor: Double { max(abs(same.shift.lower.relative), abs(same.shift.upper.relative)) }
    var threshold: Double { same.thresholds.effective(base: same.shift.base) }
  }

  private let measured: [Measured]
  /// Of the program compared with a copy of itself.
  private let same: LaunchComparison.Outcome
  /// The delay as a fraction of the launch.
  private let delay: Double

  /// Above this noise, a threshold says more about the machine than about the program.
  private static let mostNoise = 0.25

  /// - Parameters:
  ///   - same: the program compared with a copy of itself.
  ///   - slower: the program compared with a delayed copy.
  /// - Returns: nil if a side has no launch that counts.
  package init?(same: LaunchComparison, slower: LaunchComparison, delay: Double) {
    guard let wall = same.total, let slowerWall = slower.total else { return nil }
    let cpu = same.cpuOfLaunch.map { Measured(name: "CPU time", same: $0, slower: slower.cpuOfLaunch) }
    measured = [Measured(name: "wall time", same: wall, slower: slowerWall), cpu].compactMap(\.self)
    (self.same, self.delay) = (same.outcome, delay)
  }

  /// The metric that shows the smallest change, measured by its threshold.
  private var best: Measured {
    measured.min { $0.noiseFloor / max($0.threshold, 1e-6) < $1.noiseFloor / max($1.threshold, 1e-6) } ?? measured[0]
  }

  private var isSameFound: Bool { same != .decided(.regressed) && same != .decided(.improved) }
  /// CPU time decides only in the direction of the wall time.
  private var isDelayFound: Bool {
    (measured[0].slower?.shift.estimate.relative ?? 0) > 0
      && measured.contains { ($0.slower?.shift.lower.relative ?? 0) > 0 }
  }
  private var isNoisy: Bool { best.noiseFloor > best.threshold }

  package var status: Int32 { isSameFound && isDelayFound && !isNoisy ? 0 : 2 }

  package var lines: [String] {
    let slower = measured.compactMap { one in one.slower.map { (one.name, $0.shift) } }
    let floors = measured.map { "\(Self.percent($0.noiseFloor)) by \($0.name)" }.joined(separator: ", ")
    var lines = [
      "against a copy of itself: \(Self.text(measured.map { ($0.name, $0.same.shift) }))",
      "against a copy with \(Self.percent(delay)) delay: \(Self.text(slower))", "",
      "noise floor: \(floors), with \(best.same.shift.count) rounds",
      "threshold:   \(Self.percent(best.threshold))",
    ]
    if !isSameFound { lines.append("FAILED: the program compared with a copy of itself is \(same.name)") }
    if !isDelayFound { lines.append("FAILED: the delay was not detected; try a larger --delay or more --runs") }
    if isNoisy { lines.append("REJECTED: the threshold is below the noise; \(advice)") }
    if status == 0 { lines.append("PASSED") }
    return lines
  }

  private var advice: String {
    let rounds = "--runs to about \(neededRounds)"
    guard best.noiseFloor <= Self.mostNoise else {
      return "this machine is too busy for a gate: use a quieter one, or set \(rounds)"
    }
    return "set `regression: relative:` to \(Self.percent(best.noiseFloor)) or more, or \(rounds)"
  }

  /// The interval's width is inversely proportional to the square root of the number of rounds.
  private var neededRounds: Int {
    let (ratio, count) = (best.noiseFloor / max(best.threshold, 1e-6), best.same.shift.count)
    guard ratio.isFinite else { return count * 4 }
    return Int(min(Double(count) * ratio * ratio, 1e6).rounded(.up))
  }

  /// `+5.2 % (-1 % to +11.3 %), CPU time +5.1 % (+4.8 % to +5.3 %)`
  private static func text(_ shifts: [(name: String, shift: Shift)]) -> String {
    shifts.enumerated().map { ($0 == 0 ? "" : "\($1.name) ") + text($1.shift) }.joined(separator: ", ")
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
