// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Chooses which functions to report, of those that ran over budget inside each other.
///
/// A long call is in `main`, in the functions between, and in library functions that it calls. The reader can change the
/// innermost function of the program's own code. Functions around it are reported only if the rest of their time is over
/// budget, too. Of functions that run a script inside each other, only the outermost one counts.
struct InferredWork {
  struct Choice {
    /// The part of the call that its budget limits: without a budget by name, up to the launch's end (D421).
    var span: InferredSpan
    /// When the call ended.
    var end: Int64
    var function: SampledFunction
    var budget: Int64
    /// Its time, ns, without the time in which it had no processor, and without what other findings and intervals tell.
    var work: Int64
    /// When named intervals, and functions that are reported themselves, ran in it.
    var told: [Range<Int64>] = []
    /// When the thread was in waits that are reported themselves.
    var toldWaits: [Range<Int64>] = []
    /// The rest of its time.
    var own: [Range<Int64>] { Time.rest(of: span.range, without: Time.union(told + toldWaits)) }
    /// How long it was in reported waits outside of `told`, ns.
    var toldWait: Int64 {
      let waits = TimeRanges(toldWaits)
      return Time.rest(of: span.range, without: told).reduce(0) {
        $0 + waits.time(from: $1.lowerBound, to: $1.upperBound)
      }
    }
  }

  private let timeline: LaunchTimeline
  private let samples: SampleTree
  private let entries: EntryFrames
  private let scripts: ScriptNodes
  private let owner: CodeOwner
  private var common = CommonNodes()
  /// Without switches, only samples say when the thread ran. It may have waited between them.
  private let ranOnlyBySamples: Bool
  /// Waits have findings of their own (D412), in order.
  private let toldWaits: [Range<Int64>]
  private let toldWaitTimes: TimeRanges

  init(_ timeline: LaunchTimeline, samples: SampleTree, toldWaits: [Range<Int64>]) {
    self.timeline = timeline
    (self.toldWaits, toldWaitTimes) = (toldWaits, TimeRanges(toldWaits))
    self.samples = samples
    entries = EntryFrames(samples.tree)
    scripts = ScriptNodes(samples, of: timeline.trace)
    owner = CodeOwner(program: timeline.executable)
    let trace = timeline.trace
    // A recording loses its switches in other formats.
    ranOnlyBySamples = OwnSampler(trace) == nil && trace.switches.count == 0 && !trace.samplesWaits
  }

  private func work(in range: Range<Int64>) -> Int64 {
    ranOnlyBySamples
      ? timeline.states.totals(from: range.lowerBound, to: range.upperBound)[.running]
      : timeline.work(in: range) - toldWaitTimes.time(from: range.lowerBound, to: range.upperBound)
  }

  mutating func choices() -> [Choice] {
    let candidates = longest.compactMap(candidate)
    var chosen: [Choice] = []
    // Innermost first, because the time of a chosen function is subtracted from the functions around it.
    let depths = RowsByDepth.depths(samples.tree.parent)
    for candidate in candidates.sorted(by: { depths[$0.span.node] > depths[$1.span.node] })
    where candidate.function.isOwn {
      let range = candidate.span.range
      let inside = chosen.filter { contains(candidate, $0) }.map { $0.span.range.clamped(to: range) }
      var choice = candidate
      choice.told = Time.union(inside.filter { !$0.isEmpty } + recorded(in: candidate.span))
      choice.work -= choice.told.reduce(0) { $0 + work(in: $1) }
      if choice.work - choice.span.error > choice.budget { chosen.append(choice) }
    }
    // If no function of the program is around it: the outermost function of a library.
    for candidate in candidates where !candidate.function.isOwn {
      let isKnown = chosen.contains { contains($0, candidate) || contains(candidate, $0) }
      if !isKnown { chosen.append(candidate) }
    }
    for place in chosen.indices { chosen[place].toldWaits = toldWaits(in: chosen[place].span.range) }
    return chosen.sorted { ($0.span.start, $0.span.node) < ($1.span.start, $1.span.node) }
  }

  private func toldWaits(in range: Range<Int64>) -> [Range<Int64>] {
    let first = toldWaits.partitioningIndex { $0.upperBound > range.lowerBound }
    return toldWaits[first...].prefix { $0.lowerBound < range.upperBound }.map { $0.clamped(to: range) }
  }

  /// All are compared with each other, so there may not be too many.
  private static let most = 2000

  /// By start.
  private var longest: [InferredSpan] {
    let spans = timeline.inferredSpans
    let places = spans.indices.sorted { (spans[$1].duration, $0) < (spans[$0].duration, $1) }
    return places.prefix(Self.most).sorted().map { spans[$0] }
  }

  private func candidate(_ call: InferredSpan) -> Choice? {
    var span = call
    if entries.contains(Int32(span.node)) || scripts.isInner(span.node) || isOfEarlierProgram(span) { return nil }
    var function = samples.function(of: span, in: timeline.trace, owner: owner)
    // An interpreter's library is as much the program as its executable is.
    if function.interpreter?.has(timeline.executable) == true { function.isOwn = true }
    // The loader's work is reported with its phases.
    if (function.image.split(separator: "/").last ?? "").hasPrefix("ld-") { return nil }
    // After the launch, only what has a budget by name has one (D421).
    let named = timeline.budgets.intervals[function.name]
    if named == nil, timeline.extendedEnd > timeline.end { span.end = min(span.end, max(span.start, timeline.end)) }
    guard let budget = named ?? (span.start < timeline.end ? timeline.budgets.defaultInterval : nil) else { return nil }
    let work = work(in: span.range)
    guard work - span.error > budget, !isTold(span) else { return nil }
    if isWait(span, function, budget) { return nil }
    return Choice(span: span, end: call.end, function: function, budget: budget, work: work)
  }

  /// Programs that executed the launched one have findings of their own.
  private func isOfEarlierProgram(_ span: InferredSpan) -> Bool {
    timeline.earlierPrograms.last.map { span.start < $0.end } ?? false
  }

  /// Whether a span is over budget only because the thread waited, perhaps between calls: in a library, or where the states are
  /// estimated, and samples are rare. Waits have findings of their own.
  private func isWait(_ span: InferredSpan, _ function: SampledFunction, _ budget: Int64) -> Bool {
    guard timeline.trace.switches.count > 0, !function.isOwn || timeline.context.facts.hasEstimatedStates else {
      return false
    }
    return timeline.states.totals(from: span.start, to: span.end)[.running] <= budget
  }

  /// Whether a recorded span already shows this work: an interval or an initialiser, whose own budget counts; or a phase
  /// within its budget that consists of this call alone.
  private func isTold(_ span: InferredSpan) -> Bool {
    let spans = timeline.spans
    return spans.parent.chain(from: Int(span.slice)).contains { slice in
      let flags = spans.flags[slice]
      if flags.contains(.initializer) || !flags.contains(.phase) { return true }
      guard let budget = spans.budget(of: slice, in: timeline.trace, by: timeline.budgets) else { return false }
      let time = spans.limitedTime(of: slice, in: timeline.trace, by: timeline.budgets)
      return time <= budget && Double(span.duration) >= Double(time) * 0.95
    }
  }

  /// Intervals and phases that the function called. They have their own names and budgets.
  private func recorded(in span: InferredSpan) -> [Range<Int64>] {
    let spans = timeline.spans
    let around = Set(spans.parent.chain(from: Int(span.slice)))
    // An interval may begin a little before the first sample of the function that called it.
    let first = spans.start.firstPlace(notBefore: span.start - 2 * span.error)
    return (first..<spans.count).prefix { spans.start[$0] < span.end }.compactMap { row in
      let range = spans.range(row).clamped(to: span.range)
      return spans.flags[row].contains(.mainThread) && !range.isEmpty && !around.contains(row) ? range : nil
    }
  }

  private mutating func contains(_ outer: Choice, _ inner: Choice) -> Bool {
    guard outer.span.node < inner.span.node, outer.span.start <= inner.span.start, inner.end <= outer.end else {
      return false
    }
    let node = Int32(truncatingIfNeeded: outer.span.node)
    return common.node(node, Int32(truncatingIfNeeded: inner.span.node), of: samples.tree) == node
  }
}

extension InferredSpan {
  fileprivate var range: Range<Int64> { start..<max(start, end) }
}
