// SPDX-License-Identifier: Apache-2.0

/// The scores of the magnitudes of paired differences in a signed-rank test.
///
/// Processors change between a fast state and a slow one (the other thread of a core, the frequency, a virtual
/// machine's neighbours). A round with a launch in each state has a large difference that says nothing about the
/// programs, and Wilcoxon's ranks give these differences the most weight. Bounded scores rank the nearest third of
/// the differences; all others count alike, as in the sign test. The test remains exact, because only the signs are
/// random. It needs a quarter more rounds for normal noise, but a third fewer on a machine with two states.
///
/// Policello and Hettmansperger (1976), Journal of the American Statistical Association 71(355).
package enum RankScores: Sendable {
  /// Wilcoxon's.
  case all
  case bounded

  /// The score of the largest of this many differences. The others' score is their rank, up to this score.
  func highest(of count: Int) -> Int {
    switch self {
    case .all: count
    case .bounded: (count + 2) / 3
    }
  }
}
