// SPDX-License-Identifier: Apache-2.0

import LaunchTrace

/// Traces for what compares and keeps times. Some profiles have only counts of samples.
enum TimedTrace {
  /// - Throws: `TraceError` if the file cannot be read, or has no times.
  static func read(_ path: String) throws(TraceError) -> Trace {
    let trace = try TraceReader().read(path: path)
    if trace.hasTimes || trace.sampleUnit == "ns" { return trace }
    throw TraceError(
      .unknownFormat, path: path,
      message: "counts samples and has no times, so it says nothing about a launch; look at it with launchprof report")
  }
}
