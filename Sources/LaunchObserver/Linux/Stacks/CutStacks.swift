// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema

/// Why stacks lack their outer functions.
struct CutStacks {
  enum Cause: CaseIterable {
    /// The stack goes on beyond its copy.
    case shortCopy
    /// None of the stack was copied.
    case noCopy
    /// Its code has neither an unwind table nor a frame pointer.
    case noTables
    /// It has more functions than are looked for.
    case tooDeep

    fileprivate var word: String {
      switch self {
      case .shortCopy: LS_STACKS_SHORT_COPY
      case .noCopy: LS_STACKS_NO_COPY
      case .noTables: LS_STACKS_NO_TABLES
      case .tooDeep: LS_STACKS_TOO_DEEP
      }
    }
  }

  private var counts: [Cause: Int] = [:]

  mutating func add(_ cause: Cause) { counts[cause, default: 0] += 1 }

  /// As the trace has them: the most frequent cause first, and none that cut less than a tenth of these stacks.
  var words: [String] {
    let all = counts.values.reduce(0, +)
    let causes = Cause.allCases.filter { counts[$0, default: 0] > 0 && counts[$0, default: 0] * 10 >= all }
    // A sort need not keep the order of equals.
    return causes.enumerated().sorted { (-counts[$0.1, default: 0], $0.0) < (-counts[$1.1, default: 0], $1.0) }
      .map(\.element.word)
  }
}
