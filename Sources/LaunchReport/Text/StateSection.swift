// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// The states of the main thread as a strip over the phases' axis.
struct StateStrip {
  let timeline: LaunchTimeline

  func write(to page: inout TextPage, columns: PhaseColumns, axis: TimeAxis) {
    var line = TextLine(page.style)
    line.add("  ")
    line.add(left: page.style.name("main thread", columns: columns.name), width: columns.name, .faint)
    line.skip(to: 2 + columns.name + columns.numbers.reduce(0) { $0 + $1.width + 2 } + 2)
    var piece = ""
    var last: ThreadState?
    for state in cells(axis) {
      if let last, last != state {
        line.add(piece, Self.ink(last))
        piece = ""
      }
      piece += Self.glyph(state, page.style)
      last = state
    }
    if let last { line.add(piece, Self.ink(last)) }
    page.end(line)
  }

  /// For each column, the state that takes the most of it.
  private func cells(_ axis: TimeAxis) -> [ThreadState] {
    let states = timeline.states
    return (0..<axis.columns).map { column in
      let (lower, upper) = axis.range(of: column)
      let totals = states.totals(from: lower, to: max(upper, lower + 1))
      return ThreadState.allCases.max { totals[$0] < totals[$1] } ?? .unknown
    }
  }

  static func glyph(_ state: ThreadState, _ style: TextStyle) -> String {
    switch state {
    case .running: style.isASCII ? "#" : "█"
    case .runnable: "c"
    case .blocked: "i"
    case .lock: "l"
    case .sleeping: "s"
    case .waiting: "w"
    case .unknown: style.isASCII ? "." : "·"
    case .stopped: "t"
    }
  }

  static func ink(_ state: ThreadState) -> TextStyle.Ink {
    switch state {
    case .running: .bar
    case .unknown: .faint
    default: .strong
    }
  }
}

/// The states of the main thread in numbers, and what it waited for.
struct StateSection {
  let timeline: LaunchTimeline
  let unit: TimeUnit

  func write(to page: inout TextPage) {
    let summaries = timeline.stateSummaries
    let name = 2 + (summaries.map(\.state.title.count).max() ?? 0)
    let number = max(unit.symbol.count, summaries.map { unit.number($0.total).count }.max() ?? 0)
    var title = TextLine(page.style)
    title.add(left: "  Main thread", width: 2 + name, .strong)
    title.add(right: unit.symbol, width: number + 2, .strong)
    title.add(right: "%", width: 7, .strong)
    page.end(title)
    for summary in summaries {
      var line = TextLine(page.style)
      line.add("  ")
      line.add(left: StateStrip.glyph(summary.state, page.style), width: 2, StateStrip.ink(summary.state))
      line.add(left: summary.state.title, width: name - 2, summary.state == .unknown ? .faint : .plain)
      line.add(right: unit.number(summary.total), width: number + 2)
      line.add(right: DecimalText.percent(summary.total, of: timeline.total), width: 7)
      if let cause = summary.cause {
        line.add("  ")
        let text = CauseText.of(cause, in: summary.total, timeline: timeline, unit: unit)
        line.add(page.style.name(text, columns: page.width - line.columns), .faint)
      } else if summary.state == .running, let kernel = timeline.kernelTime {
        line.add("  ")
        line.add(page.style.name(kernel.share(page.style), columns: page.width - line.columns), .faint)
      }
      page.end(line)
    }
    for state in timeline.statesAfterLaunch(unless: summaries) {
      var line = TextLine(page.style)
      line.add("  ")
      line.add(left: StateStrip.glyph(state, page.style), width: 2, StateStrip.ink(state))
      line.add(page.style.name("\(state.title), after the launch", columns: page.width - line.columns), .faint)
      page.end(line)
    }
    if let source = source(of: summaries) { page.paragraph(source, indent: 2, .faint) }
  }

  /// How it is known what the main thread waited for.
  private func source(of summaries: [StateSummary]) -> String? {
    guard summaries.contains(where: { [.blocked, .sleeping, .waiting].contains($0.state) }) else { return nil }
    return switch timeline.observation?.waitStates {
    case .kernel: "the kernel's scheduler reported blocked, sleeping and waiting" + unrecordedEnds
    case .looks: "occasional looks at /proc found blocked, sleeping and waiting"
    case .times:
      "estimated from looks at /proc: waits that no look saw may be shorter, and a little earlier or later"
    case nil: nil
    }
  }

  /// Records of wake-ups by interrupts are missing in containers, and from some kernels.
  private var unrecordedEnds: String {
    let waits = timeline.states.waits.filter { !$0.isEndRecorded && $0.end < timeline.states.end }
    guard !waits.isEmpty else { return "" }
    let time = unit.text(waits.reduce(0) { $0 + $1.duration })
    let count = DecimalText.counted(waits.count, "wait")
    return "; \(count), \(time), may include waiting for a CPU: the kernel did not record the end"
  }
}

extension KernelTime {
  /// How much of the running time it is: `94 % ± 8 of it in the kernel`.
  func share(_ style: TextStyle) -> String {
    func percent(_ time: Int64) -> Int { Int((Double(time) / Double(max(1, running)) * 100).rounded()) }
    return "\(percent(time)) % \(style.plusMinus) \(max(1, percent(error))) of it in the kernel"
  }
}

extension LaunchTimeline {
  /// States that the strip shows after the launch, and that the list of the launch's states does not have.
  func statesAfterLaunch(unless told: [StateSummary]) -> [ThreadState] {
    let totals = states.totals(from: end, to: extendedEnd)
    return ThreadState.allCases.filter { state in
      totals[state] > (extendedEnd - end) / 100 && !told.contains { $0.state == state }
    }
  }
}
