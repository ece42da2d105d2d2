// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

extension LaunchTimeline {
  /// The largest number of reasons for which events were ignored that a sentence has.
  private static let mostReasons = 3

  /// Sentences about what of the file is not in the launch, so that readers do not take it for complete.
  package var losses: [String] {
    let (count, statistics) = (launchesInTrace, trace.statistics)
    func ignored(_ count: Int, _ reason: String) -> [String] {
      count == 0 ? [] : ["\(count) event\(count == 1 ? "" : "s") ignored: \(reason)"]
    }
    let kinds = statistics.ignoredByCount
    var reasons = kinds.prefix(Self.mostReasons).map { kinds.count == 1 ? $0.key : "\($0.key) (\($0.value))" }
    if kinds.count > Self.mostReasons { reasons.append("others") }
    let isLast = "the file has \(count) launches, and this is the last one: record each into a file of its own"
    let isCut = statistics.cutStacks > 0
    return (count > 1 ? [isLast] : [])
      + ignored(kinds.reduce(0) { $0 + $1.value }, reasons.joined(separator: ", "))
      + ignored(statistics.unsound, "the time, duration or weight is too large for a launch")
      + (isCut ? ["inner frames are missing: the file has too many different stacks for its size"] : [])
      + ignored(statistics.untracked, "the file has too many tracks for its size")
  }

  /// `losses` with damage, for reports without findings.
  package var lossesAndDamage: [String] {
    let places = trace.statistics.defects
    let unread = "the trace is damaged: \(places) place\(places == 1 ? "" : "s") could not be read"
    if places > 0 { return [unread] + losses }
    return (trace.statistics.truncated ? ["the trace is damaged: its end is missing"] : []) + losses
  }
}
