// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// When threads ran, as far as it is known without their switches.
struct RunningTimes {
  private var times: [Int32: [Range<Int64>]] = [:]

  /// While a thread runs, its samples are one period apart. After a longer step it did not run, or was not sampled.
  private static let longestStep = 1.5
  /// A phase that ran from start to end used at least this share of its duration as CPU time.
  private static let leastCPU = 0.9

  init(_ trace: Trace, spans: SpanTable, tracks: Set<Int32>) {
    guard !tracks.isEmpty else { return }
    var found: [Int32: [Range<Int64>]] = [:]
    let samplesWaits = trace.samplesWaits || OwnSampler(trace)?.samplesWaits == true
    if trace.hasTimes, trace.sampleUnit == "ns", !samplesWaits { Self.collectSamples(trace, tracks, &found) }
    Self.collectPhases(trace, spans, tracks, &found)
    times = found.mapValues(Time.union)
  }

  subscript(track: Int32) -> [Range<Int64>] { times[track] ?? [] }

  /// A sample says that the thread ran half a period before and after it.
  private static func collectSamples(_ trace: Trace, _ tracks: Set<Int32>, _ found: inout [Int32: [Range<Int64>]]) {
    let samples = trace.samples
    for row in 0..<samples.count where tracks.contains(samples.track[row]) {
      let (time, period) = (samples.time[row], min(samples.weight[row], 1_000_000_000))
      guard period > 1 else { continue }
      let reach = time - period / 2..<time + period - period / 2
      var ranges = found.removeValue(forKey: samples.track[row]) ?? []
      if let last = ranges.last, Double(time - last.upperBound) <= Double(period) * (longestStep - 0.5) {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, reach.upperBound)
      } else {
        ranges.append(reach)
      }
      found[samples.track[row]] = ranges
    }
  }

  /// A phase without a context switch, voluntary or not, ran from start to end. Its CPU time has to agree: some sandboxes
  /// do not count switches.
  private static func collectPhases(
    _ trace: Trace, _ spans: SpanTable, _ tracks: Set<Int32>, _ found: inout [Int32: [Range<Int64>]]
  ) {
    for row in 0..<spans.count where spans.flags[row].contains(.phase) && tracks.contains(spans.track[row]) {
      guard let costs = PhaseCosts(of: row, in: trace), costs.voluntarySwitches == 0, costs.involuntarySwitches == 0,
        spans.duration[row] > 0, Double(costs.cpu) >= Double(spans.duration[row]) * leastCPU
      else { continue }
      found[spans.track[row], default: []].append(spans.start[row]..<spans.end(row))
    }
  }
}
