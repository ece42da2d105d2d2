// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// The flame tree of the spans, and that of the samples, or both as one.
struct FlameSections {
  static let samplesTitle = "Samples"

  let timeline: LaunchTimeline
  let options: ReportOptions
  let unit: TimeUnit

  func write(to page: inout TextPage) {
    let flame = options.merge ? timeline.mergedFlame : timeline.flame
    FlameSection(timeline, flame, title: "Flame tree", options: options, unit: unit).write(to: &page)
    guard !options.merge, let samples = timeline.sampleFlame else { return }
    page.blank()
    FlameSection(timeline, samples, title: Self.samplesTitle, options: options, unit: unit).write(to: &page)
  }
}

/// A flame tree: numbers, bar on the time axis, tree.
struct FlameSection {
  private let timeline: LaunchTimeline
  private let flame: FlameTree
  private let title: String
  private let options: ReportOptions
  private let unit: TimeUnit
  private let isCount: Bool
  /// False for samples that do not measure time, or do not say when they were taken: their bars show shares.
  private let hasAxis: Bool
  /// What 100 % is: the launch, or all samples.
  private let whole: Int64
  /// How far samples are apart, in their unit; nil for intervals.
  private let period: Int64?
  /// Shorter nodes are summed up.
  private let minPercent: Double
  /// The rows of a reader who wants the most important ones only; nil for all.
  private var head: FlameHead?

  init(_ timeline: LaunchTimeline, _ flame: FlameTree, title: String, options: ReportOptions, unit: TimeUnit) {
    (self.timeline, self.flame, self.title, self.options) = (timeline, flame, title, options)
    isCount = flame.unit != "ns"
    hasAxis = !isCount && timeline.trace.hasTimes
    self.unit = isCount ? TimeUnit(counting: flame.unit) : unit
    whole = isCount ? flame.roots.reduce(0) { $0 &+ flame.total[$1] } : timeline.total
    period = flame.isSampled ? timeline.trace.samples.usualWeight : nil
    minPercent = Self.minPercent(flame, period: period, options: options, whole: whole)
  }

  /// The part of the tree, with what samples saw, in which the time went.
  ///
  /// - Parameters:
  ///   - most: how many rows, not counting threads and phases.
  ///   - rows: how many rows in all. Only a single function with what is around it may need more.
  static func head(
    _ timeline: LaunchTimeline, options: ReportOptions, unit: TimeUnit, most: Int, rows: Int
  ) -> FlameSection {
    func section(_ flame: FlameTree) -> FlameSection {
      var section = FlameSection(timeline, flame, title: "Where the time went", options: options, unit: unit)
      section.head = FlameHead(flame, most: most, least: section.whole / 33, rows: rows)
      return section
    }
    let merged = section(timeline.largeMergedFlame)
    if merged.head?.rows.isEmpty == true, let samples = timeline.largeSampleFlame { return section(samples) }
    return merged
  }

  /// One or two samples say little of a function. Hide them by default. Show them if the launch has few samples, or if
  /// `--min-percent` is given.
  private static func minPercent(
    _ flame: FlameTree, period: Int64?, options: ReportOptions, whole: Int64
  ) -> Double {
    guard let period, !options.showsRareFunctions, whole > 0 else { return options.minPercent }
    let all = flame.roots.reduce(0) { $0 &+ flame.total[$1] }
    let least = min(Double(period) * 3, Double(all) / 20)
    return max(options.minPercent, (least / Double(whole) * 1000).rounded(.down) / 10)
  }

  /// Why there is nothing to show, if that is known.
  private var nothing: String? {
    Self.absence(timeline, flame, options).map { $0.text + ($0.isDrawn ? " The HTML report draws them." : "") }
  }

  /// Why a tree of intervals has nothing to show, if that is known, and whether a timeline shows what the trace has instead.
  static func absence(
    _ timeline: LaunchTimeline, _ flame: FlameTree, _ options: ReportOptions
  ) -> (text: String, isDrawn: Bool)? {
    if timeline.trace.hasOnlyCounters { return ("The trace has only counters.", true) }
    if options.mainThreadOnly, timeline.mainThread == nil {
      return ("The trace does not say which thread is the main thread.", false)
    }
    guard flame.count == 0 else { return nil }
    if !timeline.programInstants().isEmpty { return ("The trace has only events without a duration.", true) }
    let kinds = timeline.trace.statistics.skippedByCount
    if kinds.isEmpty { return ("No intervals were recorded.", false) }
    let notRead = kinds.prefix(3).map { "\(PlainName.escaped($0.key)) (\($0.value))" }
    let text =
      "launchprof found no intervals, and does not read \(notRead.joined(separator: ", "))"
      + "\(kinds.count > notRead.count ? ", and others" : "")."
    return (text, false)
  }

  func write(to page: inout TextPage) {
    if let head {
      guard !head.rows.isEmpty else { return page.paragraph(nothing ?? "No part stands out.", indent: 2, .faint) }
      return write(head.rows, head.sums, tracksLeftOut: 0, to: &page)
    }
    let least = Int64((Double(whole) * minPercent / 100).rounded(.up))
    let rows = FlameRows(flame, options: options, least: least)
    guard !rows.rows.isEmpty else {
      // Without the heading of a table, the reader must see what it is that does not show.
      let short = rows.cut > 0 ? "\(title): nothing takes \(Self.trimmed(minPercent)) % of the launch." : nil
      page.paragraph(nothing ?? short ?? "Nothing to show.", indent: 2, .faint)
      return writeFooter(rows, to: &page)
    }
    write(rows.rows, rows.sums, tracksLeftOut: rows.tracksLeftOut, to: &page)
    writeFooter(rows, to: &page)
  }

  private func write(
    _ rows: [FlameRows.Row], _ sums: [FlameRows.Sum], tracksLeftOut: Int, to page: inout TextPage
  ) {
    let columns = FlameColumns(
      flame, rows: rows, sums: sums, whole: whole, end: endOfShares, unit: unit, width: page.width, own: own)
    let axis = TimeAxis(
      start: hasAxis ? timeline.start : 0, end: hasAxis ? timeline.extendedEnd : whole, columns: columns.bar,
      style: page.style)
    writeHeading(columns, axis: axis, to: &page)
    var lines = FlameLines(page.style)
    for row in rows {
      write(
        row, sum(of: row, sums), tracksLeftOut: tracksLeftOut, columns: columns, axis: axis, lines: &lines, to: &page)
    }
    writeLegend(rows, sums, hasBars: columns.bar > 0, axis: axis, to: &page)
  }

  /// The marks in the rows that do not explain themselves.
  private func writeLegend(
    _ rows: [FlameRows.Row], _ sums: [FlameRows.Sum], hasBars: Bool, axis: TimeAxis, to page: inout TextPage
  ) {
    let isLight = rows.contains { row in
      hasBars && bar(row, sum(of: row, sums), axis: axis).contains(page.style.lightMark)
    }
    let isSeen = rows.contains { $0.node.map { flame.flags[$0].contains(.inferred) } ?? false }
    let marks = [
      isLight ? "\(page.style.lightMark) up to the end of its last part" : nil, isSeen ? "~ from samples" : nil,
    ].compactMap(\.self)
    if !marks.isEmpty { page.paragraph(marks.joined(separator: page.style.dot), indent: 2, .faint) }
  }

  private func writeHeading(_ columns: FlameColumns, axis: TimeAxis, to page: inout TextPage) {
    var line = TextLine(page.style)
    line.skip(to: 2)
    line.add(right: "total", width: columns.total, .strong)
    line.add(" ")
    line.add(right: "self", width: columns.selfTime, .strong)
    line.add(right: "%", width: columns.share, .strong)
    if columns.calls > 0 { line.add(right: "calls", width: columns.calls + 1, .strong) }
    line.add("  ")
    if columns.bar > 0 { line.add(left: axis.ticks(unit), width: columns.bar + 1, .faint) }
    line.add(page.style.name(title, columns: page.width - line.columns), .strong)
    let symbol = " (\(unit.symbol))"
    if line.columns + symbol.count <= page.width { line.add(symbol, .faint) }
    page.end(line)
  }

  private func write(
    _ row: FlameRows.Row, _ sum: FlameRows.Sum?, tracksLeftOut: Int, columns: FlameColumns, axis: TimeAxis,
    lines: inout FlameLines, to page: inout TextPage
  ) {
    var line = TextLine(page.style)
    let over = row.node.flatMap { flame.overBudget[$0] }
    let isFaint = sum != nil
    let ink: TextStyle.Ink = over != nil ? .bad : isFaint ? .faint : row.depth == 0 ? .strong : .plain
    let total = total(row, sum)
    line.add(over == nil ? "  " : "! ", .bad)
    line.add(right: unit.number(total), width: columns.total, ink)
    line.add(" ")
    // A track has no time of its own.
    let selfTime = row.node.flatMap { row.depth == 0 ? nil : unit.number(own($0)) }
    line.add(right: selfTime ?? "", width: columns.selfTime, ink)
    line.add(right: percent(total, end: sum?.end ?? row.node.map { flame.end[$0] } ?? 0), width: columns.share, ink)
    if columns.calls > 0 {
      let calls = row.node.flatMap { FlameColumns.calls($0, in: flame) }.map { "\($0)" } ?? ""
      line.add(right: calls, width: columns.calls + 1, ink)
    }
    line.add("  ")
    if columns.bar > 0 {
      line.add(
        left: bar(row, sum, axis: axis), width: columns.bar + 1,
        over != nil ? .bad : row.depth == 0 || isFaint ? .faint : .bar)
    }
    if let sum, row.depth == 0, tracksLeftOut > 0 {
      let tracks = sum.count == 1 ? "track" : "tracks"
      line.add(page.style.name("\(sum.count) more \(tracks)", columns: page.width - line.columns), .faint)
    } else {
      let room = (page.width - line.columns) / 2
      line.add(lines.next(depth: row.depth, isLast: row.isLast, room: room), .faint)
      writeName(row, sum, over: over, ink: ink, line: &line, width: page.width, style: page.style)
    }
    page.end(line)
  }

  private func own(_ node: FlameTree.Node) -> Int64 {
    head == nil ? flame.selfTime(of: node) : flame.selfTimeWithRecursion(of: node)
  }

  private func sum(of row: FlameRows.Row, _ sums: [FlameRows.Sum]) -> FlameRows.Sum? {
    if case .sum(let place) = row.content { sums[Int(place)] } else { nil }
  }

  private func total(_ row: FlameRows.Row, _ sum: FlameRows.Sum?) -> Int64 {
    sum?.total ?? row.node.map { flame.total[$0] } ?? 0
  }

  private func bar(_ row: FlameRows.Row, _ sum: FlameRows.Sum?, axis: TimeAxis) -> String {
    let total = total(row, sum)
    if !hasAxis { return axis.bar(from: 0, to: total) }
    if let sum { return axis.bar(from: sum.start, to: sum.start, last: sum.end) }
    guard let node = row.node else { return "" }
    let (start, end) = (flame.start[node], flame.end[node])
    let filled = start &+ min(total, max(0, end &- start))
    return axis.bar(from: start, to: filled, last: end, isGap: flame.isUnattributed(node))
  }

  private func writeName(
    _ row: FlameRows.Row, _ sum: FlameRows.Sum?, over: FlameTree.OverBudget?, ink: TextStyle.Ink,
    line: inout TextLine, width: Int, style: TextStyle
  ) {
    if let sum {
      let what = (row.depth == 0 ? "track" : "name") + (sum.count == 1 ? "" : "s")
      let text =
        sum.isRest
        ? "\(sum.count) more"
        : sum.isChain
          ? "\(style.ellipsis) \(sum.count) functions of libraries"
          : sum.isDeep
            ? "\(sum.count) \(what) below level \(FlameRows.deepest)"
            : "\(sum.count) \(what) below \(Self.trimmed(minPercent)) %"
      return line.add(style.name(text, columns: width - line.columns), .faint)
    }
    guard let node = row.node else { return }
    let note = over.map(overNote) ?? ""
    let isOpen = flame.flags[node].contains(.unfinished)
    // What samples say is not as sure as what was recorded.
    let about = flame.flags[node].contains(.inferred) ? "~" : ""
    let mark = isOpen ? " (open)" : ""
    var space = width - line.columns - mark.count
    let hasNote = !note.isEmpty && space - note.count >= 10
    if hasNote { space -= note.count }
    // One function has one name in the tree, however much room its rows have.
    let isFunction = flame.isSampled || flame.flags[node].contains(.inferred)
    line.add(
      about + style.function(flame.name(of: node), columns: max(1, space - about.count), isShort: isFunction), ink)
    line.add(mark, .faint)
    if hasNote { line.add(note, .bad) }
  }

  private func overNote(_ over: FlameTree.OverBudget) -> String {
    let times = over.occurrences > 1 ? "\(over.occurrences)x over" : "budget"
    return "  \(times) \(unit.short(over.budget))"
  }

  /// Empty for what is not, or not only, a part of the launch.
  private func percent(_ total: Int64, end: Int64) -> String {
    end <= endOfShares ? DecimalText.percent(total, of: whole) : ""
  }

  private var endOfShares: Int64 { isCount ? .max : timeline.end }

  static func trimmed(_ percent: Double) -> String {
    percent == percent.rounded() && abs(percent) < 1e6 ? String(Int(percent)) : String(percent)
  }

  // MARK: What is not shown

  private func writeFooter(_ rows: FlameRows, to page: inout TextPage) {
    var notes: [String] = []
    let (cut, leftOut) = (rows.cut, rows.tracksLeftOut)
    if leftOut > 0 {
      // CSV has a row for each span, and a sample is not a span.
      let format = flame.isSampled ? ReportFormat.folded : .csv
      let tracks = leftOut == 1 ? "track" : "tracks"
      notes.append("\(leftOut) \(tracks) with less time not shown; --format \(format.rawValue) has all of them")
    }
    if cut > 0 {
      let isDeep = rows.sums.contains(where: \.isDeep)
      let depth = (options.depth ?? (isDeep ? FlameRows.deepest : nil)).map { " or deeper than \($0)" } ?? ""
      notes.append(
        "\(cut) \(cut == 1 ? "path" : "paths") below \(Self.trimmed(minPercent)) %\(depth) not shown"
          + (isDeep ? "; --depth \(FlameRows.deepest * 4) shows more" : ""))
    }
    if rows.chained > 0 {
      notes.append("library functions that only call the next one are not shown; --depth 999 shows them")
    }
    let after = flame.slicesAfter
    let what = flame.isSampled ? "sample" : "span"
    if after > 0 { notes.append("\(after) \(after == 1 ? what : what + "s") after the launch not shown") }
    if title == FlameSections.samplesTitle, isCount == false, let period {
      notes.append("samples are \(unit.small(period)) apart, so each time may be off by that much")
      if let kernel = timeline.kernelTime {
        notes.append(
          "they show user code only; the main thread ran for \(unit.text(kernel.running)), \(kernel.share(options.style))"
        )
      }
    }
    if title != FlameSections.samplesTitle, let recorder = timeline.recorder {
      let cost = unit.small(Int64(min(recorder.total, 9e18)))
      let about = cost.hasPrefix("under") ? "" : "about "
      notes.append(
        "recording cost \(about)\(cost)\(share(of: recorder)) "
          + "(\(recorder.events) events, \(recorder.dropped) dropped)")
    }
    guard !notes.isEmpty else { return }
    page.blank()
    for note in notes { page.paragraph(note, indent: 2, .faint) }
  }

  /// What part of the launch it was; empty if no time passed.
  private func share(of recorder: RecorderCost) -> String {
    guard timeline.total > 0 else { return "" }
    let share = min(recorder.delay / Double(timeline.total) * 10_000, 1e9)
    let percent = "\(DecimalText.text(Int64(share.rounded()), decimals: 2)) % of the launch"
    // One thread of the launch has nearly all of it, or others record at the same time.
    return recorder.delay < recorder.total * 0.9 ? " in all, and \(percent) on its busiest thread" : ", \(percent)"
  }
}
