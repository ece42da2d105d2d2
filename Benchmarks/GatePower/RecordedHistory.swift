// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis

/// Series of recorded launches, as a history keeps them.
struct RecordedHistory {
  enum Hours {
    /// All commits were launched within one hour.
    case one
    /// Each commit in any hour.
    case any
  }

  let programs: [Rounds]
  /// Of each commit.
  let launches: Int
  /// Rounds that were recorded one behind the other.
  private static let hour = 100

  /// Neighbouring launches of one program for each commit, from any place of one hundred recorded one after the other.
  ///
  /// - Parameters:
  ///   - factor: by which each commit's launches take longer.
  ///   - hasCPU: whether the CPU time is that of the launch.
  func rows(
    _ commits: Int, in hours: Hours, hasCPU: Bool = true, _ random: inout SeededRandom, factor: (Int) -> Double
  ) -> [HistoryRow] {
    let program = programs[random.next(below: programs.count)]
    let (walls, cpus, cores) = (program.wall["A"] ?? [], program.cpu["A"] ?? [], program.core["A"] ?? [])
    let count = max(1, walls.count / Self.hour)
    var hour = random.next(below: count)
    let key = HistoryKey(program: "app", machine: "machine", configuration: "default")
    var rows: [HistoryRow] = []
    for commit in 0..<commits {
      if hours == .any { hour = random.next(below: count) }
      let start = hour * Self.hour + random.next(below: Self.hour - launches)
      for number in 0..<launches {
        var provenance = Provenance(round: number + 1)
        provenance.session = "c\(commit)"
        var values: [Metric: Double] = [
          .total: walls[start + number] * factor(commit), .cpu: cpus[start + number] * factor(commit),
        ]
        if !cores.isEmpty { values[.onCore] = cores[start + number] * factor(commit) }
        let measurement = Measurement(
          name: "", leftOut: nil, provenance: provenance, endMilestone: "exit", values: values, flame: [:],
          isCPUOfLaunch: hasCPU)
        rows.append(
          HistoryRow(
            id: Int64(rows.count), added: Int64(commit), key: key, commit: "c\(commit)", measurement: measurement))
      }
    }
    return rows
  }
}
