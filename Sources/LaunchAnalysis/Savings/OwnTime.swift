// SPDX-License-Identifier: Apache-2.0

extension LaunchTimeline {
  /// The time of the program itself in a range of the main thread, ns. It excludes the time in which other programs had the
  /// processor, and unobserved time, such as the time until the launcher learns of the exit.
  func ownTime(in range: Range<Int64>) -> Int64 {
    let length = range.upperBound - range.lowerBound
    guard states.isKnown else { return length }
    let totals = states.totals(from: range.lowerBound, to: range.upperBound)
    return length - totals[.runnable] - totals[.unknown]
  }

  var ownTime: Int64 { ownTime(in: start..<end) }
}
