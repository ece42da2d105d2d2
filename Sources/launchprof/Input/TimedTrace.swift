// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace

/// Traces for what compares and keeps times. Some profiles have only samples without times.
enum TimedTrace {
  /// Says if the file has several launches.
  ///
  /// - Parameter orSum: also takes a profile without times whose samples weigh nanoseconds. Their sum can be compared with
  ///   that of another such profile.
  /// - Throws: `TraceError` if the file cannot be read, or has no times.
  static func read(_ path: String, orSum: Bool = false) throws(TraceError) -> Trace {
    let trace = try TraceReader().read(path: path)
    let isSum = !trace.hasTimes && trace.sampleUnit == "ns"
    if trace.hasTimes || (orSum && isSum) {
      let launches = trace.instants(of: CategoryName.launcher).count
      if launches > 1 {
        tell(
          "\(shown(path)): has \(launches) launches, and only the last one counts; record each into a file of its own")
      }
      return trace
    }
    throw TraceError(
      .unknownFormat, path: path,
      message: isSum
        ? "its samples have no times, and their sum is not the time of a launch; look at it with launchprof report"
        : "counts \(trace.sampleUnitName) and has no times, so it says nothing about a launch; look at it with "
          + "launchprof report")
  }
}
