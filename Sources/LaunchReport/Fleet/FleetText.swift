// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// A document for a terminal: 80 columns, one screen.
struct FleetText {
  private let document: FleetDocument
  private let style: TextStyle
  private let width: Int
  private let cells: FleetCellText

  init(_ document: FleetDocument, options: ComparisonReportOptions) {
    self.document = document
    style = options.style
    width = min(max(options.width, 60), 160)
    cells = FleetCellText(numbers: ComparisonNumbers(times: document.times, ascii: options.ascii))
  }

  func write(to sink: any ByteSink) throws {
    var page = TextPage(sink, style: style, width: width)
    page.line(style.name(style.prose(document.title), columns: width), .strong)
    for sentence in document.sentences { page.paragraph(sentence.text, indent: 0, sentence.ink) }
    for sheet in document.sheets(for: .people) where !sheet.rows.isEmpty {
      page.blank()
      write(sheet, to: &page)
    }
    let notes = document.notes(for: .people) + document.notesOfText
    if !notes.isEmpty {
      page.blank()
      for note in notes { page.paragraph(note, indent: 0, .faint) }
    }
    try page.finish()
  }

  private static func isText(_ cell: FleetSheet.Cell) -> Bool {
    switch cell {
    case .word, .metric, .verdict: true
    default: false
    }
  }

  private func write(_ sheet: FleetSheet, to page: inout TextPage) {
    let rows = Array(sheet.rows.prefix(sheet.mostRows))
    page.paragraph(cells.title(sheet), indent: 0, .strong)
    let titles = sheet.columns.map { plain($0.title) }
    let groups = groups(of: sheet.columns)
    let below: (FleetSheet.Cell) -> String = {
      !sheet.showsIntervals ? "" : sheet.hasRoom ? cells.interval($0) : cells.below($0)
    }
    var widths = sheet.columns.indices.map { place in
      rows.map { row in
        max(DisplayWidth.columns(plain(row[place])), DisplayWidth.columns(below(row[place])))
      }.reduce(DisplayWidth.columns(titles[place]), max)
    }
    for group in groups {
      let columns = widths[group.places].reduce(0, +) + 2 * (group.places.count - 1)
      widths[group.places.lowerBound] += max(0, DisplayWidth.columns(group.name) - columns)
    }
    let leastName = distinct(rows.map { plain($0[0]) }, atLeast: min(Self.leastName, widths.first ?? 0))
    let columns = Columns(widths, leastName: leastName, width: width)
    write(groups, columns, to: &page)
    var head = TextLine(style)
    for (place, heading) in titles.prefix(columns.widths.count).enumerated() {
      let isText = place == 0 || rows.contains { Self.isText($0[place]) }
      add(heading, isText: isText, place, columns, .faint, to: &head)
    }
    page.end(head)
    for row in rows {
      var (line, next) = (TextLine(style), TextLine(style))
      for (place, cell) in row.prefix(columns.widths.count).enumerated() {
        let isText = place == 0 || Self.isText(cell)
        add(plain(cell), isText: isText, place, columns, ink(cell), to: &line)
        add(below(cell), isText: isText, place, columns, .faint, to: &next)
      }
      page.end(line)
      if row.contains(where: { !below($0).isEmpty }) { page.end(next) }
    }
    if let rest = sheet.rest { page.paragraph(rest, indent: 0, .faint) }
    let hidden = sheet.columns.count - columns.widths.count
    if hidden > 0 {
      page.paragraph(
        "no room for \(DecimalText.counted(hidden, "more column")): -o FILE.csv has all", indent: 0, .faint)
    }
  }

  /// The columns in which names still differ from each other where they are cut.
  private func distinct(_ names: [String], atLeast least: Int) -> Int {
    let names = Set(names)
    let longest = names.map(DisplayWidth.columns).max() ?? 0
    guard least < longest else { return least }
    return (least..<longest).first { room in Set(names.map { cut($0, to: room) }).count == names.count } ?? longest
  }

  private func cut(_ text: String, to columns: Int) -> String {
    DisplayWidth.truncated(text, to: columns, ellipsis: style.ellipsis)
  }

  /// What a name gets before numbers do: names of phases may differ at their end only.
  private static let leastName = 20

  /// Columns of the same launches, which share a heading.
  private struct Group {
    var name: String
    var places: Range<Int>
  }

  /// Their names are as short as they can be.
  private func groups(of columns: [FleetSheet.Column]) -> [Group] {
    let room = min(distinct(columns.map { plain($0.group) }, atLeast: 12), width / 2)
    var groups: [Group] = []
    for (place, column) in columns.enumerated() where !column.group.isEmpty {
      if place > 0, columns[place - 1].group == column.group {
        groups[groups.count - 1].places = groups[groups.count - 1].places.lowerBound..<place + 1
      } else {
        groups.append(Group(name: cut(plain(column.group), to: room), places: place..<place + 1))
      }
    }
    return groups
  }

  /// The line above the titles; none without groups.
  private func write(_ groups: [Group], _ columns: Columns, to page: inout TextPage) {
    let shown = groups.filter { $0.places.lowerBound < columns.widths.count }
    if shown.isEmpty { return }
    var line = TextLine(style)
    for group in shown {
      let places = group.places.clamped(to: 0..<columns.widths.count)
      let before = columns.widths[..<places.lowerBound].reduce(0) { $0 + $1 + columns.gap }
      let room = columns.widths[places].reduce(0, +) + columns.gap * (places.count - 1)
      line.skip(to: before)
      line.add(right: cut(group.name, to: room), width: room, .faint)
    }
    page.end(line)
  }

  /// How the width is shared out. The first column is a name, and gives way. Where that is not enough, the columns move
  /// together, and then the last ones are left out.
  private struct Columns {
    let widths: [Int]
    let gap: Int

    init(_ wanted: [Int], leastName: Int, width: Int) {
      func taken(_ widths: [Int], _ gap: Int) -> Int { widths.reduce(0) { $0 + $1 + gap } }
      var others = Array(wanted.dropFirst())
      // However long the names are, there is room for some numbers.
      let leastName = min(leastName, width * 2 / 3)
      gap = taken(others, 2) + leastName <= width ? 2 : 1
      while taken(others, gap) + leastName > width, !others.isEmpty { others.removeLast() }
      widths = [max(leastName, min(wanted.first ?? 0, width - taken(others, gap)))] + others
    }
  }

  private func plain(_ cell: FleetSheet.Cell) -> String { plain(cells.main(cell)) }
  private func plain(_ text: String) -> String { style.name(style.prose(text), columns: 1000) }

  private func ink(_ cell: FleetSheet.Cell) -> TextStyle.Ink {
    if case .verdict(_, let ink) = cell { ink } else { .plain }
  }

  private func add(
    _ text: String, isText: Bool, _ place: Int, _ columns: Columns, _ ink: TextStyle.Ink, to line: inout TextLine
  ) {
    if place > 0 { line.skip(to: line.columns + columns.gap) }
    let room = columns.widths[place]
    if isText {
      line.add(left: cut(text, to: room), width: room, ink)
    } else {
      line.add(right: text, width: room, ink)
    }
  }
}
