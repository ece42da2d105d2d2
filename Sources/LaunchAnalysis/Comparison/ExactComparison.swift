// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// A count that never varies, on both sides.
package struct ExactComparison: Sendable, Equatable {
  package var metric: ExactCount
  package var base: Int64
  package var head: Int64
  /// What the head added and removed, where it has names, in the order in which the loader meets it.
  package var added: [String] = []
  package var removed: [String] = []
  /// Times of the added ones, ns, where they are known.
  package var times: [String: Int64] = [:]
  /// True when the head has more than is allowed.
  package var isRegression: Bool

  package var difference: Int64 { head - base }
  /// Also true when the number is the same but the names differ.
  package var isChanged: Bool { difference != 0 || isRegression || !added.isEmpty || !removed.isEmpty }

  /// - Parameters: counted launches.
  static func all(_ base: [Measurement], _ head: [Measurement], _ allowed: ExactAllowances) -> [ExactComparison] {
    files(base, head, allowed) + loading(base, head, allowed)
      + firstTimes(\.globals, .lazyGlobals, base, head, allowed)
      + firstTimes(\.lookups, .firstLookups, base, head, allowed)
  }

  /// From the first launch of each side that has the data; empty if a side has none.
  private static func files(
    _ base: [Measurement], _ head: [Measurement], _ allowed: ExactAllowances
  ) -> [ExactComparison] {
    guard let old = base.lazy.compactMap(\.provenance.image).first,
      let new = head.lazy.compactMap(\.provenance.image).first
    else { return [] }
    return [
      ExactComparison(.libraries, names: old.libraries, new.libraries, allowed),
      ExactComparison(.libraryBytes, old.libraryBytes, new.libraryBytes, allowed),
      ExactComparison(.relocations, old.relocations, new.relocations, allowed),
      ExactComparison(.initializers, old.initializers, new.initializers, allowed),
      ExactComparison(.programBytes, old.bytes, new.bytes, allowed),
    ]
  }

  /// Compares the most that a launch of the base loaded with the least of the head, so that a library that one launch
  /// opens by chance is not a regression. Empty if a side was not observed.
  private static func loading(
    _ base: [Measurement], _ head: [Measurement], _ allowed: ExactAllowances
  ) -> [ExactComparison] {
    let (before, after) = (base.compactMap(\.loaded), head.compactMap(\.loaded))
    guard !before.isEmpty, !after.isEmpty else { return [] }
    func names(_ list: (LoadedLibraries) -> [String]) -> (old: [String], new: [String]) {
      (before.map(list).max { $0.count < $1.count } ?? [], after.map(list).min { $0.count < $1.count } ?? [])
    }
    let (mapped, opened) = (names(\.mapped), names(\.opened))
    let bytes = (old: before.map(\.bytes).max() ?? 0, new: after.map(\.bytes).min() ?? 0)
    return [
      ExactComparison(.mappedLibraries, names: mapped.old, mapped.new, allowed),
      ExactComparison(.openedLibraries, names: opened.old, opened.new, allowed),
      ExactComparison(.mappedBytes, bytes.old, bytes.new, allowed),
    ]
  }

  /// As for libraries: the most of the base against the least of the head.
  private static func firstTimes(
    _ list: (Measurement) -> FirstTimes?, _ metric: ExactCount, _ base: [Measurement], _ head: [Measurement],
    _ allowed: ExactAllowances
  ) -> [ExactComparison] {
    guard let before = base.compactMap(list).max(by: { $0.names.count < $1.names.count }),
      let after = head.compactMap(list).min(by: { $0.names.count < $1.names.count })
    else { return [] }
    var result = ExactComparison(metric, names: before.names, after.names, allowed)
    // The longest first, because readers start there.
    result.added.sort { (after.times[$1] ?? 0, $0) < (after.times[$0] ?? 0, $1) }
    let added = Set(result.added)
    result.times = after.times.filter { added.contains($0.key) }
    return [result]
  }

  private init(_ metric: ExactCount, _ base: Int64, _ head: Int64, _ allowed: ExactAllowances) {
    (self.metric, self.base, self.head) = (metric, base, head)
    isRegression = Double(head - base) > allowed[metric] * (metric.growsByShare ? Double(base) : 1)
  }

  private init(_ metric: ExactCount, names base: [String], _ head: [String], _ allowed: ExactAllowances) {
    self.init(metric, Int64(base.count), Int64(head.count), allowed)
    let (before, after) = (Set(base), Set(head))
    // In the order in which the loader meets them: libraries that the program links come before those that these need.
    added = head.filter { !before.contains($0) }
    removed = base.filter { !after.contains($0) }
  }
}
