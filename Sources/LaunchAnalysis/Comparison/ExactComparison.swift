// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// A metric that is the same in every launch of a program, so that one launch for each side is enough.
package struct ExactComparison: Sendable, Equatable {
  package enum Metric: String, Sendable, CaseIterable {
    /// The libraries that the program's files ask for.
    case libraries
    case libraryBytes = "library-bytes"
    case relocations
    case initializers
    case programBytes = "program-bytes"
    /// The libraries that were observed: `LoadedLibraries`.
    case mappedLibraries = "mapped-libraries"
    case openedLibraries = "opened-libraries"
    case mappedBytes = "mapped-bytes"
    /// The program's own, as they were observed: `FirstTimes`.
    case lazyGlobals = "lazy-globals"
    /// First look-ups of conformances and of types by name.
    case firstLookups = "first-lookups"

    package var isBytes: Bool { rawValue.hasSuffix("bytes") }
  }

  package var metric: Metric
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
      + firstTimes(\.globals, .lazyGlobals, base, head, more: allowed.lazyGlobals)
      + firstTimes(\.lookups, .firstLookups, base, head, more: allowed.firstLookups)
  }

  /// From the first launch of each side that has the data; empty if a side has none.
  private static func files(
    _ base: [Measurement], _ head: [Measurement], _ allowed: ExactAllowances
  ) -> [ExactComparison] {
    guard let old = base.lazy.compactMap(\.provenance.image).first,
      let new = head.lazy.compactMap(\.provenance.image).first
    else { return [] }
    return [
      ExactComparison(.libraries, names: old.libraries, new.libraries, more: allowed.libraries),
      ExactComparison(.libraryBytes, old.libraryBytes, new.libraryBytes, share: allowed.libraryBytes),
      ExactComparison(.relocations, old.relocations, new.relocations, share: allowed.relocations),
      ExactComparison(.initializers, old.initializers, new.initializers, share: allowed.initializers),
      // A program may grow. What that costs shows in the times.
      ExactComparison(.programBytes, old.bytes, new.bytes, share: .infinity),
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
      ExactComparison(.mappedLibraries, names: mapped.old, mapped.new, more: allowed.mappedLibraries),
      ExactComparison(.openedLibraries, names: opened.old, opened.new, more: allowed.openedLibraries),
      ExactComparison(.mappedBytes, bytes.old, bytes.new, share: allowed.mappedBytes),
    ]
  }

  /// As for libraries: the most of the base against the least of the head.
  private static func firstTimes(
    _ list: (Measurement) -> FirstTimes?, _ metric: Metric, _ base: [Measurement], _ head: [Measurement], more: Int64
  ) -> [ExactComparison] {
    guard let before = base.compactMap(list).max(by: { $0.names.count < $1.names.count }),
      let after = head.compactMap(list).min(by: { $0.names.count < $1.names.count })
    else { return [] }
    var result = ExactComparison(metric, names: before.names, after.names, more: more)
    // The longest first, because readers start there.
    result.added.sort { (after.times[$1] ?? 0, $0) < (after.times[$0] ?? 0, $1) }
    let added = Set(result.added)
    result.times = after.times.filter { added.contains($0.key) }
    return [result]
  }

  private init(_ metric: Metric, _ base: Int64, _ head: Int64, share: Double) {
    (self.metric, self.base, self.head) = (metric, base, head)
    isRegression = head > base && Double(head - base) > share * Double(base)
  }

  private init(_ metric: Metric, names base: [String], _ head: [String], more: Int64) {
    (self.metric, self.base, self.head) = (metric, Int64(base.count), Int64(head.count))
    let (before, after) = (Set(base), Set(head))
    // In the order in which the loader meets them: libraries that the program links come before those that these need.
    added = head.filter { !before.contains($0) }
    removed = base.filter { !after.contains($0) }
    isRegression = self.head - self.base > more
  }
}
