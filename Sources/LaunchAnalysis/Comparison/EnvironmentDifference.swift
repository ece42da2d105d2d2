// SPDX-License-Identifier: Apache-2.0

/// A property that should be the same on both sides, but differs.
package struct EnvironmentDifference: Sendable, Equatable {
  package var field: Provenance.Field
  /// The values of each side, in order.
  package var base: [String]
  package var head: [String]
  package var isAllowed: Bool

  /// A field that one side, or neither, knows is not a difference.
  static func all(
    _ base: [Measurement], _ head: [Measurement], allowed: Set<Provenance.Field>
  ) -> [EnvironmentDifference] {
    Provenance.Field.allCases.compactMap { field in
      let old = Set(base.compactMap { $0.provenance.fields[field] })
      let new = Set(head.compactMap { $0.provenance.fields[field] })
      guard old != new, !old.isEmpty, !new.isEmpty else { return nil }
      return EnvironmentDifference(
        field: field, base: old.sorted(), head: new.sorted(), isAllowed: allowed.contains(field))
    }
  }
}
