// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// The names of metrics in a table of launch records: `phase/load`, `count/minorFaults`.
enum MetricPath {
  /// The order of the phases in a launch. Other metrics come before them.
  static func precedes(_ left: String, _ right: String) -> Bool {
    let phases = [left, right].map { $0.hasPrefix("phase/") }
    if phases[0] != phases[1] { return phases[1] }
    let paths = [left, right].map { $0.split(separator: "/").map(String.init) }
    return phases[0] ? PhaseOrder.precedes(paths[0], paths[1]) : left < right
  }
}
