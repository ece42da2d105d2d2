// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis

/// Launches that failed, in one sentence: how many, of which side, how, and what shows more.
package struct FailedLaunches {
  /// One side, and one way to fail.
  private struct Group: Hashable {
    var side: String?
    var failure: LaunchFailure?
  }

  private let groups: [Group]
  /// The trace of the first one; empty if it has none.
  private let firstName: String

  package init(_ launches: [Measurement]) {
    groups = launches.map { Group(side: $0.provenance.side, failure: $0.failure) }
    firstName = launches.first?.name ?? ""
  }

  /// nil if no launch of a set failed.
  init?(failed launches: LaunchSet) {
    let failed = launches.launches.filter { $0.leftOut == .failed }
    guard let first = failed.first else { return nil }
    groups = failed.map { Group(side: $0.timeline.provenance.side, failure: LaunchFailure($0.timeline)) }
    firstName = first.name
  }

  private static let mostGroups = 4

  /// The summary, and a command that shows more.
  package var sentence: String {
    firstName.isEmpty ? summary : "\(summary); see " + CommandText.line(["launchprof", "report", firstName])
  }

  /// `3 launches failed: 2 of the base exited with 7, 1 of the head was killed by SIGSEGV`
  package var summary: String {
    let all = groups.grouped { $0 }
    let isOneWay = all.count == 1 && all[0].key.side == nil
    let ways = all.prefix(Self.mostGroups).compactMap { words($0.key, $0.members.count, isCounted: !isOneWay) }
    var text = DecimalText.counted(groups.count, "launch") + " failed"
    if !ways.isEmpty { text += ": " + ways.joined(separator: ", ") }
    if all.count > Self.mostGroups { text += ", others in other ways" }
    return text
  }

  /// `2 of the base exited with 7`; nil if nothing is known.
  private func words(_ group: Group, _ count: Int, isCounted: Bool) -> String? {
    let how = group.failure.map { Self.words($0, isPlural: count > 1) }
    guard isCounted else { return how.map { (count > 1 ? "they " : "it ") + $0 } }
    let which = "\(count)" + (group.side.map { " of the \(PlainName.escaped($0))" } ?? "")
    return which + " " + (how ?? "failed")
  }

  /// `exited with 7`, `exited with 0 and never listened on a socket`.
  static func words(_ failure: LaunchFailure, isPlural: Bool) -> String {
    if failure.lacksEnd { return isPlural ? "lack the end of their traces" : "lacks the end of its trace" }
    let was = isPlural ? "were" : "was"
    let end: String? =
      switch failure.outcome {
      case .exited(let status), .succeeded(let status): "exited with \(status)"
      case .signalled(let signal): "\(was) killed by \(SignalName.name(signal))"
      case .deadlinePassed: "\(was) not complete at \(isPlural ? "their deadlines" : "its deadline")"
      case .timedOut: failure.missed == nil ? "ran out of time and \(was) ended" : "ran out of time"
      case .failedToStart(let reason):
        "could not be started" + (reason.isEmpty ? "" : " (\(PlainName.escaped(reason)))")
      case .ended, .unknown: nil
      }
    let missed = failure.missed.map { "never \(PlainName.escaped($0))" }
    let parts = [end, missed].compactMap(\.self)
    return parts.isEmpty ? "did not reach the end of the launch" : parts.joined(separator: " and ")
  }
}
