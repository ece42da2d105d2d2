// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace

/// Reads the launches to compare.
enum Measuring {
  /// - Parameter orSums: also takes profiles without times (`TimedTrace`).
  static func read(_ paths: [String], orSums: Bool = false) throws(TraceError) -> [Measurement] {
    // One by one: a trace takes much more memory than its measurement.
    var launches: [Measurement] = []
    for path in paths {
      let timeline = LaunchTimeline(trace: try TimedTrace.read(path, orSum: orSums))
      launches += Measurement.all(LaunchSet([timeline], names: [path]))
    }
    return Measurement.set(launches)
  }
}
