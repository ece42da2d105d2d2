// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

extension LaunchSet {
  /// What all launches that count are: `background`, `page-cache cold`, `prewarmed first`; nil if they are of no known kind, or
  /// of several.
  var countedKind: String? {
    let kinds = Set(
      counted.map { launch in
        let labels = launch.timeline.labels
        let context = LeftOut(kind: nil, context: labels.context)?.rawValue
        return [context, labels.knownKind].compactMap(\.self).joined(separator: " ")
      })
    return kinds.count == 1 && kinds != [""] ? kinds.first : nil
  }
}
