// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

extension LaunchSet {
  /// Titles of the launches of each program, in their order.
  static func programs(_ launches: [Launch]) -> [String] {
    launches.grouped(by: \.timeline.program).map { $0.members[0].title }
  }

  private static let programsShown = 5

  /// Why the medians of several launches mean little.
  var remarks: [String] {
    var sentences: [String] = []
    let programs = Self.programs(counted.isEmpty ? launches : counted)
    if programs.count > 1 {
      let names = programs.lazy.map { PlainName.escaped($0) }.listed(Self.programsShown, rest: "others")
      sentences.append("These are launches of different programs: \(names). So their medians mean little.")
    }
    let ends = Dictionary(grouping: counted, by: \.timeline.endMilestone).mapValues(\.count)
    if ends.count > 1 {
      let each = ends.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
        "\($0.value) \(Self.words(end: $0.key))"
      }
      sentences.append(
        "They do not end at the same point: \(each.joined(separator: ", ")). So their medians mean little.")
    }
    return sentences
  }

  static func words(end: String) -> String {
    switch end {
    case MilestoneName.lastEvent: "to the last event"
    case let milestone: "to \(milestone)"
    }
  }
}
