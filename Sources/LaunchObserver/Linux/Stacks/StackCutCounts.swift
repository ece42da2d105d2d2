// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// How many stacks lack their outer functions, by the reason.
struct StackCutCounts {
  private var counts: [StackCut: Int] = [:]

  mutating func add(_ cut: StackCut) { counts[cut, default: 0] += 1 }

  /// As the trace has them: the most frequent cause first, and none that cut less than a tenth of these stacks.
  var words: [String] {
    let all = counts.values.reduce(0, +)
    let causes = StackCut.allCases.filter { counts[$0, default: 0] > 0 && counts[$0, default: 0] * 10 >= all }
    // A sort need not keep the order of equals.
    return causes.enumerated().sorted { (-counts[$0.1, default: 0], $0.0) < (-counts[$1.1, default: 0], $1.0) }
      .map(\.element.word)
  }
}
