// SPDX-License-Identifier: Apache-2.0

/// Parts of a segment in which a step is searched that other steps hide.
///
/// Their lengths grow by half, and each length begins at places a third of it apart: so some window contains each step and no
/// other one, if the levels on both sides are long enough. Kovács et al. (2023), Seeded binary segmentation, search such
/// parts.
struct SeriesWindows {
  /// All windows that are shorter than the segment.
  let all: [Range<Int>]
  private let segment: Range<Int>

  /// A step that needs a longer part is too small to hide others.
  private static let longest = 45
  /// A step with enough evidence moves the level by more than this many times what neighbouring points differ by. This only saves
  /// the time of windows without any.
  private static let leastRise = 1.5

  init(in segment: Range<Int>) {
    var (windows, length) = ([Range<Int>](), 2 * StepSearch.leastSegment)
    while length <= Self.longest, length < segment.count {
      let last = segment.upperBound - length
      // The shortest ones have no place to spare.
      let distance = length < 3 * StepSearch.leastSegment ? 1 : length / 3
      windows += stride(from: segment.lowerBound, to: last, by: distance).map { $0..<($0 + length) }
      windows.append(last..<segment.upperBound)
      length += length / 2
    }
    (all, self.segment) = (windows, segment)
  }

  /// The windows of which one half may be at another level than the other half.
  func uneven(_ samples: [[Double]]) -> [Range<Int>] {
    let medians = samples[segment].map(SessionBootstrap.median)
    let differences = zip(medians, medians.dropFirst()).map { abs($1 - $0) }
    let least = Self.leastRise * SessionBootstrap.spread(deviations: differences) / 2.0.squareRoot()
    return all.filter { window in
      let (start, middle) = (window.lowerBound - segment.lowerBound, window.count / 2)
      let part = medians[start..<start + window.count]
      let halves = (
        SessionBootstrap.median(Array(part.prefix(middle))), SessionBootstrap.median(Array(part.dropFirst(middle)))
      )
      return abs(halves.1 - halves.0) > least
    }
  }
}
