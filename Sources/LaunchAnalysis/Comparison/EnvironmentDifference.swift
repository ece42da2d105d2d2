// SPDX-License-Identifier: Apache-2.0

/// A property that should be the same on both sides, but differs.
package struct EnvironmentDifference: Sendable, Equatable {
  package var field: Provenance.Field
  /// The values of each side, in order.
  package var base: [String]
  package var head: [String]
  package var isAllowed: Bool

  /// A field that one side, or neither, knows is not a difference. But where a kind is not known, the launch is a usual one:
  /// not cold, first or the like.
  static func all(
    _ base: [Measurement], _ head: [Measurement], allowed: Set<Provenance.Field>
  ) -> [EnvironmentDifference] {
    let differences: [EnvironmentDifference] = Provenance.Field.allCases.compactMap { field in
      var old = Set(base.compactMap { $0.provenance.fields[field] })
      var new = Set(head.compactMap { $0.provenance.fields[field] })
      if old.isEmpty, isUnusual(new, in: field) { old = [usual] }
      if new.isEmpty, isUnusual(old, in: field) { new = [usual] }
      guard old != new, !old.isEmpty, !new.isEmpty else { return nil }
      return EnvironmentDifference(
        field: field, base: old.sorted(), head: new.sorted(), isAllowed: allowed.contains(field))
    }
    // Other milestones come from other rules, so one `--allow` is enough.
    let hasOtherEnd = differences.contains { $0.field == .end }
    return differences.filter { $0.field != .readyRule || !hasOtherEnd }
  }

  private static let usual = "usual"

  /// Whether launches with these values are a population of their own.
  private static func isUnusual(_ values: Set<String>, in field: Provenance.Field) -> Bool {
    values.contains {
      LaunchSet.LeftOut(kind: field == .kind ? $0 : nil, context: field == .context ? $0 : nil) != nil
    }
  }
}
