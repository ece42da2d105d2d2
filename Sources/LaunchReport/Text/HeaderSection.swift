// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchSystem

/// What was launched, how long it took compared with its budget, how it ended, and how reliable the numbers are.
struct HeaderSection {
  let launch: LaunchSet.Launch
  let unit: TimeUnit
  private var timeline: LaunchTimeline { launch.timeline }

  func write(to page: inout TextPage) {
    writeTitle(to: &page)
    writeTotal(to: &page)
    writeCommand(to: &page)
    page.facts(facts(page.style))
    page.facts(mishaps(page.style))
    page.facts(usage)
    page.facts(eviction)
  }

  /// The title, the total, and what a reader must know about their reliability.
  func writeVerdict(to page: inout TextPage) {
    writeTitle(to: &page)
    writeTotal(to: &page)
    page.facts((failure.map { [$0] } ?? []) + reliability(page.style))
    page.facts(Array(eviction.prefix(1)))
  }

  /// What a reader must know about the total besides `failure`, for readers who do not see the whole report.
  func remarks(_ style: TextStyle) -> [String] { reliability(style) + eviction.prefix(1) }

  /// How the launch failed; nil if it did not.
  var failure: String? { timeline.outcome.isFailure ? outcome : nil }

  /// For a launch that did not complete, if nothing tells why.
  var unknownEnd: String? {
    !timeline.isComplete && !timeline.isUntimed && timeline.outcome == .unknown ? outcome : nil
  }

  private func reliability(_ style: TextStyle) -> [String] {
    var notes: [String] = []
    if let readyRule { notes.append(readyRule) }
    if timeline.startError > timeline.total / 100 {
      notes.append("start known to \(style.plusMinus)\(unit.small(timeline.startError))")
    }
    return notes + mishaps(style)
  }

  private func writeTitle(to page: inout TextPage) {
    let style = page.style
    var line = TextLine(style)
    let labels = timeline.labels
    line.add(style.name(launch.title, columns: page.width / 2), .strong)
    let version = [labels.version, labels.build.map { "(\($0))" }].compactMap(\.self).joined(separator: " ")
    let pieces = [version] + labels.circumstances
    for (place, piece) in pieces.enumerated() where !piece.isEmpty {
      let separator = place == 0 ? " " : style.dot
      let text = style.name(piece, columns: max(0, page.width - line.columns - DisplayWidth.columns(separator)))
      if line.columns + DisplayWidth.columns(separator) + 4 <= page.width { line.add(separator + text) }
    }
    page.end(line)
  }

  private func writeCommand(to page: inout TextPage) {
    guard let command = CommandText.of(timeline) else { return }
    page.line(page.style.name("command: \(command)", columns: page.width), .faint)
  }

  private func writeTotal(to page: inout TextPage) {
    let over = timeline.budget.map { timeline.total - $0 } ?? 0
    let isBad = over > 0 || !timeline.isComplete
    var pieces: [(text: String, ink: TextStyle.Ink)] = [("\(unit.text(timeline.total)) \(end)", isBad ? .bad : .strong)]
    if let budget = timeline.budget {
      let allowed = "the budget of \(unit.limit(budget))"
      pieces.append(over > 0 ? ("\(unit.text(over)) over \(allowed)", .bad) : ("within \(allowed)", .good))
    }
    if timeline.extendedEnd > timeline.end {
      pieces.append(("fully drawn after \(unit.text(timeline.extendedEnd - timeline.start))", .plain))
    }
    page.pieces(pieces, separator: ", ")
  }

  /// What the total lasts to.
  var end: String {
    if timeline.isUntimed, timeline.isComplete { return "in all; the profile has no times" }
    return switch timeline.endMilestone {
    case MilestoneName.exit where timeline.isComplete: "to its exit"
    case MilestoneName.exit: timeline.outcome.isFailure ? "until it failed" : "to its exit, never ready"
    case MilestoneName.lastEvent: timeline.isComplete ? "to the last event" : "until the trace ends"
    case let milestone: "to \(milestone)"
    }
  }

  private func facts(_ style: TextStyle) -> [String] {
    if timeline.isUntimed { return [] }
    var facts = [outcome]
    var start =
      switch timeline.startSource {
      case .launcher: "start stamped by the launcher"
      case .estimated: "start estimated"
      case .api: "start: first event"
      case .kernel, .breakpoint, .ptrace, .audit, .preinit: "start from the \(timeline.startSource.rawValue)"
      }
    if timeline.startError > 0 { start += " \(style.plusMinus)\(unit.small(timeline.startError))" }
    facts.append(start)
    if let readyRule { facts.append(readyRule) }
    let opened = timeline.labels.sceneReasons
    if !opened.isEmpty { facts.append("scene opened for " + style.name(opened.joined(separator: ", "), columns: 120)) }
    if let run = timeline.run, run.count > 1 {
      facts.append(run.isWarmUp ? "warm-up" : "run \(run.number) of \(run.count)")
    }
    return facts
  }

  /// The rule by which the program was ready. Readers who did not choose one must see which was used.
  private var readyRule: String? {
    guard let rule = timeline.readyRule, rule.name != "program" else { return nil }
    if let missed = timeline.missed { return "it never \(missed)" }
    let ready = timeline.milestones.first { $0.id == MilestoneName.ready }
    // A launch that failed before it was ready.
    if ready == nil, rule.isDefault, timeline.outcome.isFailure { return nil }
    let detail = ready?.detail ?? ""
    let event = detail.isEmpty || detail == rule.argument ? rule.event : "\(rule.event) (\(detail))"
    let error = ready.map { $0.error > 0 ? ", seen up to \(unit.small($0.error)) late" : "" } ?? ""
    return "\(rule.isDefault ? "ready by default" : "ready"): \(event)\(error)"
  }

  /// Problems that the application host had to work around.
  private func mishaps(_ style: TextStyle) -> [String] {
    let other = timeline.labels.other
    let state: String? =
      switch other["state"] {
      case "set aside": "the state was set aside: damaged, or a launch that restored it failed"
      case "unreadable": "the state to restore could not be read"
      default: nil
      }
    return [state, other["one-time-setup"].map { "one-time set-up \(style.name($0, columns: 80))" }].compactMap(\.self)
  }

  private var outcome: String {
    switch timeline.outcome {
    case .unknown: "end not observed"
    case .exited(let status): "exited with \(status)" + (status == 0 ? "" : afterLaunch)
    case .succeeded(let status): "exited with \(status), which --success names"
    case .signalled(let signal): "killed by \(SignalName.name(signal))" + afterLaunch
    case .deadlinePassed: "not complete at its deadline"
    case .timedOut: "ended because it ran out of time" + afterLaunch
    case .ended: "ended once it was ready"
    case .failedToStart(let reason): reason.isEmpty ? "failed to start" : "failed to start: \(reason)"
    }
  }

  private var afterLaunch: String { MilestoneName.endsLaunch(timeline.endMilestone) ? " after the launch" : "" }

  private var usage: [String] {
    guard let process = timeline.process else { return [] }
    let own = timeline.isUsageOfLaunch ? "process" : "whole process"
    let whose = timeline.starter.map { "process of \($0), which started the program" } ?? own
    let parts =
      "\(unit.text(process.userCPU)) user, \(unit.pair(process.userCPU, process.systemCPU).1) system"
    var usage = [
      "\(whose): CPU \(process.isDivided ? parts : unit.text(process.cpu))",
      "faults \(process.minorFaults) minor, \(process.majorFaults) major",
      "switches \(process.voluntarySwitches) voluntary, \(process.involuntarySwitches) involuntary",
    ]
    if process.readBytes > 0 { usage.append("\(Self.mebibytes(process.readBytes)) MiB read") }
    if let bytes = process.maxResidentBytes { usage.append("\(Self.mebibytes(bytes)) MiB memory") }
    return usage
  }

  /// Which files were removed from the page cache before the launch, and which stayed.
  private var eviction: [String] {
    guard let eviction = timeline.eviction else { return [] }
    let kept = eviction.kept.reduce(0) { $0 + min($1.residentBytes, eviction.bytes - $0) }
    let count = eviction.missed ?? 0
    let missed = count == 0 ? "" : "; \(count) that it opened \(count == 1 ? "was" : "were") not (see --warmup)"
    // Not how many files: of most, another program keeps a part in memory.
    var facts = [
      "evicted \(Self.mebibytes(eviction.bytes - kept)) of \(Self.mebibytes(eviction.bytes)) MiB of "
        + "\(eviction.files) files" + (eviction.unknown > 0 ? " (\(eviction.unknown) unverified)" : "") + missed
    ]
    for (reason, files) in Dictionary(grouping: eviction.kept, by: \.reason).sorted(by: { $0.key < $1.key }) {
      facts.append("kept \(files.lazy.map { fileName($0.path) }.listed(3)): \(reason)")
    }
    return facts
  }

  private static func mebibytes(_ bytes: Int64) -> String {
    // Rounded to tenths of 2^20 bytes, without a multiplication that could overflow.
    DecimalText.text(bytes / (1 << 20) * 10 + (bytes % (1 << 20) * 10 + (1 << 19)) / (1 << 20), decimals: 1)
  }
}

extension LaunchSet.Launch {
  /// The title of a report: the program, or the file if the trace does not name the program.
  var title: String {
    let names = [timeline.program, fileName(name)]
    return names.first { !$0.isEmpty } ?? "trace"
  }
}

/// The names of signals, as in `kill -l` (signal(7), with the numbers of Linux on x86 and ARM).
enum SignalName {
  private static let names: [Int32: String] = [
    1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE",
    9: "SIGKILL", 11: "SIGSEGV", 13: "SIGPIPE", 14: "SIGALRM", 15: "SIGTERM", 24: "SIGXCPU", 25: "SIGXFSZ",
    31: "SIGSYS",
  ]

  static func name(_ signal: Int32) -> String { names[signal] ?? "signal \(signal)" }
}
