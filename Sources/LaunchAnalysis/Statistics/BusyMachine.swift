// SPDX-License-Identifier: Apache-2.0

/// The part of a step that other work on the machine may have made.
///
/// Other work delays launches, and it scatters them. So if the slower launches also scatter more, the machine may have
/// been busy for some commits. A change of the program moves its launches, and their spread on a logarithmic scale stays.
struct BusyMachine {
  /// How far the level may have moved, in the direction of the step. Zero if the spread did not grow with the level.
  let part: Double

  /// A busy machine moves the level by this many times what it adds to the spread. Recorded hours of a busy machine
  /// moved it by 2.4 to 2.9 times in the median, and by 1.5 times or more in nine of ten (D232).
  private static let delayOfSpread = 2.0

  /// - Parameters:
  ///   - samples: logarithms of the launches of each commit.
  ///   - place: index in `samples` of the first commit of the new level.
  ///   - rise: from the old level to the new one.
  init(_ samples: ArraySlice<[Double]>, at place: Int, rise: Double) {
    let (before, after) = (Spread(samples[..<place]), Spread(samples[place...]))
    let growth = rise > 0 ? after.value - before.value : before.value - after.value
    // A spread is only known up to its error. Without this, equal spreads would count as a busy machine half of the time.
    let error = (before.error * before.error + after.error * after.error).squareRoot()
    part = Self.delayOfSpread * max(0, growth - error)
  }

  /// The spread of launches around the medians of their commits.
  private struct Spread {
    let value: Double
    let error: Double

    init(_ samples: ArraySlice<[Double]>) {
      let deviations = samples.flatMap { sample in
        let median = SessionBootstrap.median(sample)
        return sample.map { abs($0 - median) }
      }
      value = SessionBootstrap.spread(deviations: deviations)
      // For normal noise, the standard error of the spread is 1.2 times the spread over the root of the count.
      error = 1.2 * value / Double(deviations.count).squareRoot()
    }
  }
}
