// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

/// The fields of a marker, by `FirefoxSchema`.
extension FirefoxMarkers {
  private var trace: Trace { timeline.trace }

  /// Longer values are cut, because a tooltip cannot show them.
  private static let longest = 1000

  func write(_ marker: FirefoxMarker, to json: inout JSONWriter) {
    switch marker {
    case .span(let span, let kind):
      json.value("type", kind.schema.name)
      switch span.origin {
      case .phase(let place): write(shown.derivedPhases[place], to: &json)
      case .slice(let row):
        write(slice: row, to: &json)
        // For launchprof, if it reads the file: work of another track is not inside this.
        if kind.isAsync { json.value("lane", timeline.spans.track[row]) }
      }
    case .event(let row):
      json.value("type", FirefoxSchema.event.name)
      let instants = trace.instants
      write(category: instants.category[Int(row)], details: instants.annotation[Int(row)], to: &json)
    case .milestone(let place): write(timeline.milestones[Int(place)], to: &json)
    case .finding(let place): write(findings[Int(place)], to: &json)
    case .state(let place): write(states[Int(place)], to: &json)
    }
  }

  private func write(_ milestone: Milestone, to json: inout JSONWriter) {
    json.value("type", FirefoxSchema.milestone.name)
    json.milliseconds("after", milestone.time - timeline.start)
    if let budget = milestone.budget { json.milliseconds("budget", budget) }
    if !milestone.detail.isEmpty { json.value("details", Self.cut(milestone.detail)) }
  }

  private func write(_ phase: Phase, to json: inout JSONWriter) {
    if let budget = phase.budget { json.milliseconds("budget", budget) }
    if phase.overBudget > 0 { json.milliseconds("over", phase.overBudget) }
    if phase.isUnfinished {
      json.value("end", Self.unfinished)
    } else if phase.goesOn {
      json.value("end", "after the launch")
    }
    guard let costs = phase.costs else { return }
    json.milliseconds("cpu", costs.cpu)
    json.value("majorFaults", costs.majorFaults)
    json.value("readBytes", costs.readBytes)
  }

  private func write(slice row: SliceIndex, to json: inout JSONWriter) {
    let flags = timeline.spans.flags[row]
    if let phase = shown.phases[row] {
      write(phase, to: &json)
    } else {
      if flags.contains(.overBudget) { write(budgetOf: row, to: &json) }
      if flags.contains(.unfinished) { json.value("end", Self.unfinished) }
    }
    write(category: trace.slices.category[row], details: trace.slices.annotation[row], to: &json)
  }

  private static let unfinished = "it did not end"

  private func write(budgetOf row: SliceIndex, to json: inout JSONWriter) {
    guard let budget = timeline.spans.budget(of: row, in: trace, by: timeline.budgets) else { return }
    let time = timeline.spans.limitedTime(of: row, in: trace, by: timeline.budgets)
    json.milliseconds("budget", budget)
    json.milliseconds("over", time - budget)
  }

  private func write(category: UInt32, details: UInt32, to json: inout JSONWriter) {
    let category = trace.strings[StringID(rawValue: category)]
    if !category.isEmpty { json.value("category", Self.cut(category)) }
    if details == 0 { return }
    // More cannot be in the text.
    let entries = trace.annotations.first(Self.longest, of: details).map {
      "\(trace.strings[$0.key]): \($0.value.plainText)"
    }
    if !entries.isEmpty { json.value("details", Self.cut(entries.joined(separator: "; "))) }
  }

  private func write(_ finding: Finding, to json: inout JSONWriter) {
    json.values([
      "type": FirefoxSchema.finding.name,
      "subject": (finding.error == nil ? "" : "~") + Self.cut(finding.subject), "phase": finding.phase,
      "actual": Self.amount(finding.actual, finding.unit) + Self.error(of: finding),
      "expected": Self.amount(finding.expected, finding.unit),
    ])
    json.texts("evidence", finding.evidence.map { Self.cut($0.text) })
    json.value("advice", finding.advice)
  }

  private func write(_ span: StateSpan, to json: inout JSONWriter) {
    json.value("type", FirefoxSchema.state.name)
    guard let wait = span.wait else { return }
    json.values(["systemCall": wait.systemCall, "path": wait.path.map(Self.cut)])
    if let culprit = wait.culprit, culprit >= 0 {
      json.value("thread", trace.title(ofTrack: culprit, isMain: culprit == timeline.mainThread?.rawValue))
    }
  }

  private static func amount(_ value: Int64, _ unit: Finding.Unit) -> String {
    switch unit {
    case .nanoseconds: TimeUnit(for: value, ascii: false).text(value)
    case .count: "\(value)"
    }
  }

  private static func error(of finding: Finding) -> String {
    guard let error = finding.error else { return "" }
    return " ± \(TimeUnit(for: finding.actual, ascii: false).briefText(error)), from samples"
  }

  private static func cut(_ text: String) -> String { PlainName.cut(text, to: longest) }
}
