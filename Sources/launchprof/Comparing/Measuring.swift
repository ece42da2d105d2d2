// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis
import LaunchTrace

/// Reads the launches to compare.
enum Measuring {
  /// The measurements of the traces that `arguments` name.
  ///
  /// - Throws: `ExitCode` with the given status, after printing which file cannot be read, and why.
  static func measurements(_ arguments: [String], status: Int32 = CommandStatus.failure) throws -> [Measurement] {
    try measurements(of: TraceArguments.files(arguments, status: status))
  }

  static func measurements(of paths: [String]) throws -> [Measurement] {
    do throws(TraceError) { return try read(paths) } catch { throw fail(error, status: CommandStatus.failure) }
  }

  static func read(_ paths: [String]) throws(TraceError) -> [Measurement] {
    var timelines: [LaunchTimeline] = []
    for path in paths { timelines.append(LaunchTimeline(trace: try TraceReader().read(path: path))) }
    return Measurement.all(LaunchSet(timelines, names: paths))
  }
}
