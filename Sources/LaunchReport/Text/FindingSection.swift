// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// What the reader should know, with the next step.
struct FindingSection {
  /// More are counted, not shown: `--findings` has them all.
  static let limit = 8
  /// Narrower, the numbers get a line of their own.
  private static let tableWidth = 64

  /// Findings, each with how many others of its id are in its row.
  private let rows: [(finding: Finding, further: Int)]
  private let unit: TimeUnit
  /// How many findings are in no row.
  private let rest: Int
  /// Lines of advice for each.
  private let mostLines: Int
  private let id: Int
  private let actual: Int
  private let expected: Int
  private let longestSubject: Int

  /// One row for each kind of finding, with its worst one and how many more there are, and three lines of advice: its end says
  /// what to do.
  init(grouping findings: [Finding], unit: TimeUnit, limit: Int) {
    let groups = findings.grouped(by: \.id).map(\.members)
    let rows = groups.prefix(limit).map { group in
      var worst = group[0]
      worst.subject = ShortName.of(worst.subject)
      let further = group.dropFirst().reduce(group.count - 1) { $0 + $1.others }
      return (finding: worst, further: further)
    }
    let rest = groups.dropFirst(limit).reduce(0) { $0 + $1.count }
    self.init(rows, unit: unit, rest: rest, mostLines: 3)
  }

  init(_ findings: [Finding], unit: TimeUnit) {
    let rows = findings.prefix(Self.limit).map { (finding: $0, further: 0) }
    self.init(rows, unit: unit, rest: findings.count - rows.count, mostLines: .max)
  }

  private init(_ rows: [(finding: Finding, further: Int)], unit: TimeUnit, rest: Int, mostLines: Int) {
    (self.rows, self.unit, self.rest, self.mostLines) = (rows, unit, rest, mostLines)
    id = rows.map(\.finding.id.count).max() ?? 0
    longestSubject =
      rows.map { finding, further in
        DisplayWidth.columns(finding.subject) + Self.times(finding, further).count + (finding.error == nil ? 0 : 1)
      }.max() ?? 0
    let timed = rows.map(\.finding).filter { $0.unit == .nanoseconds }
    actual = max(unit.symbol.count, timed.map { unit.number($0.actual).count }.max() ?? 0)
    expected = timed.map { unit.brief($0.expected).count }.max().map { max($0, "allowed".count) } ?? 0
  }

  func write(to page: inout TextPage) {
    let subject = min(longestSubject, page.width - (2 + id + 2 + 2 + actual + 2 + expected))
    let isTable = page.width >= Self.tableWidth
    var title = TextLine(page.style)
    title.add("  Findings", .strong)
    if isTable, expected > 0 {
      title.skip(to: 2 + id + 2 + subject + 2)
      title.add(right: unit.symbol, width: actual, .strong)
      title.add(right: "allowed", width: expected + 2, .strong)
    }
    page.end(title)
    for (finding, further) in rows {
      writeRow(finding, further, subject: subject, isTable: isTable, to: &page)
      page.paragraph(finding.adviceWithoutEvidence, indent: 4, .faint, mostLines: mostLines)
    }
    if rest > 0 {
      page.paragraph("\(DecimalText.counted(rest, "more finding")): --findings shows them all.", indent: 2)
    }
  }

  private func writeRow(_ finding: Finding, _ further: Int, subject: Int, isTable: Bool, to page: inout TextPage) {
    // What samples say is not as sure as what was recorded.
    let about = finding.error == nil ? "" : "~"
    var line = TextLine(page.style)
    line.add("! ", .bad)
    line.add(left: finding.id, width: isTable ? id + 2 : 0, .bad)
    if !isTable {
      page.end(line)
      line = TextLine(page.style)
      line.skip(to: 4)
    }
    let columns = isTable ? subject : page.width - 4 - (finding.unit == .count ? 0 : actual + expected + 4)
    let least = min(4, DisplayWidth.columns(finding.subject))
    let longTimes = Self.times(finding, further)
    let times = columns - longTimes.count - about.count >= least ? longTimes : ""
    let room = max(4, columns - times.count - about.count)
    let shown = finding.subject(columns: room)
    // Paths differ at their ends.
    let isPath = shown.hasPrefix("/")
    let name = isPath ? page.style.ending(shown, columns: room) : page.style.function(shown, columns: room)
    line.add(left: about + name + times, width: columns, .strong)
    if finding.unit == .nanoseconds {
      line.add(right: unit.number(finding.actual), width: actual + 2, .bad)
      line.add(right: unit.brief(finding.expected), width: expected + 2)
    }
    page.end(line)
  }

  private static func times(_ finding: Finding, _ further: Int) -> String {
    let more = finding.notCounted + further
    return (finding.isOfOthers ? " and others" : "") + (finding.counted.map { " (\($0))" } ?? "")
      + (more > 0 ? " +\(more) more" : "")
  }
}

extension Finding {
  /// The advice, for readers who do not see the evidence.
  var adviceWithoutEvidence: String { advice + (listed.map { " report --findings lists \($0)." } ?? "") }

  /// Which occurrences its time is of: `3 times` for a sum, `longest of 3`; nil for a single one.
  fileprivate var counted: String? {
    let number = occurrences - notCounted
    return number < 2 ? nil : sum == nil ? "longest of \(number)" : "\(number) times"
  }

  /// The occurrences with other subjects, if its time is without them.
  fileprivate var notCounted: Int { sum == .all ? 0 : others }

  /// Whether its time has them.
  fileprivate var isOfOthers: Bool { sum == .all && others > 0 }

  /// Its subject; of waits for several reasons, only the call if the file has no room: half a name says nothing.
  fileprivate func subject(columns: Int) -> String {
    guard isOfOthers, DisplayWidth.columns(subject) > columns else { return subject }
    return evidence.first { $0.kind == .systemCall }?.text ?? subject
  }

  /// `longest of 3`; `3 times with others` if others have other subjects, `+2 more` if its time is without them; nil for one.
  var howOften: String? {
    let pieces = [
      counted.map { $0 + (isOfOthers ? " with others" : "") }, notCounted > 0 ? "+\(notCounted) more" : nil,
    ].compactMap(\.self)
    return pieces.isEmpty ? nil : pieces.joined(separator: ", ")
  }
}
