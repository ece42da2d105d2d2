// SPDX-License-Identifier: Apache-2.0

/// Changes that are often recommended, and that saved nothing when they were measured: the negative controls.
package enum UselessChange: String, Sendable, CaseIterable {
  case relr, lto, strip, icf
  case bindNow = "z-now"
  case sectionOrder = "bp-startup-sort"
  case sizeOptimization = "osize"
  case pageSize = "max-page-size"
  case asNeeded = "as-needed"
  case populate

  /// Why it saves nothing, with what was measured.
  package var explanation: String {
    switch self {
    case .relr:
      "Packed relative relocations make the file smaller. The loader spends its time on looking up symbols, which stays the same."
    case .lto: "The optimiser sees more code at once. But a launch spends its time on loading code, not on calling it."
    case .strip: "The loader never reads the symbols that stripping removes."
    case .icf: "Identical functions are folded. A launch touches too few of them to map fewer pages."
    case .bindNow: "Swift programs call few functions through the table that is bound lazily."
    case .sectionOrder: "Functions are ordered by how often they ran together. Warm pages cost the same in any order."
    case .sizeOptimization: "The code becomes smaller. The part that a launch touches stays nearly the same."
    case .pageSize:
      "Segments are aligned for huge pages. The kernel does not use huge pages for files of ordinary file systems."
    case .asNeeded: "Unused libraries are left out. Swift's own build does not link any."
    case .populate: "Touching all pages in the first initialiser costs more than the faults that it saves: 0.6 ms more."
    }
  }

  /// What was measured, on the launch of a program that builds, decodes and encodes 200 JSON records.
  package static let measurement = "Measured on a launch of 16 ms: no difference, within ± 0.5 ms (docs/faster.md)."

  package var measured: String {
    self == .populate ? "Measured on a launch of 16 ms: it makes the launch slower." : Self.measurement
  }
}
