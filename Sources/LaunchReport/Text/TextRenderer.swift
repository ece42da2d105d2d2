// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// A report for people: header, phases on a time axis, findings, flame tree. Fits the width, pastes into a log.
struct TextRenderer: ReportRenderer {
  func render(_ launches: LaunchSet, options: ReportOptions, to sink: any ByteSink) throws {
    var page = TextPage(sink, style: options.style, width: options.columns)
    if launches.launches.isEmpty {
      page.paragraph("No launches to report.", indent: 0)
    } else if launches.launches.count == 1, let launch = launches.launches.first {
      let text = LaunchText(launch, options: options)
      if options.isOverview {
        LaunchOverview(launch: launch, options: options, unit: text.unit).write(to: &page)
      } else {
        text.write(to: &page)
      }
    } else {
      LaunchSetText(launches, options: options).write(to: &page)
    }
    try page.finish()
  }
}

/// The report of one launch.
struct LaunchText {
  let launch: LaunchSet.Launch
  let options: ReportOptions
  let unit: TimeUnit

  private var timeline: LaunchTimeline { launch.timeline }

  var header: HeaderSection { HeaderSection(launch: launch, unit: unit) }
  /// nil for a trace that says nothing of phases.
  var phases: PhaseSection? {
    guard timeline.phases.map(\.id) != [PhaseName.trace] else { return nil }
    let rows = PhaseRow.rows(timeline, options: options)
    return PhaseSection(timeline: timeline, rows: rows, unit: unit, hasSources: true)
  }
  var notes: SourceNotes { SourceNotes(timeline: timeline, unit: unit) }
  /// nil when there is nothing to say.
  var work: WorkSection? { WorkSection(timeline, unit: unit) }
  /// nil when the trace says nothing of the main thread's states.
  var states: StateSection? { timeline.states.isKnown ? StateSection(timeline: timeline, unit: unit) : nil }
  /// nil for none.
  var findings: FindingSection? { launch.findings.isEmpty ? nil : FindingSection(launch.findings, unit: unit) }
  var details: FindingDetails { FindingDetails(launch: launch, options: options, unit: unit) }
  var flame: FlameSections { FlameSections(timeline: timeline, options: options, unit: unit) }

  func write(to page: inout TextPage) {
    header.write(to: &page)
    page.blank()
    if let breakdown = LaunchSet([timeline]).breakdown(options) {
      return BreakdownText(breakdown, options: options, unit: unit).write(to: &page)
    }
    if let by = options.by {
      return GroupText(LaunchSet([timeline]), by: by, options: options, unit: unit).write(to: &page)
    }
    if options.findingsOnly { return details.write(to: &page) }
    if phases == nil, !notes.shortcomings.isEmpty {
      notes.writeShortcomings(to: &page)
      page.blank()
    }
    let sections = [
      phases?.write, states?.write, findings?.write, LibrarySection(timeline, unit: unit)?.write,
      GlobalSection(timeline, unit: unit)?.write, LookupSection(timeline, unit: unit)?.write, work?.write,
    ]
    for case let write? in sections {
      write(&page)
      page.blank()
    }
    SavingsText(savings: Savings([timeline]), program: timeline.program).writeSection(unit, to: &page)
    flame.write(to: &page)
  }
}

extension LaunchText {
  init(_ launch: LaunchSet.Launch, options: ReportOptions) {
    self.init(launch: launch, options: options, unit: TimeUnit(launch.timeline, ascii: options.ascii))
  }
}

extension TimeUnit {
  /// Folded stacks have no times: what looks like them are counts of samples.
  init(_ timeline: LaunchTimeline, ascii: Bool) {
    if let unit = timeline.countedUnit {
      self.init(counting: unit)
    } else {
      self.init(for: timeline.total, ascii: ascii)
    }
  }
}
