// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

extension Findings {
  /// The largest number of names in a path.
  private static let longestPath = 32
  /// The largest number of paths, of the main thread and of others, that have findings. No reader needs more, and a
  /// finding takes 1 KB with its path.
  static let mostPaths = 5_000

  /// One finding for each path of the flame tree that has an interval over its budget, the worst ones if there are too many.
  func intervals() -> [Finding] {
    // Without an interval over budget, the flame tree need not be built.
    guard timeline.spans.flags.contains(where: { $0.contains(.overBudget) }) else { return [] }
    let flame = timeline.largeFlame
    let flags = timeline.spans.flags
    func worst(_ node: Int32) -> SliceIndex { flame.overBudget[Int(node)]?.worst ?? 0 }
    func time(_ node: Int32) -> Int64 { flame.overBudget[Int(node)]?.time ?? 0 }
    let heaviest = flame.heaviestChildren
    return [true, false].flatMap { isMain in
      // Phases and initialisers have their own findings.
      let paths = flame.overBudget.nodes.filter {
        let flags = flags[worst($0)]
        return flags.contains(.mainThread) == isMain && flags.isDisjoint(with: [.phase, .initializer])
      }.sorted { (time($1), $0) < (time($0), $1) }
      var findings = paths.prefix(Self.mostPaths).map(Int.init).enumerated().compactMap { rank, node in
        let isAmongWorst = rank < Self.mostExplained
        let place = isAmongWorst ? mostly(node, heaviest) : nil
        return flame.overBudget[node].map {
          interval(node, $0, isMain: isMain, mostlyIn: place, isAmongWorst: isAmongWorst)
        }
      }
      let rest = paths.count - findings.count
      if rest > 0 {
        let counted = (flame.overBudget.isFull ? "at least " : "") + "\(rest)"
        let text = "\(counted) more \(rest == 1 ? "path is" : "paths are") over budget, and not listed"
        findings[findings.count - 1].evidence.append(Evidence(.note, text))
      }
      return findings
    }
  }

  /// - Parameters:
  ///   - place: the node inside of it that has most of its time.
  ///   - isAmongWorst: whether to look inside of it for its causes.
  private func interval(
    _ node: FlameTree.Node, _ over: FlameTree.OverBudget, isMain: Bool, mostlyIn place: FlameTree.Node?,
    isAmongWorst: Bool
  ) -> Finding {
    let (flame, spans) = (timeline.largeFlame, timeline.spans)
    let (name, time) = (flame.name(of: node), over.time)
    // It may have begun before the launch.
    let start = max(spans.start[over.worst], timeline.start)
    let end = min(start + time, spans.end(over.worst))
    var flags = spans.flags[over.worst]
    // The main actor may be suspended in async work that ends on the thread on which it began.
    let isSuspended = isMain && flags.contains(.async) && suspendedShare(from: start, to: end) > 0.5
    if isSuspended { flags.insert(.awaited) }
    let mayBeSuspended = isMain && flags.contains(.async) && place == nil && !isKnown(from: start, to: end)
    let adviceOfPlace =
      start >= timeline.end
      ? Self.adviceIfLater
      : mayBeSuspended
        ? Self.adviceIfSuspended : isMain && !isSuspended ? advice(for: node, place) : adviceElsewhere(place, flags)
    return Finding(
      id: isMain ? FindingName.mainThreadOverBudget : FindingName.intervalOverBudget, expected: over.budget,
      actual: time, subject: name, path: flame.path(of: node, innermost: Self.longestPath).dropLast(),
      start: start, occurrences: over.occurrences,
      evidence: isAmongWorst
        ? evidence(of: name, from: start, to: end, in: over.worst) : [Evidence(.span, name, time: time)],
      advice: adviceForTasks(over.worst, namesTask: isAmongWorst)
        ?? (isMain && timeline.isComplete && spans.isOpenAsync(over.worst) ? Self.adviceIfOpen : adviceOfPlace))
  }

  /// For an interval that began and never ended, in a launch that did.
  private static let adviceIfOpen =
    "It had not ended when the recording did. Look for a path that returns without endInterval."

  /// For work after the launch, which has a budget by name.
  private static let adviceIfLater =
    "It runs after the launch, so it delays only fullyDrawn(). Do it after that, or raise its budget."

  /// Whether the trace says of most of a time what the main thread did.
  private func isKnown(from start: Int64, to end: Int64) -> Bool {
    let totals = timeline.states.totals(from: start, to: end)
    return totals[.unknown] <= totals.sum / 2 && totals.sum > 0
  }

  /// For async work on the main actor, if the trace does not say whether the main actor was suspended meanwhile.
  private static let adviceIfSuspended =
    "If it awaits other work, start that earlier, or run it at the same time as the rest. "
    + "If it does the work itself, move it off the main thread, or defer it."

  /// The part of a time in which the main thread waited for events, or for what the trace does not name. In a call that
  /// blocks, such as a sleep or a read, the main actor is not suspended.
  private func suspendedShare(from start: Int64, to end: Int64) -> Double {
    let states = timeline.states
    var time: Int64 = 0
    states.forEachRow(from: start, to: end) { row, start, end in
      let wait = states.wait[row]
      let isNamed = wait >= 0 && states.waits[Int(wait)].systemCall != nil && !states.waits[Int(wait)].isForEvents
      if !isNamed, [.sleeping, .waiting].contains(states.state[row]) { time += end - start }
    }
    return end > start ? Double(time) / Double(end - start) : 0
  }

  private func advice(for node: FlameTree.Node, _ place: FlameTree.Node?) -> String {
    if let place { return mostIn(timeline.largeFlame.name(of: place)) + "Move that off the main thread, or defer it." }
    if timeline.largeFlame.selfTime(of: node) > timeline.largeFlame.total[node] / 2 {
      return "Move it off the main thread, or defer it. To see what takes so long, put intervals inside it."
    }
    return "Move it off the main thread, or defer the parts that the first screen does not need."
  }

  private func mostIn(_ name: String) -> String { "Most of it is in \(ShortName.of(name)). " }

  func adviceElsewhere(_ place: FlameTree.Node?, _ flags: SpanFlags) -> String {
    let place = place.map { mostIn(timeline.largeFlame.name(of: $0)) } ?? ""
    return flags.contains(.awaited)
      ? place
        + "The launch waits for it. Start it earlier, run it at the same time as other work, or do it after the launch."
      : place + "Make it faster, or change its budget in launch-budgets.yml."
  }

  /// The largest number of levels that `mostly` goes inwards.
  private static let deepest = 1_000

  /// The innermost place that has most of a node's time; nil if that is the node itself.
  private func mostly(_ node: FlameTree.Node, _ heaviest: [Int32]) -> FlameTree.Node? {
    let total = timeline.largeFlame.total
    return heaviest.chain(from: Int(heaviest[node])).prefix(Self.deepest).prefix { total[$0] > total[node] / 2 }.last
  }

  /// Functions over budget that only samples show, because no interval records them: the worst call of each.
  func inferred() -> [Finding] {
    guard let samples = timeline.context.large.samples, !timeline.inferredSpans.isEmpty else { return [] }
    var work = InferredWork(timeline, samples: samples, toldWaits: toldWaits)
    let choices = Dictionary(grouping: work.choices()) { $0.function.name }
    return choices.values.compactMap { same in
      guard let worst = same.max(by: { ($0.work, $1.span.start) < ($1.work, $0.span.start) }) else { return nil }
      return inferred(worst, occurrences: same.count, in: samples)
    }
  }

  private func inferred(_ choice: InferredWork.Choice, occurrences: Int, in samples: SampleTree) -> Finding {
    let (span, function) = (choice.span, choice.function)
    let hot = samples.hotPath(of: span, in: timeline.trace)
    let source = samples.source(of: span, in: timeline.trace)
    let told = choice.told.reduce(0) { $0 + Int64($1.count) }
    let note =
      told > 0 ? [Evidence(.note, "not counted: intervals in it, and functions with findings", time: told)] : []
    let waits =
      choice.toldWait > 0 ? [Evidence(.note, "not counted: waits with findings", time: choice.toldWait)] : []
    let after = choice.end - span.end
    let later = after > span.error ? [Evidence(.note, "not counted: after the launch", time: after)] : []
    let totals = totals(in: choice.own)
    return Finding(
      id: FindingName.mainThreadOverBudget, expected: choice.budget, actual: choice.work, subject: function.name,
      path: path(of: span, in: samples), start: span.start, occurrences: occurrences, error: error(of: span),
      file: source.file, line: source.line,
      evidence: [Evidence(.stack, hot.names.joined(separator: " > "), time: hot.weight)]
        + note + waits + later + stateEvidence(totals)
        + (function.image.isEmpty ? [] : [Evidence(.library, function.image)]),
      // The hottest function may be in what is not counted.
      advice: span.start >= timeline.end
        ? Self.adviceIfLater
        : waitAdvice(totals, in: choice.own)
          ?? (function.interpreter ?? (told > 0 ? nil : hot.interpreter)).map { adviceForScript(of: $0, function) }
          ?? caller(of: span, in: samples) + advice(for: function, hot: told > 0 ? [] : hot.names),
      // The start may be off by half the error, and so fall into the previous phase.
      phase: timeline.phaseName(at: span.start + span.duration / 2))
  }

  /// How far the time of a sampled call may be off, ns: the distance of two samples, and how long the thread ran before and
  /// after without a sample. The launcher's samples show user code only, so there are none while the kernel works for a call.
  private func error(of span: InferredSpan) -> Int64 {
    let samples = timeline.trace.samples
    let first = samples.time.firstPlace(notBefore: span.start)
    guard first < samples.count, let phase = timeline.phases.last(where: { $0.start <= samples.time[first] }) else {
      return span.error
    }
    let (track, half) = (samples.track[first], span.error / 2)
    let before = (0..<first).last { samples.track[$0] == track }
    let after = (samples.time.firstPlace(notBefore: span.end)..<samples.count).first { samples.track[$0] == track }
    let from = max(before.map { samples.time[$0] + half } ?? phase.start, phase.start)
    let to = min(after.map { samples.time[$0] - half } ?? phase.end, phase.end)
    func ran(_ from: Int64, _ to: Int64) -> Int64 {
      from < to ? timeline.states.totals(from: from, to: to)[.running] : 0
    }
    return span.error + ran(from, span.start) + ran(span.end, to)
  }

  /// The recorded interval around it, and the functions that called it there.
  private func path(of span: InferredSpan, in samples: SampleTree) -> [String] {
    let callers = samples.tree.path(of: span.node).dropLast()
    guard span.slice >= 0 else { return Array(callers) }
    let slices = timeline.spans.parent.chain(from: Int(span.slice)).prefix(Self.longestPath)
    let outer = slices.map(timeline.trace.name(ofSlice:))
    return [callers.first].compactMap(\.self) + outer.reversed() + callers.dropFirst()
  }

  /// Advice about a call in which the main thread did little but wait. The functions that ran are not the cause
  /// then. Samples see no waits, so several calls may look like one.
  private func waitAdvice(_ totals: StateTotals, in ranges: [Range<Int64>]) -> String? {
    guard totals.isKnown, let most = ThreadState.waits.max(by: { totals[$0] < totals[$1] }) else { return nil }
    let waited = totals.waited - totals.heldUp
    // Time without a CPU does not count, as in the time of the function.
    let whole = totals.sum - totals.heldUp
    guard waited > whole / 2 else { return nil }
    let share = Int(Double(waited) / Double(whole) * 100)
    let causes = ranges.flatMap { WaitCause.collect(timeline.states, in: $0)[most] ?? [] }
    let cause = WaitCause.main(of: causes).flatMap { $0.total > totals[most] / 2 ? $0 : nil }
    let hint =
      cause.map { advice($0, in: [most]) }
      ?? "The samples do not show whether that was in one call, or between several."
    return "For \(share) % of that time, the main thread waited, mostly \(most.title)"
      + (cause.map { " (\(subject($0)))" } ?? "") + ". " + hint
  }

  private func totals(in ranges: [Range<Int64>]) -> StateTotals {
    var sum = StateTotals()
    for range in ranges {
      let totals = timeline.states.totals(from: range.lowerBound, to: range.upperBound)
      for state in ThreadState.allCases { sum[state] += totals[state] }
    }
    return sum
  }

  /// The interpreter's functions say nothing about a script.
  private func adviceForScript(of interpreter: Interpreter, _ function: SampledFunction) -> String {
    let start = function.interpreter == nil ? "Most of it is in" : "This is"
    let next = interpreter.tool.isEmpty ? "Make it do less during the launch, or later." : interpreter.tool
    return "\(start) \(interpreter.language)'s interpreter: a script took the time. \(next)"
  }

  /// Of a function without a name, who called it: the nearest function of the program that has one.
  private func caller(of span: InferredSpan, in samples: SampleTree) -> String {
    let tree = samples.tree
    guard Trace.isAddress(tree.name(of: span.node)) else { return "" }
    let entries = EntryFrames(tree)
    let caller = tree.parent.chain(from: Int(tree.parent[span.node])).first { node in
      // The outermost node is the thread.
      tree.parent[node] >= 0 && !tree.flags[node].contains(.foreign) && !Trace.isAddress(tree.name(of: node))
        && !entries.contains(Int32(truncatingIfNeeded: node))
    }
    return caller.map { "\(ShortName.of(tree.name(of: $0))) called it. " } ?? ""
  }

  private func advice(for function: SampledFunction, hot: [String]) -> String {
    let inner = hot.count > 1 ? mostIn(hot[hot.count - 1]) : ""
    // Someone who does not build the program cannot change when its functions run, only what it is asked to do.
    guard function.isOwn, facts.recorder != nil else {
      return inner
        + "Make the program do less of it during the launch, or later. The tree of samples shows what called it."
    }
    return inner
      + "Defer it, do less of it, or move it off the main thread. An interval around it gives its exact time."
  }
}
