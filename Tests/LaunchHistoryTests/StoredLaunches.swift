// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport

@testable import LaunchHistory

extension Measurement {
  /// Those of `count` synthetic launches.
  static func synthetic(_ count: Int, seed: UInt64 = 1) -> [Measurement] {
    var launches = ComparedLaunches(seed: seed)
    return all(LaunchSet(samples: launches.session("s\(seed)", count)))
  }
}

extension HistoryStore {
  /// Adds launches of one program. A launch that has the same commit and number is the same.
  func add(_ launches: [Measurement], commit: String, from first: Int = 0) throws -> Int {
    let rows = launches.enumerated().map { ($0.element, "\(commit) \(first + $0.offset)") }
    return try add(
      rows, key: { _ in HistoryKey(program: "notes", machine: "m", configuration: "release") }, commit: commit, now: 7
    ).added
  }
}
