// SPDX-License-Identifier: Apache-2.0

/// A count that is the same in every launch of a program, so that one launch for each side is enough.
package enum ExactCount: String, Sendable, CaseIterable {
  /// The libraries that the program's files ask for.
  case libraries
  case libraryBytes = "library-bytes"
  case relocations
  case initializers
  case programBytes = "program-bytes"
  /// The libraries that were observed: `LoadedLibraries`.
  case mappedLibraries = "mapped-libraries"
  case openedLibraries = "opened-libraries"
  case mappedBytes = "mapped-bytes"
  /// The program's own, as they were observed: `FirstTimes`.
  case lazyGlobals = "lazy-globals"
  /// First look-ups of conformances and of types by name.
  case firstLookups = "first-lookups"

  /// Those that a configuration can limit. A program may grow: what that costs shows in the times.
  package static let limited = allCases.filter { $0 != .programBytes }

  package var isBytes: Bool { rawValue.hasSuffix("bytes") }

  /// Whether it may grow by a fraction of itself, not by a number.
  package var growsByShare: Bool { isBytes || self == .relocations || self == .initializers }

  /// How much it may grow if the user does not say: D164.
  package var standardGrowth: Double {
    switch self {
    case .libraries, .mappedLibraries, .openedLibraries: 0
    case .libraryBytes, .relocations, .initializers, .mappedBytes: 0.1
    case .programBytes, .lazyGlobals, .firstLookups: .infinity
    }
  }

  /// The detail without which a launch lacks it; nil if every launch may have it.
  var detail: String? { self == .lazyGlobals ? "globals" : self == .firstLookups ? "conformances" : nil }
}

/// How much the counts that never vary may increase.
package struct ExactAllowances: Sendable, Equatable {
  private var growth: [ExactCount: Double] = [:]
  /// As a fraction of the base's.
  package var instructions = 0.005

  package init() {}

  /// No increase is a regression.
  package static var unlimited: ExactAllowances {
    var allowances = ExactAllowances()
    for count in ExactCount.allCases { allowances[count] = .infinity }
    return allowances
  }

  /// A number, or a fraction of the base's if the count grows by share.
  package subscript(count: ExactCount) -> Double {
    get { growth[count] ?? count.standardGrowth }
    set { growth[count] = newValue }
  }

  /// The limits that the user set, but that were not checked, because a side has no such count. The others are on without being
  /// asked for.
  package func unchecked(in comparison: LaunchComparison) -> [NamedBudgets.Unmatched] {
    ExactCount.allCases.compactMap { count in
      guard let detail = count.detail, growth[count] != nil, !comparison.exact.contains(where: { $0.metric == count })
      else { return nil }
      let name = "more: \(count.rawValue)"
      return NamedBudgets.Unmatched(
        name: name, sentence: "\(name) was not checked: launch both sides with --detail \(detail)")
    }
  }
}
