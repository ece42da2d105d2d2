// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem
internal import LaunchTrace

/// Whose initialisers ran in a launch that did not time them, by the main thread's samples of that time.
struct SampledInitializers {
  /// ns, by the path of the program or library.
  private(set) var times: [String: Int64] = [:]

  init(_ timeline: LaunchTimeline) {
    let trace = timeline.trace
    guard trace.sampleUnit == "ns", !trace.samplesWaits, let main = timeline.mainThread?.rawValue else { return }
    let samples = trace.samples
    for phase in timeline.phases where phase.id == PhaseName.staticInit {
      let first = samples.time.partitioningIndex { $0 >= phase.start }
      var last: (image: String, time: Int64)?
      for row in first..<samples.time.partitioningIndex(where: { $0 > min(phase.end, timeline.end) })
      where samples.track[row] == main && samples.stack[row] >= 0 {
        guard let image = Self.image(samples.stack[row], in: trace) else { continue }
        let (time, weight) = (samples.time[row], samples.weight[row])
        // There are no samples while the kernel works for an initialiser, nor while it waits.
        let since = last?.image == image ? last.map { timeline.ownTime(in: $0.time..<time) } : nil
        times[image, default: 0] += max(weight, since ?? 0)
        last = (image, time)
      }
    }
  }

  /// The file whose initialiser ran: that of the outermost function that is neither the program's start nor of the loader or libc,
  /// which call initialisers.
  private static func image(_ stack: Int32, in trace: Trace) -> String? {
    var (row, found) = (stack, nil as String?)
    while row >= 0 {
      let caller = trace.stacks.caller[Int(row)]
      let path = trace.strings[StringID(rawValue: trace.stacks[Int(row)].image)]
      let name = fileName(path)
      let isStart = caller < 0 && found != nil
      if !isStart, !name.hasPrefix("ld-"), !name.hasPrefix("libc.so") { found = path }
      row = caller
    }
    return found
  }
}
