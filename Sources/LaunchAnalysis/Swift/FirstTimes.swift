// SPDX-License-Identifier: Apache-2.0

/// What Swift's runtime did for the first time in a launch: the same every time, if the program does the same.
package struct FirstTimes: Sendable, Equatable {
  /// In the order in which they were first asked for, each once.
  package private(set) var names: [String] = []
  /// The own time of each, ns.
  package private(set) var times: [String: Int64] = [:]

  package init(_ all: some Sequence<(name: String, time: Int64)>) {
    for (name, time) in all {
      if times[name] == nil { names.append(name) }
      times[name, default: 0] += time
    }
  }

  /// The program's own lazy globals; nil if they were not watched, or if records were lost.
  static func globals(of timeline: LaunchTimeline) -> FirstTimes? {
    guard let observation = timeline.observation, observation.globals != nil, observation.lostRecords == 0 else {
      return nil
    }
    return FirstTimes(timeline.lazyGlobals.globals(of: .program).map { ($0.name, $0.selfTime) })
  }

  /// First look-ups, including the language's own; nil if they were not watched, or if records were lost.
  static func lookups(of timeline: LaunchTimeline) -> FirstTimes? {
    guard let observation = timeline.observation, observation.lookups != nil, observation.lostRecords == 0 else {
      return nil
    }
    return FirstTimes(timeline.lookups.lookups.map { ($0.name, $0.selfTime) })
  }
}
