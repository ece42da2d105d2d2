// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// Repeats series of launches that something outside disturbed.
package enum LaunchSeries {
  /// One launch of a series may be wrong. If more are, other programs may have disturbed them, so two further series
  /// are tried. Those during which the host took processors away do not count, but there are at most twelve in all.
  ///
  /// - Parameter errors: launches a series, and describes each launch that is wrong.
  /// - Returns: the errors of the last series, if all were wrong.
  package static func errors(_ errors: () throws -> [String]) rethrows -> [String] {
    var (counted, tried) = (0, 0)
    while true {
      let before = Processors()
      let found = try errors()
      if found.count <= 1 { return [] }
      tried += 1
      if !Processors().wereTaken(since: before) { counted += 1 }
      if counted == 3 || tried == 12 { return found }
    }
  }

  private static let mostLooks = 8

  /// Launches until a launch has no problem, eight times at most. For what the launcher sees only if it gets a processor in time:
  /// it looks at a thread now and then, and the kernel keeps only so many records for it.
  ///
  /// - Parameter problems: launches once, and describes what the launcher did not see.
  /// - Returns: those of the last launch, if each had some.
  package static func unseen(_ problems: () throws -> [String]) rethrows -> [String] {
    var found: [String] = []
    for _ in 0..<mostLooks {
      found = try problems()
      if found.isEmpty { break }
    }
    return found
  }
}

extension Launchprof {
  /// Records `command` as `record` does, and again while the trace says that records were lost: such a trace lacks samples and
  /// waits.
  package func recordAll(_ command: [String], options: [String] = []) throws -> (run: TestProcess, trace: String) {
    var last: (run: TestProcess, trace: String)?
    let lost = try LaunchSeries.unseen {
      let recorded = try record(command, options: options)
      last = recorded
      let observation = LaunchTimeline(trace: try TraceReader().read(path: recorded.trace)).observation
      let lost = try #require(observation, "\(recorded.run.errorText)").lostRecords
      return lost == 0 ? [] : ["\(lost) records were lost"]
    }
    #expect(lost.isEmpty, "\(command): \(lost)")
    return try #require(last)
  }
}

/// The times of all processors since the boot, in ticks: the first line of /proc/stat (proc_stat(5)).
private struct Processors {
  private var total = 0
  private var stolen = 0

  init() {
    let text = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)) ?? ""
    // user, nice, system, idle, iowait, irq, softirq, steal. Time of guests is part of user and nice.
    let times = text.prefix { $0 != "\n" }.split(separator: " ").dropFirst().prefix(8).compactMap { Int($0) }
    guard times.count == 8 else { return }
    total = times.reduce(0, +)
    stolen = times[7]
  }

  /// True if the host of this virtual machine took more than 1 % of the time.
  func wereTaken(since before: Processors) -> Bool { (stolen - before.stolen) * 100 > total - before.total }
}
