/// Something that should be the same on both sides, and is not.
package struct EnvironmentDifference: Sendable, Equatable {
  package var field: Provenance.Field
  /// What the launches of each side say, in order.
  package var base: [String]
  package var head: [String]
  package var isAllowed: Bool

  /// What neither side says, or only one of them, is no difference.
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
