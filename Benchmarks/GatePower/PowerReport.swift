// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchAnalysis

/// The tables, while they are made.
struct PowerReport {
  private(set) var lines: [String] = []
  private(set) var isMissed = false
  private let draws: Int
  private var random: SeededRandom
  /// Shares by what the targets ask for.
  private var measured: [String: Double] = [:]

  private static let counts = [10, 30, 100, 200, 400]

  init(seed: UInt64, draws: Int) {
    self.draws = draws
    random = SeededRandom(seed: seed)
    lines = [
      "Recorded launches, replayed \(draws) times each from a random place on; seed \(seed).",
      "Shares in percent, give or take \(Int((100 * (0.25 / Double(draws)).squareRoot() * 2).rounded())) at 50 % (two standard errors).",
    ]
  }

  // MARK: Rules with a fixed number of rounds

  mutating func falseAlarms(_ same: Rounds) {
    table("Alarms where nothing differs (A against A, 10 ms)", same, [("A", "A again", "")], key: "alarm")
  }

  mutating func power(_ name: String, _ rounds: Rounds) {
    let heads = [("A", "B1", "+1 %"), ("A", "B2", "+2 %"), ("A", "B5", "+5 %"), ("A", "B10", "+10 %")]
    table("Seen, \(name)", rounds, heads, key: name)
  }

  private mutating func table(_ title: String, _ rounds: Rounds, _ sides: [(String, String, String)], key: String) {
    lines += ["", pad(title, 48) + "rounds" + Self.counts.map { right("\($0)", 7) }.joined()]
    for (base, head, truth) in sides {
      for rule in Rule.all {
        let shares = Self.counts.map { count in
          share { random in
            let start = random.next(below: rounds.count)
            return rule.saysSlower(rounds.pairs(base, head, from: start, count: count))
          }
        }
        for (count, share) in zip(Self.counts, shares) { measured["\(key) \(truth) \(rule.name) \(count)"] = share }
        lines.append(pad("  \(pad(truth, 7))\(rule.name)", 54) + shares.map { right(percent($0), 7) }.joined())
      }
    }
  }

  // MARK: Live comparisons

  mutating func sequential(_ same: Rounds, _ rounds: Rounds) {
    live("10 ms", [("nothing differs", same, "A", "A again")] + Self.truths(rounds), key: "live ")
  }

  /// - Parameter equal: pairs of launches of the same program.
  mutating func sequential(_ name: String, _ rounds: Rounds, _ equal: [(name: String, rounds: Rounds)]) {
    let same = equal.map { ("\($0.name), nothing differs", $0.rounds, "A", "A again") }
    live(name, Self.truths(rounds) + same, key: "live \(name) ")
  }

  private static func truths(_ rounds: Rounds) -> [(String, Rounds, String, String)] {
    [("+1 %", "B1"), ("+2 %", "B2"), ("+5 %", "B5"), ("+10 %", "B10")].map { ($0, rounds, "A", $1) }
  }

  private mutating func live(_ name: String, _ cases: [(String, Rounds, String, String)], key: String) {
    lines += [
      "",
      pad("Live, at most 400 rounds, δ 3 % and 5 % (\(name))", 44)
        + "regressed  no change  improved  inconclusive  median rounds",
    ]
    for (truth, rounds, base, head) in cases {
      let outcomes = (0..<draws).map { _ in
        Sequential(rounds.pairs(base, head, from: random.next(below: rounds.count), count: 400))
      }
      func share(_ name: String) -> Double { Double(outcomes.count { $0.verdict.name == name }) / Double(draws) }
      let median = outcomes.map(\.rounds).sorted()[draws / 2]
      measured["\(key)\(truth) rounds"] = Double(median)
      for name in ["regressed", "no-change"] { measured["\(key)\(truth) \(name)"] = share(name) }
      lines.append(
        pad("  \(truth)", 44) + right(percent(share("regressed")), 9) + right(percent(share("no-change")), 11)
          + right(percent(share("improved")), 10) + right(percent(share("inconclusive")), 14) + right("\(median)", 15))
    }
  }

  // MARK: Who is guilty

  mutating func guilt(_ short: Rounds, _ long: Rounds) {
    let results = (0..<draws).map { _ in
      let starts = (0..<3).map { $0 == 1 ? random.next(below: long.count) : random.next(below: short.count) }
      return Guilt(short, long, starts: starts, rounds: 100)
    }
    let regressed = results.filter(\.isRegressed)
    let named = Double(regressed.count(where: \.isNamed)) / Double(max(1, regressed.count))
    let wrong = Double(results.count(where: \.isWrong)) / Double(results.count)
    (measured["guilty named"], measured["guilty wrong"]) = (named, wrong)
    lines += [
      "", "Three phases of 3, 10 and 3 ms, the second one 10 % slower, 100 rounds:",
      "  regressed in \(percent(Double(regressed.count) / Double(draws))) %; of these the second phase is named in "
        + "\(percent(named)) %; another one in \(percent(wrong)) % of all",
    ]
  }

  // MARK: Targets

  mutating func targets() {
    let ours = Rule.all[0].name
    let alarms = Self.counts.compactMap { measured["alarm  \(ours) \($0)"] }.max() ?? 1
    let rows: [(String, Double, Double, isLeast: Bool)] = [
      ("false alarms, any number of rounds", alarms, 0.01, false),
      ("false alarms, live", measured["live nothing differs regressed"] ?? 1, 0.01, false),
      ("10 ms, +5 %, 100 rounds", measured["10 ms +5 % \(ours) 100"] ?? 0, 0.95, true),
      ("10 ms, +2 %, 200 rounds", measured["10 ms +2 % \(ours) 200"] ?? 0, 0.9, true),
      ("nothing differs, live: says so", measured["live nothing differs no-change"] ?? 0, 0.8, true),
      ("guilty phase named", measured["guilty named"] ?? 0, 0.95, true),
      ("wrong phase named", measured["guilty wrong"] ?? 1, 0.01, false),
    ]
    lines += ["", pad("Targets", 44) + "measured     target"]
    for (name, value, target, isLeast) in rows {
      // What cannot be told from the target by so many draws is not missed.
      let error = 2 * (target * (1 - target) / Double(draws)).squareRoot()
      let isMet = isLeast ? value >= target : value <= target
      let isNear = isLeast ? value >= target - error : value <= target + error
      if !isNear { isMissed = true }
      lines.append(
        pad("  \(name)", 44) + right("\(percent(value)) %", 8)
          + right("\(isLeast ? "≥" : "≤") \(percent(target)) %", 11)
          + "  " + (isMet ? "met" : isNear ? "within the error of the draws" : "MISSED"))
    }
    let rounds = measured["live +10 % rounds"] ?? .infinity
    if rounds > 40 { isMissed = true }
    lines.append(
      pad("  10 ms, +10 %, live: median rounds", 44) + right("\(Int(rounds))", 8) + right("≤ 40", 11) + "  "
        + (rounds <= 40 ? "met" : "MISSED"))
  }

  private mutating func share(_ isTrue: (inout SeededRandom) -> Bool) -> Double {
    var count = 0
    for _ in 0..<draws where isTrue(&random) { count += 1 }
    return Double(count) / Double(draws)
  }

  private func percent(_ share: Double) -> String { String(format: share < 0.1 ? "%.1f" : "%.0f", share * 100) }

  private func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  private func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count)) + text
  }
}
