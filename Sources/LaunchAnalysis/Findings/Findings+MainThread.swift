internal import LaunchTrace

extension Findings {
  /// One for every path of the flame tree on which something ran over its budget.
  func mainThread() -> [Finding] {
    // The tree is there for what is over budget only: no need to build it for nothing.
    guard timeline.spans.flags.contains(where: { $0.contains(.overBudget) }) else { return [] }
    let flame = timeline.flame
    return flame.overBudget.compactMap { node, over in
      let flags = timeline.spans.flags[over.worst]
      // Phases have findings of their own; so do initialisers.
      guard flags.isDisjoint(with: [.phase, .initializer]) else { return nil }
      var finding = Finding(
        id: FindingName.mainThreadOverBudget, expected: over.budget, actual: timeline.spans.duration[over.worst],
        subject: flame.name(of: node), path: flame.path(of: node).dropLast(), slice: over.worst,
        start: timeline.spans.start[over.worst], occurrences: over.occurrences, advice: advice(for: node))
      finding.evidence = evidence(
        of: finding.subject, from: timeline.spans.start[over.worst], to: timeline.spans.end(over.worst), in: over.worst)
      return finding
    }
  }

  private func advice(for node: FlameTree.Node) -> String {
    let flame = timeline.flame
    // Follow the time down, as long as most of it is in one place.
    var place = node
    while let inner = flame.children(of: place).max(by: { flame.total[$0] < flame.total[$1] }),
      flame.total[inner] > flame.total[node] / 2
    {
      place = inner
    }
    if place != node { return "Most of it is in \(flame.name(of: place)): move that off the main thread, or defer it." }
    if flame.selfTime(of: node) > flame.total[node] / 2 {
      return "Move it off the main thread, defer it, or put intervals inside it to see what takes so long."
    }
    return "Move it off the main thread, or split it and defer what the first screen does not need."
  }

  /// What ran over budget though nobody recorded it.
  func inferred() -> [Finding] {
    guard let samples = timeline.context.samples, !timeline.inferredSpans.isEmpty else { return [] }
    return InferredWork(timeline, samples: samples).choices().map { choice in
      let (span, function) = (choice.span, choice.function)
      let hot = samples.hotPath(from: span.node)
      var finding = Finding(
        id: FindingName.mainThreadOverBudget, expected: choice.budget, actual: choice.work, subject: function.name,
        path: path(of: span, in: samples), start: span.start, advice: advice(for: function, hot: hot))
      finding.error = span.error
      // Its start may be off by half an error, and lie in the phase before.
      finding.phase = timeline.phaseName(at: span.start + span.duration / 2)
      finding.file = function.file.isEmpty ? nil : function.file
      finding.line = function.line > 0 ? function.line : nil
      finding.evidence = [Evidence(.stack, hot.joined(separator: " > "), time: samples.tree.total[span.node])]
      finding.evidence += stateEvidence(from: span.start, to: span.end)
      if !function.image.isEmpty { finding.evidence.append(Evidence(.library, function.image)) }
      return finding
    }
  }

  /// The recorded interval that holds it, and the functions that called it there.
  private func path(of span: InferredSpan, in samples: SampleTree) -> [String] {
    let callers = samples.tree.path(of: span.node).dropLast()
    guard span.slice >= 0 else { return Array(callers) }
    var outer: [String] = []
    var slice = Int(span.slice)
    while slice >= 0 {
      outer.append(timeline.trace.strings[StringID(rawValue: timeline.trace.slices.name[slice])])
      slice = Int(timeline.spans.parent[slice])
    }
    return [callers.first].compactMap(\.self) + outer.reversed() + callers.dropFirst()
  }

  private func advice(for function: SampledFunction, hot: [String]) -> String {
    let inner = hot.count > 1 ? "Most of it is in \(hot[hot.count - 1]): move" : "Move"
    return "\(inner) it off the main thread, defer it, or do less of it; an interval around it gives its exact time."
  }
}
