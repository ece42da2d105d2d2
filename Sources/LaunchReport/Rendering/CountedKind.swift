// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

extension LaunchSet {
  /// What all launches that count are: `background`, `page-cache cold`, `prewarmed first`; nil if they are of no known kind, or
  /// of several.
  var countedKind: String? { Self.kind(of: counted) }

  /// What all of some launches are; nil if they are of no known kind, or of several.
  static func kind(of launches: [Launch]) -> String? {
    let kinds = Set(
      launches.map { launch in
        let labels = launch.timeline.labels
        let context = LeftOut(kind: nil, context: labels.context)?.rawValue
        return [context, labels.knownKind].compactMap(\.self).joined(separator: " ")
      })
    return kinds.count == 1 && kinds != [""] ? kinds.first : nil
  }
}
