internal import LaunchTrace

/// What a thread was doing between two times: the interval that covers the most of them, else the function that samples
/// saw there the most.
struct ThreadActivity {
  private let trace: Trace
  private let spans: SpanTable
  private let context: AnalysisContext
  private let owner: CodeOwner
  /// Made when it is first asked for.
  private var rows: RowsByTrack?

  init(_ context: AnalysisContext) {
    self.context = context
    trace = context.trace
    spans = context.spans
    owner = CodeOwner(program: context.executable)
  }

  /// nil if the trace does not say.
  mutating func name(of track: Int32, from lower: Int64, to upper: Int64) -> String? {
    span(of: track, from: lower, to: upper) ?? function(of: track, from: lower, to: upper)
  }

  /// The innermost interval among those that cover at least half of what the best one covers.
  private mutating func span(of track: Int32, from lower: Int64, to upper: Int64) -> String? {
    let rows = self.rows ?? RowsByTrack(spans.track, trackCount: trace.tracks.count)
    self.rows = rows
    var best: (row: Int, covered: Int64)?
    for row in rows[track].lazy.map(Int.init) {
      if spans.start[row] >= upper { break }
      let covered = min(spans.end(row), upper) - max(spans.start[row], lower)
      // Inner ones stand behind outer ones: they replace them unless they cover far less.
      if covered > 0, covered * 2 >= best?.covered ?? 0 { best = (row, covered) }
    }
    return best.map { trace.strings[StringID(rawValue: trace.slices.name[$0.row])] }
  }

  /// The innermost function that at least half of the samples are in; of the program's own code, if there is one.
  private func function(of track: Int32, from lower: Int64, to upper: Int64) -> String? {
    guard let samples = context.large.samples else { return nil }
    let (table, tree) = (trace.samples, samples.tree)
    var counts: [Int: Int] = [:]
    var total = 0
    var row = table.firstRow(at: lower)
    while row < table.count, table.time[row] < upper {
      var node = table.track[row] == track ? Int(samples.nodes[row]) : -1
      if node >= 0 { total += 1 }
      while node >= 0 {
        counts[node, default: 0] += 1
        node = Int(tree.parent[node])
      }
      row += 1
    }
    // The inner ones have greater numbers.
    let frequent = counts.filter { $0.value * 2 >= total && tree.parent[$0.key] >= 0 }.keys.sorted(by: >)
    let entries = EntryFrames(tree)
    let own = frequent.first { node in
      let image = trace.strings[StringID(rawValue: trace.stacks.image[Int(samples.frames[node])])]
      return owner.isOwn(image: image, function: tree.name(of: node)) && !entries.contains(Int32(node))
    }
    return (own ?? frequent.first).map { tree.name(of: $0) }
  }
}
