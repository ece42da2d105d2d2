/// Changes that are said to make launches faster, and were measured to bring nothing: the negative controls.
package enum UselessChange: String, Sendable, CaseIterable {
  case relr, lto, strip, icf
  case bindNow = "z-now"
  case sectionOrder = "bp-startup-sort"
  case sizeOptimization = "osize"
  case pageSize = "max-page-size"
  case asNeeded = "as-needed"
  case populate

  /// Why it brings nothing, with what was measured.
  package var explanation: String {
    switch self {
    case .relr:
      "Packed relative relocations make the file smaller. The loader's time goes into looking up symbols, which stays the same."
    case .lto: "The optimiser sees more at once. What a launch spends its time on is loaded, not called."
    case .strip: "The loader never reads the symbols that stripping removes."
    case .icf: "Identical functions are folded. A launch touches too few of them to map fewer pages."
    case .bindNow: "Swift programs call few functions through the table that is bound lazily."
    case .sectionOrder: "Functions are ordered by how often they ran together. Warm pages cost the same in any order."
    case .sizeOptimization: "Smaller code. What a launch touches of it stays nearly the same."
    case .pageSize: "Segments are aligned for huge pages. The kernel gives files of ordinary file systems none."
    case .asNeeded: "Unused libraries are left out. Swift's own build leaves none of those."
    case .populate: "Touching all pages in the first initialiser costs more than the faults that it saves: 0.6 ms more."
    }
  }

  /// What was measured, on the launch of a program that builds, decodes and encodes 200 JSON records.
  package static let measurement = "Measured on a launch of 16 ms: no difference, within ± 0.5 ms (docs/benchmarks.md)."

  package var measured: String {
    self == .populate ? "Measured on a launch of 16 ms: it is harmful." : Self.measurement
  }
}
