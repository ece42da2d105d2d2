// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchAnalysis

/// How often a bisection names the right commit, on recorded launches: 100 commits, of which one adds 5 % to a launch of 10 ms.
struct BisectPower {
  private let rounds: Rounds
  /// Rounds of the same program: what a fast commit's launches are like.
  private let same: Rounds
  private var random: SeededRandom
  private let draws: Int
  private(set) var lines: [String] = []
  private(set) var isMissed = false

  private static let commits = 100
  private static let batch = 10
  /// Of the gate, before the search and after it.
  private static let gateRounds = 80

  init(_ rounds: Rounds, same: Rounds, seed: UInt64, draws: Int) {
    (self.rounds, self.same) = (rounds, same)
    random = SeededRandom(seed: seed)
    self.draws = draws
  }

  /// - Parameter data: a folder of recorded rounds.
  static func replayed(_ data: String, seed: UInt64, draws: Int) throws -> BisectPower {
    var power = BisectPower(
      try Rounds(file: "\(data)/program-10ms.csv"), same: try Rounds(file: "\(data)/same-10ms.csv"), seed: seed,
      draws: draws)
    power.run()
    return power
  }

  private mutating func run() {
    lines = ["", "bisection, \(Self.commits) commits, +5 % of 10 ms, \(draws) draws:"]
    for (name, slow, fast) in [("CPU", rounds.cpu, same.cpu), ("wall", rounds.wall, same.wall)] {
      let side = Side(slow: Self.differences(slow, "B5"), fast: Self.differences(fast, "A again"))
      var (right, launches, builds) = (0, 0, 0)
      for _ in 0..<draws {
        let guilty = 1 + random.next(below: Self.commits)
        let search = search(side, guilty: guilty)
        if search.found == guilty { right += 1 }
        launches += search.launches
        builds += search.builds
      }
      let share = Double(right) / Double(draws)
      let (meanLaunches, meanBuilds) = (Double(launches) / Double(draws), Double(builds) / Double(draws))
      lines.append(
        "  by \(name): \(Self.text(share * 100)) % right, \(Self.text(meanLaunches)) launches, \(Self.text(meanBuilds)) builds"
      )
      guard name == "CPU" else { continue }
      let isMet = share >= 0.99 && meanLaunches <= 700 && meanBuilds <= 7
      lines.append("  target: at least 99 % right, at most 700 launches and 7 builds: \(isMet ? "met" : "MISSED")")
      isMissed = !isMet
    }
  }

  private static func text(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

  /// ln(head / base) of recorded rounds.
  private struct Side {
    var slow: [Double]
    var fast: [Double]
  }

  private static func differences(_ times: [String: [Double]], _ head: String) -> [Double] {
    zip(times["A"] ?? [], times[head] ?? []).map { log($1 / $0) }
  }

  /// Some of them, drawn at random.
  private mutating func draw(_ differences: [Double], _ count: Int) -> [Double] {
    (0..<count).map { _ in differences[random.next(below: differences.count)] }
  }

  private mutating func search(
    _ side: Side, guilty: Int
  ) -> (found: Int, launches: Int, builds: Int) {
    let first = draw(side.slow, Self.gateRounds)
    let size = first.sorted()[first.count / 2]
    var search = StepBisection(count: Self.commits, step: StepBisection.Step(first, size: size))
    var launches = 2 * Self.gateRounds
    while !search.isDecided, launches < 20_000, let place = search.next {
      search.observe(draw(place >= guilty ? side.slow : side.fast, Self.batch), at: place)
      launches += 2 * Self.batch
    }
    return (search.candidate.places.upperBound, launches, search.built.count)
  }
}
