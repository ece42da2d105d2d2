internal import LaunchTrace

/// What a thread was doing between two times: the interval that covers the most of them, else the function that samples
/// saw there the most.
struct ThreadActivity {
  private let trace: Trace
  private let spans: SpanTable

  init(_ trace: Trace, spans: SpanTable) {
    self.trace = trace
    self.spans = spans
  }

  /// nil if the trace does not say.
  func name(of track: Int32, from lower: Int64, to upper: Int64) -> String? {
    span(of: track, from: lower, to: upper) ?? function(of: track, from: lower, to: upper)
  }

  /// The innermost interval among those that cover at least half of what the best one covers.
  private func span(of track: Int32, from lower: Int64, to upper: Int64) -> String? {
    var best: (row: Int, covered: Int64)?
    for row in 0..<spans.count where spans.track[row] == track {
      if spans.start[row] >= upper { break }
      let covered = min(spans.end(row), upper) - max(spans.start[row], lower)
      // Inner ones stand behind outer ones: they replace them unless they cover far less.
      if covered > 0, covered * 2 >= best?.covered ?? 0 { best = (row, covered) }
    }
    return best.map { trace.strings[StringID(rawValue: trace.slices.name[$0.row])] }
  }

  private func function(of track: Int32, from lower: Int64, to upper: Int64) -> String? {
    let samples = trace.samples
    var counts: [Int32: Int] = [:]
    var row = samples.firstRow(at: lower)
    while row < samples.count, samples.time[row] < upper {
      if samples.track[row] == track, samples.stack[row] >= 0 { counts[samples.stack[row], default: 0] += 1 }
      row += 1
    }
    guard let stack = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key else { return nil }
    var strings = trace.strings
    var names = FrameNames(trace)
    return strings[StringID(rawValue: names.name(of: stack, in: &strings))]
  }
}

extension SampleTable {
  /// The first row at `time` or later.
  func firstRow(at time: Int64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self.time[middle] < time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
