// SPDX-License-Identifier: Apache-2.0

/// Finds where a series of samples changes from one level to another, by the likelihood of the samples.
///
/// The series is split in two where that is far more likely than one level for all of it. Then both parts are searched
/// in turn. Where one step is not likely, two may be: of a change and its revert. Ranks of medians show *that* a level
/// changed and blur *where*; the likelihood says how sure each place is.
package enum StepSearch {
  package struct Step: Sendable, Equatable {
    /// The most probable first sample of the new level.
    package var place: Int
    /// The shortest range of places around it that contains the step with probability `StepSearch.confidence`.
    package var places: ClosedRange<Int>
    /// The probability of each of `places`.
    package var probabilities: [Double]
    /// How much likelier a step is than no step: a natural logarithm.
    package var evidence: Double
    /// Whether the companion of the samples shows the step.
    package var isOfCompanion = false

    /// The same step, counted from `distance` places earlier.
    fileprivate func moved(_ distance: Int) -> Step {
      var step = self
      step.place += distance
      step.places = (places.lowerBound + distance)...(places.upperBound + distance)
      return step
    }
  }

  /// The least evidence for a step: 150 times as likely as none. Of series of real launches without a step, fewer
  /// than one in a hundred reach it (docs/benchmarks.md).
  package static let leastEvidence = 5.0
  /// The fewest samples on each side of a step. Fewer may be an outlier: one slow minute of the machine.
  package static let leastSegment = 3
  package static let confidence = 0.99
  /// The further evidence for a step that is found only without the last one or two points (D292). They may have begun a new
  /// level, which is too short to be found, and which makes all others look scattered. Two more searches find more steps that
  /// are none, so such a step must be twenty times as likely: the logarithm of twenty.
  private static let leastMore = 3.0
  /// The further evidence for a step that is found only if some points may be outliers: the logarithm of 150 (D303).
  private static let leastMoreWithOutliers = 5.0
  /// In longer series, an outlier hides little, and the further search finds more steps that are none.
  private static let longestWithOutliers = 20

  /// The steps of a series, in its order.
  ///
  /// - Parameters:
  ///   - samples: one or more finite values for each point, on a scale on which noise adds: logarithms of times.
  ///   - companion: another measure of the same points, which may show a step that the samples do not show. It may do
  ///     so only in the direction in which the samples go.
  ///   - isOfOneMachine: whether other work on the machine may have made a step. A step is then only found if it is also
  ///     one without the part that such work explains.
  package static func steps(
    in samples: [[Double]], companion: [[Double]]? = nil, isOfOneMachine: Bool = false, prior: SeriesPrior = .ofCommits
  ) -> [Step] {
    func find(_ samples: ArraySlice<[Double]>, _ hasOutliers: Bool) -> Step? {
      isOfOneMachine ? stepOfProgram(in: samples, prior, hasOutliers) : anyStep(in: samples, prior, hasOutliers)
    }
    var steps: [Step] = []
    var open = [samples.indices]
    while let segment = open.popLast() {
      func search(_ part: Range<Int>, _ hasOutliers: Bool) -> Step? {
        step(in: samples[part], companion?[part]) { find($0, hasOutliers) }?.moved(part.lowerBound)
      }
      func searchAll(_ part: Range<Int>, hasOutliers: Bool = false) -> [Step] {
        guard part.count >= 2 * leastSegment else { return [] }
        if let step = search(part, hasOutliers) { return [step] }
        guard
          let bump = bump(samples[part], prior, hasOutliers)
            ?? companion.flatMap({ bump($0[part], prior, hasOutliers) })
        else { return [] }
        return ends(of: bump, in: part) { search($0, hasOutliers) }
      }
      var found = searchAll(segment)
      if found.isEmpty, samples.count <= longestWithOutliers {
        found = certain(searchAll(segment, hasOutliers: true), by: leastMoreWithOutliers)
      }
      if found.isEmpty, segment.upperBound == samples.count {
        found =
          (1..<leastSegment).lazy.map { certain(searchAll(segment.dropLast($0)), by: leastMore) }.first { !$0.isEmpty }
          ?? []
      }
      guard !found.isEmpty else { continue }
      steps += found
      let places = [segment.lowerBound] + found.map(\.place) + [segment.upperBound]
      open += zip(places, places.dropFirst()).map { $0..<$1 }
    }
    return steps.sorted { $0.place < $1.place }
  }

  /// The steps, if all of them have so much more evidence than a step needs; otherwise none.
  private static func certain(_ steps: [Step], by more: Double) -> [Step] {
    steps.allSatisfy { $0.evidence >= leastEvidence + more } ? steps : []
  }

  private static func bump(_ samples: ArraySlice<[Double]>, _ prior: SeriesPrior, _ hasOutliers: Bool) -> Range<Int>? {
    guard samples.count >= 3 * leastSegment,
      let bump = BumpLikelihood(samples, prior, hasOutliers: hasOutliers).bump
    else { return nil }
    return samples.startIndex + bump.lowerBound..<samples.startIndex + bump.upperBound
  }

  /// The steps at both ends of a bump, if each is also a step of the series without what is beyond the other end.
  private static func ends(of bump: Range<Int>, in segment: Range<Int>, _ search: (Range<Int>) -> Step?) -> [Step] {
    // A long bump is only known approximately.
    let margin = bump.count / 8
    guard let first = search(segment.lowerBound..<bump.upperBound - margin),
      let last = search(bump.lowerBound + margin..<segment.upperBound), first.place < last.place
    else { return [] }
    return [first, last]
  }

  /// The step of a segment: the one with more evidence. Its places count from the beginning of the segment.
  private static func step(
    in samples: ArraySlice<[Double]>, _ companion: ArraySlice<[Double]>?, _ find: (ArraySlice<[Double]>) -> Step?
  ) -> Step? {
    let own = find(samples)
    guard let companion, var other = find(companion), other.evidence > own?.evidence ?? 0,
      rise(of: samples, at: other.place) * rise(of: companion, at: other.place) > 0
    else { return own }
    other.isOfCompanion = true
    return other
  }

  private static func anyStep(in samples: ArraySlice<[Double]>, _ prior: SeriesPrior, _ hasOutliers: Bool) -> Step? {
    StepLikelihood(samples, prior, hasOutliers: hasOutliers).step
  }

  /// The step, if it is also one without the part that a busy machine explains (D232).
  private static func stepOfProgram(
    in samples: ArraySlice<[Double]>, _ prior: SeriesPrior, _ hasOutliers: Bool
  ) -> Step? {
    guard let step = anyStep(in: samples, prior, hasOutliers) else { return nil }
    let (place, rise) = (samples.startIndex + step.place, rise(of: samples, at: step.place))
    let part = BusyMachine(samples, at: place, rise: rise).part
    if part == 0 { return step }
    if part >= abs(rise) { return nil }
    let shift = rise > 0 ? part : -part
    let rest = samples[..<place] + samples[place...].map { sample in sample.map { $0 - shift } }
    return anyStep(in: rest, prior, hasOutliers) == nil ? nil : step
  }

  /// How far the median after a place is above the one before it.
  private static func rise(of samples: ArraySlice<[Double]>, at place: Int) -> Double {
    let medians = samples.map(SessionBootstrap.median)
    return SessionBootstrap.median(Array(medians[place...])) - SessionBootstrap.median(Array(medians[..<place]))
  }
}
