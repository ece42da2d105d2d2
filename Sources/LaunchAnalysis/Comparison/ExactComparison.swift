/// A metric that is the same in every launch of a program: one launch a side is enough.
public struct ExactComparison: Sendable, Equatable {
  public enum Metric: String, Sendable, CaseIterable {
    case libraries
    case libraryBytes = "library-bytes"
    case relocations
    case initializers
    case programBytes = "program-bytes"
  }

  public var metric: Metric
  public var base: Int64
  public var head: Int64
  /// What was added and what is gone, where that can be named.
  public var added: [String] = []
  public var removed: [String] = []
  /// True when there is more of it than is allowed.
  public var isRegression: Bool

  public var difference: Int64 { head - base }

  /// By the first launch of each side that says; empty where one does not.
  static func all(_ base: [Measurement], _ head: [Measurement], _ allowed: ExactAllowances) -> [ExactComparison] {
    guard let old = base.lazy.compactMap(\.provenance.image).first,
      let new = head.lazy.compactMap(\.provenance.image).first
    else { return [] }
    func within(_ old: Int64, _ new: Int64, _ share: Double) -> Bool { Double(new - old) <= share * Double(old) }
    return Metric.allCases.map { metric in
      switch metric {
      case .libraries:
        let (before, after) = (Set(old.libraries), Set(new.libraries))
        return ExactComparison(
          metric: metric, base: Int64(old.libraries.count), head: Int64(new.libraries.count),
          added: after.subtracting(before).sorted(), removed: before.subtracting(after).sorted(),
          isRegression: Int64(new.libraries.count - old.libraries.count) > allowed.libraries)
      case .libraryBytes:
        return ExactComparison(
          metric: metric, base: old.libraryBytes, head: new.libraryBytes,
          isRegression: !within(old.libraryBytes, new.libraryBytes, allowed.libraryBytes))
      case .relocations:
        return ExactComparison(
          metric: metric, base: old.relocations, head: new.relocations,
          isRegression: !within(old.relocations, new.relocations, allowed.relocations))
      case .initializers:
        return ExactComparison(
          metric: metric, base: old.initializers, head: new.initializers,
          isRegression: !within(old.initializers, new.initializers, allowed.initializers))
      case .programBytes:
        // A program may grow; what that costs is in the times.
        return ExactComparison(metric: metric, base: old.bytes, head: new.bytes, isRegression: false)
      }
    }
  }
}
