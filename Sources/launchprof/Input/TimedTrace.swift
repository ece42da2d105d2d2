// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace

/// Traces for what compares and keeps times. Some profiles have only counts of samples.
enum TimedTrace {
  /// Says if the file has several launches.
  ///
  /// - Throws: `TraceError` if the file cannot be read, or has no times.
  static func read(_ path: String) throws(TraceError) -> Trace {
    let trace = try TraceReader().read(path: path)
    if trace.hasTimes || trace.sampleUnit == "ns" {
      let launches = trace.instants(of: CategoryName.launcher).count
      if launches > 1 {
        tell(
          "\(shown(path)): has \(launches) launches, and only the last one counts; record each into a file of its own")
      }
      return trace
    }
    throw TraceError(
      .unknownFormat, path: path,
      message: "counts samples and has no times, so it says nothing about a launch; look at it with launchprof report")
  }
}
