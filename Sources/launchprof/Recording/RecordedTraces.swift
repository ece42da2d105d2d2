import LaunchAnalysis
import LaunchTrace

/// The launches of a recording as they lie in memory: their stacks are named, and they are reported from there.
final class RecordedTraces {
  private(set) var naming = StackNaming(isFresh: true)
  private var timelines: [LaunchTimeline] = []
  private var paths: [String] = []
  /// Whether a report will be wanted.
  private let isReported: Bool

  init(isReported: Bool) { self.isReported = isReported }

  /// Names the functions in the stacks of a launch, while the binaries are what they were.
  ///
  /// - Returns: what to append to the trace.
  func complete(_ trace: Trace, path: String) -> [UInt8] {
    var trace = trace
    let packets = naming.name(&trace)
    if isReported {
      timelines.append(LaunchTimeline(trace: trace))
      paths.append(path)
    }
    return packets
  }

  /// How many launches could be read.
  var count: Int { timelines.count }
  var launches: LaunchSet { LaunchSet(timelines, names: paths) }
}
