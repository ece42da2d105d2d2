// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis
internal import LaunchSystem

/// A change of a series in words: the commit that made it, or the commits that may have made it.
package struct HistoryChangeSentence {
  package let text: String

  /// The largest number of commits that are listed with their probability.
  private static let most = 5

  /// - Parameter commits: how many commits may have made a change that the launches place between two points: the later one,
  ///   and those that were never launched; nil if that is not known.
  package init(_ change: HistorySeries.Change, of series: HistorySeries, commits: Int? = nil) {
    let numbers = ComparisonNumbers(times: [change.levels.before, change.levels.after], ascii: true)
    let unit = series.metric.unit
    func size(_ name: String, _ levels: HistorySeries.Change.Levels) -> String {
      "\(name) \(numbers.percent(levels.relative)) "
        + "(\(numbers.change(from: levels.before, to: levels.after, unit)))"
    }
    let own = size(series.metric.id, change.levels)
    let size = own + (change.cpu.map { ", by the CPU time: " + size("cpu", $0) } ?? "")
    let others = Self.surroundings(of: change).map { "; \($0)" }.joined()
    guard !change.isCertain else {
      let commit = series.points[change.place].commit
      if let commits, commits > 1, change.place > 0 {
        let before = series.points[change.place - 1].commit
        text =
          "between \(before) and \(commit)  \(size): one of \(commits) commits, of which only the last was launched; "
          + "launchprof bisect --good \(CommitID.short(before)) --bad \(CommitID.short(commit)) finds it\(others)"
        return
      }
      text = "\(commit)  \(size)\(others)"
      return
    }
    let candidates = zip(change.places, change.probabilities).sorted { ($1.1, $0.0) < ($0.1, $1.0) }
    let listed = candidates.prefix(Self.most).map { place, probability in
      "\(CommitID.short(series.points[place].commit)) \(Int((probability * 100).rounded())) %"
    }
    let rest = candidates.count > Self.most ? ", ..." : ""
    text =
      "between \(series.points[change.places.lowerBound - 1].commit) and "
      + "\(series.points[change.places.upperBound].commit)  \(size): one of \(candidates.count) commits, "
      + listed.joined(separator: ", ") + rest + others
  }

  /// `the kernel changed there, too: 6.8.0 -> 6.11.0`, for each field.
  static func surroundings(of change: HistorySeries.Change, arrow: String = "->") -> [String] {
    func list(_ values: [String]) -> String {
      values.lazy.map { PlainName.escaped($0) }.listed(2, rest: "others")
    }
    return change.surroundings.map {
      "the \($0.field.rawValue) changed there, too: \(list($0.before)) \(arrow) \(list($0.after))"
    }
  }
}

extension ComparisonNumbers {
  /// `+4.7 %`, or `cpu +46.2 %` if the CPU time says how large the change is.
  func size(_ change: HistorySeries.Change) -> String {
    (change.isSizeOfCPU ? "cpu " : "") + percent(change.relative)
  }
}
