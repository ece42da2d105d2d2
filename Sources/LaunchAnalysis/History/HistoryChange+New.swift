// SPDX-License-Identifier: Apache-2.0

extension HistorySeries.Change {
  /// The changes of a series that `earlier`, its beginning, does not show. A change is found some commits later, so its commit
  /// may be in both.
  package static func new(_ changes: [Self], since earlier: HistorySeries, least: Double) -> [Self] {
    let known = earlier.changes(least: least)
    return changes.filter { change in
      change.place >= earlier.points.count || !known.contains { $0.isProbably(change) }
    }
  }

  /// Whether both are probably the same change. More launches may move it, but two changes are never so near to each other.
  private func isProbably(_ other: Self) -> Bool {
    (relative > 0) == (other.relative > 0)
      && (abs(place - other.place) < StepSearch.leastSegment || places.overlaps(other.places))
  }
}
