// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchAnalysis
import LaunchFleet

/// How often `fleet changes` finds a change of a fleet, and how often it raises a false alarm.
///
/// A launch of a fleet is a recorded launch, drawn from all hours in which a program was recorded: some of them busy, as some
/// machines are.
struct ChangesPower {
  /// How the points of a series differ without a change.
  private struct Days {
    var name: String
    /// Of the level of points: 0.01 is 1 %.
    var spread = 0.0
    /// How much of a point's level the next one keeps.
    var memory = 0.0
    /// How much slower two points of seven are.
    var weekend = 0.0
  }

  private var random: SeededRandom
  /// Logarithms of recorded times over their median.
  private let programs: [[Double]]
  private let draws: Int
  private(set) var isMissed = false

  /// - Parameter data: a directory of recorded launches: Benchmarks/Data/gate.
  init(data: String, draws: Int, seed: UInt64 = 1) throws {
    programs = try ["program-3ms", "program-10ms", "program-50ms", "other-9ms"].map {
      let times = try Self.times("\(data)/\($0).csv").map { log($0) }
      let median = times.sorted()[times.count / 2]
      return times.map { $0 - median }
    }
    (self.draws, random) = (draws, SeededRandom(seed: seed))
  }

  private static func times(_ file: String) throws -> [Double] {
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    guard let column = lines[0].split(separator: ",").firstIndex(of: "A wall") else { return [] }
    return lines.dropFirst().compactMap { Double($0.split(separator: ",")[column]) }
  }

  mutating func run() {
    let all = [
      Days(name: "the same"), Days(name: "± 1 %", spread: 0.01), Days(name: "± 3 %", spread: 0.03),
      Days(name: "± 10 %", spread: 0.1), Days(name: "± 2 %, half of it kept", spread: 0.02, memory: 0.5),
      Days(name: "± 0.5 %, weekends +5 %", spread: 0.005, weekend: 0.05),
    ]
    print("| how days differ | launches a day | days | false alarms |\n|---|---:|---:|---:|")
    for days in all {
      for launches in [50, 400] {
        for count in [6, 7, 10, 14, 30] { row(days, launches, count, step: 0) }
      }
    }
    print("\n| how days differ | launches a day | days | change | found |\n|---|---:|---:|---:|---:|")
    for days in all.prefix(2) {
      for launches in [400, 2000] {
        for count in [6, 10, 14, 30] {
          for step in [0.03, 0.06, 0.1] { row(days, launches, count, step: step) }
        }
      }
    }
  }

  private mutating func row(_ days: Days, _ launches: Int, _ count: Int, step: Double) {
    let place = count / 2
    let found = (0..<draws).count { _ in
      let changes = FleetChanges.changes(in: series(days, launches, count, step: step, at: place))
      return step == 0 ? !changes.isEmpty : changes.contains { abs($0.place - place) <= 1 && $0.relative > 0 }
    }
    let share = String(format: "%.1f %%", 100 * Double(found) / Double(draws))
    if step == 0 {
      print("| \(days.name) | \(launches) | \(count) | \(share) |")
      let most = 0.01
      let error = 2 * (most * (1 - most) / Double(draws)).squareRoot()
      // Levels that drift do change.
      isMissed = isMissed || days.memory == 0 && Double(found) / Double(draws) > most + error
    } else {
      print("| \(days.name) | \(launches) | \(count) | +\(Int((step * 100).rounded())) % | \(share) |")
    }
  }

  private mutating func series(
    _ days: Days, _ launches: Int, _ count: Int, step: Double, at place: Int
  ) -> [[Double]] {
    let times = programs[random.next(below: programs.count)]
    let firstWeekday = random.next(below: 7)
    var level = days.spread * normal()
    return (0..<count).map { day in
      if day > 0 { level = days.memory * level + (1 - days.memory * days.memory).squareRoot() * days.spread * normal() }
      let shift =
        level + (day >= place ? log(1 + step) : 0) + ((day + firstWeekday) % 7 >= 5 ? log(1 + days.weekend) : 0)
      return (0..<launches).map { _ in times[random.next(below: times.count)] + shift }
    }
  }

  /// Nearly normal: the sum of twelve even numbers.
  private mutating func normal() -> Double {
    (0..<12).reduce(-6) { sum, _ in sum + Double(random.next() >> 11) / Double(1 << 53) }
  }
}
