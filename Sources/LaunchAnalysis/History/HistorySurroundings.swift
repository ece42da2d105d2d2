// SPDX-License-Identifier: Apache-2.0

/// What the points of a series were launched on and built with. An update of the machine changes the level, too.
package struct HistorySurroundings: Sendable {
  /// A field that has other values before a change than after it.
  package struct Difference: Sendable, Equatable {
    package var field: Provenance.Field
    /// Sorted.
    package var before: [String]
    package var after: [String]
  }

  /// The name of the machine is not among them: in many CI systems, each job has its own.
  private static let fields: [Provenance.Field] = [.processor, .kernel, .toolchain, .buildMode]

  /// For each point, the fields of its launches.
  private let points: [[[Provenance.Field: String]]]

  /// - Parameter launches: those of each point.
  init(_ launches: [[Provenance]]) { points = launches.map { $0.map(\.fields) } }

  /// The fields that have no value in common: with a pool of runners, the values of both sides mix.
  func differences(between base: Range<Int>, and head: Range<Int>) -> [Difference] {
    Self.fields.compactMap { field in
      func values(_ range: Range<Int>) -> Set<String> { Set(points[range].joined().compactMap { $0[field] }) }
      let (before, after) = (values(base), values(head))
      guard !before.isEmpty, !after.isEmpty, before.isDisjoint(with: after) else { return nil }
      return Difference(field: field, before: before.sorted(), after: after.sorted())
    }
  }
}
