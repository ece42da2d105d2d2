// SPDX-License-Identifier: Apache-2.0

extension Measurement {
  /// Joins the two values that earlier versions stored for a library: its initialisers had the name of its link.
  package mutating func joinLibraries() {
    guard let loaded else { return }
    let files = LibraryFiles(loaded.mapped)
    for metric in values.keys where metric.group == .library {
      let file = files.file(of: metric.name)
      guard file != metric.name, let time = values.removeValue(forKey: metric) else { continue }
      values[Metric(.library, [file]), default: 0] += time
    }
  }
}
