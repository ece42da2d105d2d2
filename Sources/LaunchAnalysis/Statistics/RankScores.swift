/// What the magnitudes of paired differences count in a signed-rank test.
///
/// Processors go from a fast state to a slow one and back (the other thread of a core, the frequency, a virtual machine's
/// neighbours). A round with a launch in either state has a large difference that says nothing of the programs, and
/// Wilcoxon's ranks give just those the most weight. Bounded, the nearest third of the differences is ranked and all
/// others count alike, as in the sign test. The test is as exact, since only the signs are random. Of normal noise it wants
/// a quarter more rounds, of a machine of two states a third fewer.
///
/// Policello and Hettmansperger (1976), Journal of the American Statistical Association 71(355).
package enum RankScores: Sendable {
  /// Wilcoxon's.
  case all
  case bounded

  /// The score of the largest of so many differences; that of the others is their rank, up to it.
  func highest(of count: Int) -> Int {
    switch self {
    case .all: count
    case .bounded: (count + 2) / 3
    }
  }
}
