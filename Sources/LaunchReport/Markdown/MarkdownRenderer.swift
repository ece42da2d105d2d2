// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// The report for a pull request. The important parts are visible, and the flame tree is folded.
struct MarkdownRenderer: ReportRenderer {
  func render(_ launches: LaunchSet, options: ReportOptions, to sink: any ByteSink) throws {
    var options = options
    options.color = false
    var output = OutputBuffer(sink)
    let set = LaunchSetText(launches, options: options)
    func text(_ write: (inout TextPage) -> Void) -> String {
      TextPage.text(style: options.style, width: options.columns, write)
    }
    func writeTree(_ title: String, _ write: (inout TextPage) -> Void) throws {
      output.append("<details><summary>\(title)</summary>\n\n")
      try output.finish()
      let block = BlockSink(sink, width: options.columns)
      var page = TextPage(block, style: options.style, width: options.columns)
      write(&page)
      try page.finish()
      try block.finish()
      output.append("</details>\n")
    }

    let alone = launches.launches.count == 1 ? launches.launches.first.map { LaunchText($0, options: options) } : nil
    if let breakdown = launches.breakdown(options) {
      Self.writeHead(text(alone?.header.write ?? set.writeHeader), to: &output)
      let unit = alone?.unit ?? set.unit
      Self.writeBlock(text(BreakdownText(breakdown, options: options, unit: unit).write), to: &output)
    } else if options.findingsOnly {
      for launch in launches.launches {
        let report = LaunchText(launch, options: options)
        Self.writeHead(text(report.header.write), to: &output)
        Self.writeBlock(text(report.details.write), to: &output)
      }
    } else if let report = alone, options.by == nil {
      Self.writeHead(text(report.header.write), to: &output)
      if let phases = report.phases {
        Self.writeBlock(text(phases.write), to: &output)
      } else if !report.notes.shortcomings.isEmpty {
        Self.writeBlock(text(report.notes.writeShortcomings), to: &output)
      }
      if let states = report.states { Self.writeBlock(text(states.write), to: &output) }
      Self.writeFindings(report.launch.findings, unit: report.unit, to: &output)
      if let work = report.work { Self.writeBlock(text(work.write), to: &output) }
      try writeTree("Flame tree", report.flame.write)
    } else {
      Self.writeHead(text(alone?.header.write ?? set.writeHeader), to: &output)
      if let groups = set.groups {
        Self.writeBlock(text(groups.write), to: &output)
        return try output.finish()
      }
      if let table = set.table() { Self.writeBlock(text(table.write), to: &output) }
      if let launch = launches.medianLaunch {
        let title = launches.medianTitle(launch, unit: set.unit)
        let name = launch.name.isEmpty ? "" : " (\(Self.escaped(launch.name)))"
        output.append("**\(title)**\(name)\n\n")
        if let states = LaunchText(launch, options: options).states { Self.writeBlock(text(states.write), to: &output) }
        Self.writeFindings(launch.findings, unit: set.unit, to: &output)
        let flame = FlameSections(timeline: launch.timeline, options: options, unit: set.unit)
        try writeTree("Launch \(launch.number): flame tree", flame.write)
      }
    }
    try output.finish()
  }

  /// Writes the first line as a heading, the second one in bold, and the others as one paragraph.
  private static func writeHead(_ text: String, to output: inout OutputBuffer) {
    let lines = text.split(separator: "\n").map { escaped(String($0)) }
    if let title = lines.first { output.append("### \(title)\n\n") }
    if lines.count > 1 { output.append("**\(lines[1])**\n\n") }
    // At the end of a paragraph, a backslash breaks no line: it would be shown.
    if lines.count > 2 { output.append(lines[2...].joined(separator: "\\\n") + "\n\n") }
  }

  private static func writeFindings(_ findings: [Finding], unit: TimeUnit, to output: inout OutputBuffer) {
    for finding in findings {
      let times = finding.howOften.map { ", \($0)" } ?? ""
      let numbers =
        finding.unit == .nanoseconds
        ? ": \(unit.text(finding.actual)), allowed \(unit.briefText(finding.expected))\(times)" : ""
      // As in text: its time is that of samples.
      let about = finding.error == nil ? "" : "~"
      let advice = escaped(finding.adviceWithoutEvidence)
      output.append("- **\(finding.id)** \(about)\(escaped(finding.subject))\(numbers). \(advice)\n")
    }
    if !findings.isEmpty { output.append("\n") }
  }

  /// A block of code, in a fence that its content cannot close.
  static func writeBlock(_ text: String, to output: inout OutputBuffer) {
    let fence = BlockSink.fence(around: text.utf8)
    output.append("\(fence)text\n\(text)\(fence)\n\n")
  }

  /// A row of a table.
  static func row(_ cells: [String]) -> String { "| " + cells.map(escaped).joined(separator: " | ") + " |\n" }

  /// Escapes characters that are markup in Markdown or HTML (CommonMark 2.4), and those that a line must not contain.
  static func escaped(_ text: String) -> String { PlainName.escaped(text).replacing(scalars: markup) }

  private static let markup = Dictionary(
    uniqueKeysWithValues: "\\`*_{}[]<>#|~!&@".unicodeScalars.map { ($0, "\\\($0)") })
}
