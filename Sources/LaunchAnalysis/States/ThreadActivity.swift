// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// What a thread was doing between two times: the interval that covers most of that time, if it is a quarter or more.
/// Otherwise the function in which it waited, if one wait took most of that time; else the one that most samples found.
/// Or else a shorter interval.
struct ThreadActivity {
  private let context: AnalysisContext
  private let owner: CodeOwner
  /// Built on the first request.
  private lazy var rows = RowsByTrack(spans.track, trackCount: trace.tracks.count)

  init(_ context: AnalysisContext) {
    self.context = context
    owner = CodeOwner(program: context.executable)
  }

  private var trace: Trace { context.trace }
  private var spans: SpanTable { context.spans }

  /// nil if the trace does not say.
  mutating func name(of track: Int32, from lower: Int64, to upper: Int64) -> String? {
    let span = span(of: track, from: lower, to: upper)
    if let span, span.covered * 4 >= upper - lower { return span.name }
    if let wait = longWait(of: track, from: lower, to: upper) {
      return context.histories.place(of: track, at: wait.start)?.own ?? span?.name
    }
    return function(of: track, from: lower, to: upper) ?? span?.name
  }

  /// The wait that took more than half of the time. Samples are of what the thread did in the rest, and say nothing
  /// about it.
  private func longWait(of track: Int32, from lower: Int64, to upper: Int64) -> ThreadTurns.Pause? {
    func overlap(_ pause: ThreadTurns.Pause) -> Int64 { min(pause.end, upper) - max(pause.start, lower) }
    let longest = context.histories.turns(of: track).pauses(in: lower..<upper).max { overlap($0) < overlap($1) }
    return longest.flatMap { $0.isWait && overlap($0) * 2 > upper - lower ? $0 : nil }
  }

  /// The innermost of the intervals that cover at least half as much as the one that covers most.
  private mutating func span(
    of track: Int32, from lower: Int64, to upper: Int64
  ) -> (name: String, covered: Int64)? {
    var best: (row: Int, covered: Int64)?
    for row in rows[track].lazy.map(Int.init) {
      if spans.start[row] >= upper { break }
      let covered = min(spans.end(row), upper) - max(spans.start[row], lower)
      // Inner intervals come after outer ones, and replace them unless they cover far less.
      if covered > 0, covered * 2 >= best?.covered ?? 0 { best = (row, covered) }
    }
    return best.map { (trace.name(ofSlice: $0.row), $0.covered) }
  }

  /// The innermost function in at least half of the samples, preferably one of the program's own code.
  private func function(of track: Int32, from lower: Int64, to upper: Int64) -> String? {
    guard let samples = context.large.samples else { return nil }
    let (table, tree) = (trace.samples, samples.tree)
    var counts: [Int: Int] = [:]
    var total = 0
    for row in table.time.places(from: lower, to: upper)
    where table.track[row] == track && samples.nodes[row] >= 0 {
      total += 1
      for node in tree.parent.chain(from: Int(samples.nodes[row])) { counts[node, default: 0] += 1 }
    }
    // Inner nodes have greater numbers.
    let frequent = counts.filter { $0.value * 2 >= total && tree.parent[$0.key] >= 0 }.keys.sorted(by: >)
    let entries = EntryFrames(tree)
    let own = frequent.first { node in
      let image = trace.strings[StringID(rawValue: trace.stacks[Int(samples.frames[node])].image)]
      return owner.isOwn(image: image, function: tree.name(of: node)) && !entries.contains(Int32(node))
    }
    return (own ?? frequent.first).map { tree.name(of: $0) }
  }
}
