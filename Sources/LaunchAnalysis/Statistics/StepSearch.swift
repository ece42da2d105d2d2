/// Where a series of samples goes from one level to another, by the likelihood of the samples.
///
/// The series is divided in two where that is more likely by far than one level for all of it, and both parts again.
/// Ranks of medians show *that* a level changed and blur *where*; the likelihood says how sure each place is.
package enum StepSearch {
  package struct Step: Sendable, Equatable {
    /// The first sample of the new level, most probably.
    package var place: Int
    /// The shortest run of places around it that holds the step with `StepSearch.confidence`.
    package var places: ClosedRange<Int>
    /// How probable each of `places` is.
    package var probabilities: [Double]
    /// How much more likely a step is than none: a natural logarithm.
    package var evidence: Double
  }

  /// A step is one from here on: 400 times as likely as none. Of series of real launches without a step, fewer than one in a
  /// hundred reach that (docs/benchmarks.md).
  package static let leastEvidence = 6.0
  /// Samples on each side of a step. Fewer may be an outlier: one slow minute of the machine.
  package static let leastSegment = 3
  package static let confidence = 0.99

  /// The steps of a series, in its order.
  ///
  /// - Parameter samples: of each point, finite values on a scale on which noise adds: logarithms of times. None is empty.
  package static func steps(in samples: [[Double]]) -> [Step] {
    var steps: [Step] = []
    var open = [samples.indices]
    while let segment = open.popLast() {
      guard segment.count >= 2 * leastSegment, var step = StepLikelihood(samples[segment]).step else { continue }
      step.place += segment.lowerBound
      step.places = (step.places.lowerBound + segment.lowerBound)...(step.places.upperBound + segment.lowerBound)
      steps.append(step)
      open += [step.place..<segment.upperBound, segment.lowerBound..<step.place]
    }
    return steps.sorted { $0.place < $1.place }
  }
}
