internal import LaunchTrace

/// Chooses, of the functions that ran over budget within each other, those that a reader wants to hear of.
///
/// A long call is in `main`, in all that lies between, and in what a library does for it. What can be changed is the
/// innermost function of the program's own code; the ones around it are named only for what is beyond it.
struct InferredWork {
  struct Choice {
    var span: InferredSpan
    var function: SampledFunction
    var budget: Int64
    /// What it took, ns: without the time in which it had no processor, for which other programs are to blame.
    var work: Int64
  }

  private let timeline: LaunchTimeline
  private let samples: SampleTree
  private let entries: EntryFrames
  private let owner: CodeOwner

  init(_ timeline: LaunchTimeline, samples: SampleTree) {
    self.timeline = timeline
    self.samples = samples
    entries = EntryFrames(samples.tree)
    owner = CodeOwner(program: timeline.executable)
  }

  func choices() -> [Choice] {
    let candidates = timeline.inferredSpans.compactMap(candidate)
    var chosen: [Choice] = []
    // Innermost first, because the time of a chosen function is subtracted from the functions around it.
    for candidate in candidates.sorted(by: { depth($0) > depth($1) }) where candidate.function.isOwn {
      let inside = chosen.filter { contains(candidate.span, $0.span) }.map(\.span.range) + recorded(in: candidate.span)
      let told = Time.union(inside).reduce(0) { $0 + timeline.work(in: $1) }
      if candidate.work - candidate.span.error - told > candidate.budget { chosen.append(candidate) }
    }
    // With none of the program's own around it, the outermost of a library.
    for candidate in candidates where !candidate.function.isOwn {
      let isKnown = chosen.contains { contains($0.span, candidate.span) || contains(candidate.span, $0.span) }
      if !isKnown { chosen.append(candidate) }
    }
    return chosen.sorted { ($0.span.start, $0.span.node) < ($1.span.start, $1.span.node) }
  }

  private func candidate(_ span: InferredSpan) -> Choice? {
    if entries.contains(Int32(span.node)) { return nil }
    let function = samples.function(of: span, in: timeline.trace, owner: owner)
    // The loader's time is that of its phases.
    if (function.image.split(separator: "/").last ?? "").hasPrefix("ld-") { return nil }
    let budget = timeline.budgets.interval(function.name)
    let work = timeline.work(in: span.range)
    guard work - span.error > budget, !isTold(span) else { return nil }
    return Choice(span: span, function: function, budget: budget, work: work)
  }

  /// Something recorded says the same: an interval, or an initialiser, whose budget is the one that counts; or a phase
  /// that is nothing but this call, and within its budget.
  private func isTold(_ span: InferredSpan) -> Bool {
    var slice = Int(span.slice)
    while slice >= 0 {
      let flags = timeline.spans.flags[slice]
      if flags.contains(.initializer) || !flags.contains(.phase) { return true }
      if let budget = timeline.spans.budget(of: slice, in: timeline.trace, by: timeline.budgets),
        timeline.spans.duration[slice] <= budget, span.duration * 20 >= timeline.spans.duration[slice] * 19
      {
        return true
      }
      slice = Int(timeline.spans.parent[slice])
    }
    return false
  }

  /// Intervals and phases that the function called: they have names of their own, and budgets.
  private func recorded(in span: InferredSpan) -> [Range<Int64>] {
    let spans = timeline.spans
    var around: Set<Int> = []
    var slice = Int(span.slice)
    while slice >= 0 {
      around.insert(slice)
      slice = Int(spans.parent[slice])
    }
    var ranges: [Range<Int64>] = []
    // An interval may begin a little before the first sample of the function that called it.
    var row = spans.firstRow(startingAt: span.start - 2 * span.error)
    while row < spans.count, spans.start[row] < span.end {
      let range = (spans.start[row]..<spans.end(row)).clamped(to: span.range)
      if spans.flags[row].contains(.mainThread), !range.isEmpty, !around.contains(row) { ranges.append(range) }
      row += 1
    }
    return ranges
  }

  private func contains(_ outer: InferredSpan, _ inner: InferredSpan) -> Bool {
    guard outer.node < inner.node, outer.start <= inner.start, inner.end <= outer.end else { return false }
    var node = inner.node
    while node > outer.node { node = Int(samples.tree.parent[node]) }
    return node == outer.node
  }

  private func depth(_ choice: Choice) -> Int {
    var depth = 0
    var node = Int(samples.tree.parent[choice.span.node])
    while node >= 0 {
      depth += 1
      node = Int(samples.tree.parent[node])
    }
    return depth
  }
}

extension InferredSpan {
  fileprivate var range: Range<Int64> { start..<max(start, end) }
}
