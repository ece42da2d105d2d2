// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace

/// The launches of a recording in memory. Their stacks are named, and the report uses them.
final class RecordedTraces {
  private(set) var naming = StackNaming(isFresh: true)
  private var timelines: [LaunchTimeline] = []
  private var paths: [String] = []
  /// Whether there will be a report.
  private let isReported: Bool

  init(isReported: Bool) { self.isReported = isReported }

  /// Names the functions in the stacks of a launch while the binaries are unchanged.
  ///
  /// - Parameter files: where files of images are that are not at their paths.
  /// - Returns: the packets to append to the trace.
  func complete(_ trace: Trace, path: String, files: [String: String]) -> [UInt8] {
    var trace = trace
    let packets = naming.name(&trace, files: files)
    if isReported {
      timelines.append(LaunchTimeline(trace: trace))
      paths.append(path)
    }
    return packets
  }

  /// The number of launches that could be read.
  var count: Int { timelines.count }
  var launches: LaunchSet { LaunchSet(timelines, names: paths) }
}
