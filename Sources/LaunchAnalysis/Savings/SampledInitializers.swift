// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem
internal import LaunchTrace

/// Whose initialisers ran in a launch that did not time them, by the main thread's samples and waits of that time.
struct SampledInitializers {
  /// ns, by the path of the program or library.
  private(set) var times: [String: Int64] = [:]

  private struct Sight {
    /// Equal for a sample.
    var start: Int64
    var end: Int64
    var image: String
    /// The weight of a sample, ns.
    var least: Int64 = 0
  }

  init(_ timeline: LaunchTimeline) {
    let trace = timeline.trace
    guard let main = timeline.mainThread?.rawValue else { return }
    for phase in timeline.phases where phase.id == PhaseName.staticInit && phase.start < timeline.end {
      let range = phase.start..<min(phase.end, timeline.end)
      let sights = Self.samples(of: main, range, in: trace) + Self.waits(of: main, range, in: timeline)
      var last: Sight?
      for sight in sights.sorted(by: { $0.start < $1.start }) {
        // There are no samples while the kernel works for an initialiser.
        let since = last.flatMap { $0.image == sight.image && $0.end < sight.start ? $0.end..<sight.start : nil }
        let own = timeline.ownTime(in: sight.start..<min(sight.end, max(sight.start, range.upperBound)))
        times[sight.image, default: 0] += max(sight.least, since.map { timeline.ownTime(in: $0) } ?? 0) + own
        last = sight
      }
    }
  }

  private static func samples(of main: Int32, _ range: Range<Int64>, in trace: Trace) -> [Sight] {
    guard trace.sampleUnit == "ns", !trace.samplesWaits else { return [] }
    let samples = trace.samples
    return samples.time.places(from: range.lowerBound, through: range.upperBound).compactMap { row in
      guard samples.track[row] == main, samples.stack[row] >= 0 else { return nil }
      let time = samples.time[row]
      return image(samples.stack[row], in: trace).map {
        Sight(start: time, end: time, image: $0, least: samples.weight[row])
      }
    }
  }

  /// Those whose stack says who waited, and those for a page of the program or of a library.
  private static func waits(of main: Int32, _ range: Range<Int64>, in timeline: LaunchTimeline) -> [Sight] {
    let files = Set(timeline.libraries.libraries.map(\.path) + [timeline.executable])
    return timeline.states.waits.compactMap { wait in
      guard wait.track == main, range.contains(wait.start), wait.start < wait.end else { return nil }
      let stack = timeline.context.histories.stack(of: main, at: wait.start)
      let own = stack.flatMap { image($0, in: timeline.trace) } ?? wait.path.flatMap { files.contains($0) ? $0 : nil }
      return own.map { Sight(start: wait.start, end: wait.end, image: $0) }
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
