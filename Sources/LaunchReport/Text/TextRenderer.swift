internal import LaunchAnalysis

/// A report for people: header, phases on a time axis, findings, flame tree. Fits the width, pastes into a log.
struct TextRenderer: ReportRenderer {
  /// Narrower, nothing can be read; wider, a line can't be followed.
  static let widths = 40...120

  func render(_ launches: LaunchSet, options: ReportOptions, to sink: any ByteSink) throws {
    let style = TextStyle(hasColor: options.color, isASCII: options.ascii)
    let width = min(max(options.width, Self.widths.lowerBound), Self.widths.upperBound)
    var page = TextPage(sink, style: style, width: width)
    if launches.launches.isEmpty {
      page.paragraph("No launches to report.", indent: 0)
    } else if launches.launches.count == 1, let launch = launches.launches.first {
      LaunchText(launch.timeline, options: options, style: style).write(to: &page)
    } else {
      LaunchSetText(launches, options: options, style: style).write(to: &page)
    }
    try page.finish()
  }
}

/// The report of one launch.
struct LaunchText {
  let timeline: LaunchTimeline
  let options: ReportOptions
  let unit: TimeUnit

  init(_ timeline: LaunchTimeline, options: ReportOptions, style: TextStyle) {
    self.timeline = timeline
    self.options = options
    unit = TimeUnit(longest: timeline.extendedEnd - timeline.start, ascii: style.isASCII)
  }

  var header: HeaderSection { HeaderSection(timeline, unit: unit) }
  var phases: PhaseSection { PhaseSection(timeline, options: options, unit: unit) }
  var flame: FlameSection { FlameSection(timeline, options: options, unit: unit) }

  func write(to page: inout TextPage) {
    header.write(to: &page)
    page.blank()
    phases.write(to: &page)
    if !timeline.findings.isEmpty {
      page.blank()
      FindingSection(timeline.findings, unit: unit).write(to: &page)
    }
    page.blank()
    flame.write(to: &page)
  }
}
