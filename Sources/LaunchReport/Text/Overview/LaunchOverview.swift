// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// The report of one launch on one screen, with at most 40 lines: the verdict, the phases, the states of the main
/// thread, the most important findings, and where the time went. `--full` shows the rest.
struct LaunchOverview {
  private static let mostLines = 40
  private static let mostPhases = 8
  private static let mostFindings = 3
  static let mostFunctions = 6

  let launch: LaunchSet.Launch
  let options: ReportOptions
  let unit: TimeUnit
  private var timeline: LaunchTimeline { launch.timeline }

  func write(to page: inout TextPage) {
    HeaderSection(launch: launch, unit: unit).writeVerdict(to: &page)
    if timeline.phases.map(\.id) != [PhaseName.trace] {
      page.blank()
      let rows = PhaseRow.overview(timeline, mainThreadOnly: options.mainThreadOnly, most: Self.mostPhases)
      PhaseSection(timeline: timeline, rows: rows, unit: unit, hasSources: false).write(to: &page)
    } else {
      SourceNotes(timeline: timeline, unit: unit).writeShortcomings(to: &page)
    }
    writeRest(to: &page)
    Self.writeMore(to: &page)
  }

  /// The part that also follows the medians of several launches.
  ///
  /// - Parameters:
  ///   - most: the largest number of functions of the tree.
  ///   - leastRows: what the tree has, however much is above it.
  func writeRest(to page: inout TextPage, most: Int = mostFunctions, leastRows: Int = 4) {
    if timeline.states.isKnown { StateLine(timeline: timeline, unit: unit).write(to: &page) }
    if !launch.findings.isEmpty {
      page.blank()
      FindingSection(grouping: launch.findings, unit: unit, limit: Self.mostFindings).write(to: &page)
    }
    if let globals = GlobalSection(timeline, unit: unit) {
      page.blank()
      globals.writeHead(to: &page)
    }
    page.blank()
    // The tree has a heading. Below it are what its marks mean, a blank line and the options.
    let rows = max(leastRows, Self.mostLines - page.lines - 4)
    FlameSection.head(timeline, options: options, unit: unit, most: most, rows: rows).write(to: &page)
  }

  /// The options that show the rest.
  static func writeMore(to page: inout TextPage) {
    page.blank()
    page.paragraph("More: launchprof report --full, --findings, --by library, --merge", indent: 2, .faint)
  }
}

/// The states of the main thread, in one or two lines.
struct StateLine {
  let timeline: LaunchTimeline
  let unit: TimeUnit

  func write(to page: inout TextPage) {
    let total = max(1, timeline.total)
    let summaries = timeline.stateSummaries.filter { $0.total >= total / 100 }
    var pieces: [(text: String, ink: TextStyle.Ink)] = []
    for summary in summaries {
      let percent = (Double(summary.total) / Double(total) * 100).rounded()
      let glyph = StateStrip.glyph(summary.state, page.style)
      var text = "\(glyph) \(Int(min(percent, 999))) % \(summary.state.title)"
      // A cause of little of it would look like that of all.
      let cause = summary.cause.flatMap { $0.total >= summary.total / 3 ? $0 : nil }
      if summary.state != .running, summary.total >= total / 10, let cause {
        let what = CauseText.of(cause, in: summary.total, timeline: timeline, unit: unit)
        let room = page.width - 2 - text.count - 3
        text += " (\(page.style.name(what, columns: max(16, room))))"
      }
      if summary.state == .running, let kernel = timeline.kernelTime { text += " (\(kernel.share(page.style)))" }
      pieces.append((text, .plain))
    }
    for state in timeline.statesAfterLaunch(unless: summaries) {
      pieces.append(("\(StateStrip.glyph(state, page.style)) \(state.title), after the launch", .plain))
    }
    page.pieces(pieces, separator: page.style.dot, indent: 2)
  }
}
