// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis

/// A change of a series in words: the commit that made it, or the commits that may have made it.
package struct HistoryChangeSentence {
  package let text: String

  /// The largest number of commits that are listed with their probability.
  private static let most = 5

  package init(_ change: HistorySeries.Change, of series: HistorySeries) {
    let numbers = ComparisonNumbers(longest: max(change.levels.before, change.levels.after), ascii: true)
    let unit = series.metric.unit
    func size(_ name: String, _ levels: HistorySeries.Change.Levels) -> String {
      "\(name) \(numbers.percent(levels.relative)) "
        + "(\(numbers.value(levels.before, unit)) -> \(numbers.withUnit(levels.after, unit)))"
    }
    let own = size(series.metric.id, change.levels)
    let size = own + (change.cpu.map { ", by the CPU time: " + size("cpu", $0) } ?? "")
    guard !change.isCertain else {
      text = "\(series.points[change.place].commit)  \(size)"
      return
    }
    let candidates = zip(change.places, change.probabilities).sorted { ($1.1, $0.0) < ($0.1, $1.0) }
    let listed = candidates.prefix(Self.most).map { place, probability in
      "\(series.points[place].commit.prefix(12)) \(Int((probability * 100).rounded())) %"
    }
    let rest = candidates.count > Self.most ? ", ..." : ""
    text =
      "between \(series.points[change.places.lowerBound - 1].commit) and "
      + "\(series.points[change.places.upperBound].commit)  \(size): one of \(candidates.count) commits, "
      + listed.joined(separator: ", ") + rest
  }
}
