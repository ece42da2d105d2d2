extension LaunchTimeline {
  /// What of a stretch of the main thread's is the program's, ns: without the time in which other programs had the processor, and
  /// without what nobody saw, such as how long the launcher took to learn of the exit.
  func ownTime(in range: Range<Int64>) -> Int64 {
    let length = range.upperBound - range.lowerBound
    guard states.isKnown else { return length }
    let totals = states.totals(from: range.lowerBound, to: range.upperBound)
    return length - totals[.runnable] - totals[.unknown]
  }

  var ownTime: Int64 { ownTime(in: start..<end) }
}
