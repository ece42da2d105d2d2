internal import LaunchAnalysis

/// What the reader should know, with the next step.
struct FindingSection {
  /// More are counted, not shown: JSON has them all.
  static let limit = 8

  private let findings: [Finding]
  private let unit: TimeUnit

  init(_ findings: [Finding], unit: TimeUnit) {
    self.findings = findings
    self.unit = unit
  }

  func write(to page: inout TextPage) {
    var title = TextLine(page.style)
    title.add("  Findings", .strong)
    page.end(title)
    for finding in findings.prefix(Self.limit) {
      write(finding, to: &page)
      page.paragraph(finding.advice, indent: 4, .faint)
    }
    let rest = findings.count - Self.limit
    if rest > 0 {
      page.paragraph("\(rest) more \(rest == 1 ? "finding" : "findings"): --format json has them all.", indent: 2)
    }
  }

  private func write(_ finding: Finding, to page: inout TextPage) {
    var line = TextLine(page.style)
    line.add("! ", .bad)
    line.add(finding.id, .bad)
    line.add(": ")
    let numbers = numbers(finding)
    line.add(page.style.name(finding.subject, columns: max(8, page.width - line.columns - numbers.count - 2)), .strong)
    if line.columns + numbers.count + 2 > page.width {
      page.end(line)
      line = TextLine(page.style)
      line.skip(to: 4)
      line.add(numbers)
    } else {
      line.add((numbers.isEmpty ? "" : ", ") + numbers)
    }
    page.end(line)
  }

  private func numbers(_ finding: Finding) -> String {
    switch (finding.id, finding.unit) {
    case (FindingName.failedLaunch, _), (FindingName.debugBuild, _), (FindingName.notInstrumented, _): return ""
    case (_, .count): return "\(finding.actual)"
    case (_, .nanoseconds):
      let times = finding.occurrences > 1 ? ", \(finding.occurrences) times" : ""
      return "\(unit.text(finding.actual)), allowed \(unit.short(finding.expected))\(times)"
    }
  }
}
