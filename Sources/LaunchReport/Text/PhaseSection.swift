// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// The phases on a time axis.
struct PhaseSection {
  let timeline: LaunchTimeline
  let rows: [PhaseRow]
  let unit: TimeUnit
  /// Whether it says below where the times come from.
  let hasSources: Bool

  func write(to page: inout TextPage) {
    let columns = PhaseColumns(timeline, rows: rows, unit: unit, width: page.width, style: page.style)
    let axis = TimeAxis(start: timeline.start, end: timeline.extendedEnd, columns: columns.axis, style: page.style)
    var line = TextLine(page.style)
    line.add(left: "  Phases", width: columns.name + 2, .strong)
    for column in columns.numbers { line.add(right: column.title, width: column.width + 2, .strong) }
    line.add("  ")
    line.add(axis.ticks(unit), .faint)
    page.end(line)
    if timeline.states.isKnown { StateStrip(timeline: timeline).write(to: &page, columns: columns, axis: axis) }
    for row in rows { write(row, columns: columns, axis: axis, to: &page) }
    if columns.hasPairs {
      page.paragraph("faults: minor + major; switches: voluntary + involuntary", indent: 2, .faint)
    }
    let notes = SourceNotes(timeline: timeline, unit: unit)
    if hasSources { notes.write(to: &page) } else { notes.writeShortcomings(to: &page) }
  }

  private func write(_ row: PhaseRow, columns: PhaseColumns, axis: TimeAxis, to page: inout TextPage) {
    var line = TextLine(page.style)
    switch row {
    case .phase(let phase, let depth, let isParallel):
      let isOver = phase.overBudget > 0
      line.add(isOver ? "! " : "  ", .bad)
      let ink: TextStyle.Ink = isOver ? .bad : phase.isUnattributed ? .faint : .plain
      line.add(left: columns.name(of: row, style: page.style), width: columns.name, ink)
      for column in columns.numbers {
        line.add(right: column.text(phase, isParallel: isParallel), width: column.width + 2, ink)
      }
      line.add("  ")
      line.add(
        axis.bar(from: phase.start, to: phase.end, isGap: phase.isUnattributed),
        isOver ? .bad : phase.isUnattributed || depth > 0 ? .faint : .bar)
    case .cut(let duration, _, _):
      line.add("  ")
      line.add(left: columns.name(of: row, style: page.style), width: columns.name, .faint)
      line.add("  ")
      line.add(right: unit.number(duration), width: columns.numbers.first?.width ?? 0, .faint)
    }
    page.end(line)
  }
}

/// How the width of the phase table is shared out.
struct PhaseColumns {
  struct Number {
    let title: String
    let value: (Phase) -> String
    /// What the main thread did says nothing of a phase beside it.
    var isOfMainThread = false
    var width = 0

    func text(_ phase: Phase, isParallel: Bool) -> String { isOfMainThread && isParallel ? "" : value(phase) }
  }

  private(set) var numbers: [Number]
  /// Whether there are columns with two numbers each, which do not say what they are.
  private(set) var hasPairs = false
  let name: Int
  let axis: Int

  init(_ timeline: LaunchTimeline, rows: [PhaseRow], unit: TimeUnit, width: Int, style: TextStyle) {
    let phases = rows.compactMap { if case .phase(let phase, _, _) = $0 { phase } else { nil } }
    // Nothing in the trace tells when an open phase would have ended, or when the program was killed in it.
    let atLeast = timeline.outcome == .unknown ? style.atLeast : ""
    numbers = [Number(title: unit.symbol, value: { ($0.isUnfinished ? atLeast : "") + unit.number($0.duration) })]
    let states = timeline.states
    // A trace that a program wrote itself knows the states of some phases only. There, the CPU time says more.
    let launch = states.totals(from: timeline.start, to: timeline.end)
    let isMostlyKnown = states.isKnown && launch[.unknown] <= launch.sum / 2
    if width >= 60, isMostlyKnown {
      func number(_ phase: Phase, _ time: (StateTotals) -> Int64) -> String {
        let totals = states.totals(from: phase.start, to: phase.end)
        return phase.duration > 0 && !totals.isKnown ? "" : unit.number(time(totals))
      }
      numbers.append(Number(title: "running", value: { number($0) { $0[.running] } }, isOfMainThread: true))
      numbers.append(Number(title: "waiting", value: { number($0) { $0.waited } }, isOfMainThread: true))
    }
    if width >= (isMostlyKnown ? 100 : 50), phases.contains(where: { $0.costs != nil }) {
      numbers.append(Number(title: "cpu", value: { $0.costs.map { unit.number($0.cpu) } ?? "" }))
      if width >= 100 {
        hasPairs = true
        numbers.append(Number(title: "faults", value: { Self.pair($0.costs?.minorFaults, $0.costs?.majorFaults) }))
        numbers.append(
          Number(title: "switches", value: { Self.pair($0.costs?.voluntarySwitches, $0.costs?.involuntarySwitches) }))
        if phases.contains(where: { ($0.costs?.readBytes ?? 0) > 0 }) {
          numbers.append(Number(title: "KiB read", value: { $0.costs.map { "\($0.readBytes / 1024)" } ?? "" }))
        }
      }
    }
    let sums = rows.compactMap { if case .cut(let duration, _, _) = $0 { unit.number(duration) } else { nil } }
    for place in numbers.indices {
      let texts = phases.map(numbers[place].value) + [numbers[place].title] + (place == 0 ? sums : [])
      numbers[place].width = texts.map(\.count).max() ?? 0
    }
    let taken = numbers.reduce(0) { $0 + $1.width + 2 } + 4
    let longest = rows.map { DisplayWidth.columns(Self.label($0, columns: 80, style: style)) }.max() ?? 0
    let least = states.isKnown ? 11 : 6
    name = max(least, min(longest, max(width < 80 ? 12 : 22, (width - taken) * 2 / 5)))
    axis = max(8, width - taken - name)
  }

  func name(of row: PhaseRow, style: TextStyle) -> String { Self.label(row, columns: name, style: style) }

  private static func label(_ row: PhaseRow, columns: Int, style: TextStyle) -> String {
    switch row {
    case .phase(let phase, let depth, let isParallel):
      let indent = String(repeating: " ", count: min(depth * 2, columns / 2))
      let mark = (phase.isUnfinished ? " (open)" : phase.goesOn ? " (goes on)" : "") + (isParallel ? " (beside)" : "")
      return indent + style.name(phase.id, columns: max(4, columns - indent.count - mark.count)) + mark
    case .cut(_, let depth, let what):
      let indent = String(repeating: " ", count: min(depth * 2, columns / 2))
      return indent + style.name(what, columns: columns - indent.count)
    }
  }

  private static func pair(_ first: Int64?, _ second: Int64?) -> String {
    guard let first, let second else { return "" }
    return "\(first)+\(second)"
  }
}
