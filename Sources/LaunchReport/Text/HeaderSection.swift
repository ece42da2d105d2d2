internal import LaunchAnalysis

/// What was launched, how long it took against its budget, how it ended, and how far the numbers can be trusted.
struct HeaderSection {
  private let timeline: LaunchTimeline
  private let unit: TimeUnit

  init(_ timeline: LaunchTimeline, unit: TimeUnit) {
    self.timeline = timeline
    self.unit = unit
  }

  func write(to page: inout TextPage) {
    writeTitle(to: &page)
    writeTotal(to: &page)
    page.paragraph(facts(page.style).joined(separator: page.style.dot), indent: 0, .faint)
    if let usage = usage(page.style) { page.paragraph(usage, indent: 0, .faint) }
  }

  private func writeTitle(to page: inout TextPage) {
    let style = page.style
    var line = TextLine(style)
    let labels = timeline.labels
    let program = timeline.program.isEmpty ? "trace" : timeline.program
    line.add(style.name(program, columns: page.width / 2), .strong)
    let version = [labels.version, labels.build.map { "(\($0))" }].compactMap(\.self).joined(separator: " ")
    let pieces = [version, labels.kind.map { "\($0) launch" }, labels.reason, labels.context].compactMap(\.self)
    for (place, piece) in pieces.enumerated() where !piece.isEmpty {
      let separator = place == 0 ? " " : style.dot
      let text = style.name(piece, columns: max(0, page.width - line.columns - DisplayWidth.columns(separator)))
      if line.columns + DisplayWidth.columns(separator) + 4 <= page.width { line.add(separator + text) }
    }
    page.end(line)
  }

  private func writeTotal(to page: inout TextPage) {
    var line = TextLine(page.style)
    let isOver = timeline.budget.map { timeline.total > $0 } ?? false
    line.add(unit.text(timeline.total), isOver || !timeline.isComplete ? .bad : .strong)
    line.add(" " + page.style.name(end, columns: 24))
    if let budget = timeline.budget {
      let difference = timeline.total - budget
      let text =
        difference > 0
        ? "\(unit.text(difference)) over the budget of \(unit.short(budget))"
        : "within the budget of \(unit.short(budget)) \(unit.symbol)"
      line.add(", ")
      line.add(text, isOver ? .bad : .good)
    }
    if timeline.extendedEnd > timeline.end {
      let extended = ", fully drawn after \(unit.text(timeline.extendedEnd - timeline.start))"
      if line.columns + extended.count <= page.width { line.add(extended) }
    }
    page.end(line)
  }

  private var end: String {
    switch timeline.endMilestone {
    case MilestoneName.exit: timeline.isComplete ? "to its exit" : "until it failed"
    case MilestoneName.lastEvent: "to the last event"
    case let milestone: "to \(milestone)"
    }
  }

  private func facts(_ style: TextStyle) -> [String] {
    var facts = [outcome]
    var start =
      switch timeline.startSource {
      case .launcher: "start stamped by the launcher"
      case .estimated: "start estimated"
      case .api: "start: first event"
      case .kernel, .breakpoint, .preinit: "start from the \(timeline.startSource.rawValue)"
      }
    if timeline.startError > 0 { start += " \(style.plusMinus)\(unit.bound(timeline.startError))" }
    facts.append(start)
    if let run = timeline.run, run.count > 1 {
      facts.append(run.isWarmUp ? "warm-up" : "run \(run.number) of \(run.count)")
    }
    return facts
  }

  private var outcome: String {
    switch timeline.outcome {
    case .unknown: "end not observed"
    case .exited(let status): "exited with \(status)"
    case .signalled(let signal): "killed by \(SignalName.name(signal))"
    case .timedOut: "timed out"
    case .failedToStart(let reason): reason.isEmpty ? "failed to start" : "failed to start: \(reason)"
    }
  }

  private func usage(_ style: TextStyle) -> String? {
    guard let process = timeline.process else { return nil }
    var parts = [
      "CPU \(unit.text(process.userCPU)) user + \(unit.number(process.systemCPU)) system",
      "\(process.minorFaults) minor + \(process.majorFaults) major faults",
      "\(process.voluntarySwitches) + \(process.involuntarySwitches) switches",
    ]
    if process.maxResidentBytes > 0 { parts.append("\(Self.mebibytes(process.maxResidentBytes)) MiB peak") }
    return parts.joined(separator: style.dot)
  }

  private static func mebibytes(_ bytes: Int64) -> String {
    let tenths = bytes / 104_858
    return "\(tenths / 10).\(tenths % 10)"
  }
}

/// The names of signals as `kill -l` says them (signal(7); the numbers of Linux on x86 and ARM).
enum SignalName {
  static func name(_ signal: Int32) -> String {
    switch signal {
    case 1: "SIGHUP"
    case 2: "SIGINT"
    case 3: "SIGQUIT"
    case 4: "SIGILL"
    case 5: "SIGTRAP"
    case 6: "SIGABRT"
    case 7: "SIGBUS"
    case 8: "SIGFPE"
    case 9: "SIGKILL"
    case 11: "SIGSEGV"
    case 13: "SIGPIPE"
    case 14: "SIGALRM"
    case 15: "SIGTERM"
    case 24: "SIGXCPU"
    case 25: "SIGXFSZ"
    case 31: "SIGSYS"
    default: "signal \(signal)"
    }
  }
}
