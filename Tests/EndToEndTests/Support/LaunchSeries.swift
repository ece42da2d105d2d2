// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Repeats series of launches that something outside disturbed.
enum LaunchSeries {
  /// One launch of a series may be wrong. If more are, other programs may have disturbed them, so two further series
  /// are tried. Those during which the host took processors away do not count, but there are at most twelve in all.
  ///
  /// - Parameter errors: launches a series, and describes each launch that is wrong.
  /// - Returns: the errors of the last series, if all were wrong.
  static func errors(_ errors: () throws -> [String]) rethrows -> [String] {
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
