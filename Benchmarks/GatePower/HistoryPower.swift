import Foundation
import LaunchAnalysis

/// How often `history changes` finds a step, how often it names one commit, and how often an innocent one: series of recorded
/// launches, with a step put in.
struct HistoryPower {
  private(set) var lines: [String] = []
  private(set) var isMissed = false
  private let draws: Int
  private var random: RandomPlaces
  private let programs: [Rounds]

  private static let lengths = [6, 8, 10, 20, 50, 100]
  private static let steps = [0.05, 0.1, 0.2, 0.3]
  private static let launches = 12

  init(_ programs: [Rounds], seed: UInt64, draws: Int) {
    (self.programs, self.draws) = (programs, draws)
    random = RandomPlaces(seed: seed)
  }

  mutating func run() {
    lines += [
      "", "Steps in a history, \(Self.launches) launches a commit, a step at any commit but the first",
      "  commits  step    found  one commit  of these right  the interval holds it  commits in it",
    ]
    var (series, falseSteps, named, wrong) = (0, 0, 0, 0)
    for commits in Self.lengths {
      for step in [0] + Self.steps {
        var (found, certain, right, holds, width) = (0, 0, 0, 0, 0)
        for _ in 0..<draws {
          let place = 1 + random.next(below: commits - 1)
          let changes = history(commits, step: step, at: place).changes(least: 0)
          guard let change = changes.first(where: { $0.places.contains(place) }) ?? changes.first else { continue }
          found += 1
          holds += change.places.contains(place) ? 1 : 0
          width += change.places.count
          certain += change.isCertain ? 1 : 0
          right += change.isCertain && change.place == place ? 1 : 0
        }
        if step == 0 { (series, falseSteps) = (series + draws, falseSteps + found) }
        if step > 0 { (named, wrong) = (named + certain, wrong + certain - right) }
        let share = { (part: Int, of: Int) in of == 0 ? "–" : String(format: "%.1f %%", 100 * Double(part) / Double(of))
        }
        let mean = found == 0 ? "–" : String(format: "%.1f", Double(width) / Double(found))
        let size = step == 0 ? "none" : "+\(Int((step * 100).rounded())) %"
        let cells =
          step == 0
          ? [share(found, draws)]
          : [share(found, draws), share(certain, found), share(right, certain), share(holds, found), mean]
        lines.append(
          "  " + pad("\(commits)", 9) + pad(size, 6)
            + zip(cells, [9, 12, 16, 23, 15]).map { String(repeating: " ", count: max(1, $1 - $0.count)) + $0 }.joined()
        )
      }
    }
    let falseShare = Double(falseSteps) / Double(max(1, series))
    let rightShare = 1 - Double(wrong) / Double(max(1, named))
    isMissed = falseShare > 0.01 || rightShare < 0.9
    lines += [
      "  false steps: \(falseSteps) of \(series) series (target: ≤ 1 %)",
      "  one commit named: \(named) times, an innocent one \(wrong) times (target: the right one in ≥ 90 %)",
    ]
  }

  /// Neighbouring launches of one program a commit, from any place of one hundred recorded side by side.
  private mutating func history(_ commits: Int, step: Double, at place: Int) -> HistorySeries {
    let program = programs[random.next(below: programs.count)]
    let walls = program.wall["A"] ?? []
    let hour = random.next(below: max(1, walls.count / 100)) * 100
    let key = HistoryKey(program: "app", machine: "machine", configuration: "default")
    var rows: [HistoryRow] = []
    for commit in 0..<commits {
      let start = hour + random.next(below: 100 - Self.launches)
      for number in 0..<Self.launches {
        let wall = walls[(start + number) % walls.count] * (commit >= place ? 1 + step : 1)
        let measurement = Measurement(
          name: "", leftOut: nil, provenance: Provenance(round: number + 1), endMilestone: "exit",
          values: [.total: wall], flame: [:], isCPUOfLaunch: false)
        rows.append(
          HistoryRow(
            id: Int64(rows.count), added: Int64(commit), key: key, commit: "c\(commit)", measurement: measurement))
      }
    }
    return HistorySeries(.total, of: rows)
  }

  private func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}
