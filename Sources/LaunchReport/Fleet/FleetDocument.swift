// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchFleet

/// The answer to a question about many launches, before it has a format: sentences, tables, notes.
package struct FleetDocument: Sendable {
  package enum Format: String, Sendable, CaseIterable { case text, csv, json, markdown, html }

  struct Sentence: Sendable {
    var text: String
    /// Plain, good or bad: HTML has classes for these.
    var ink = TextStyle.Ink.plain
  }

  var title: String
  /// The word of JSON and of exit statuses; nil for a report that judges nothing.
  var status: String?
  var sentences: [Sentence] = []
  var sheets: [FleetSheet] = []
  /// What else the reader should know.
  var notes: [String] = []
  /// What only a person needs to know: where to find what the text has no room for.
  var notesForPeople: [String] = []
  /// What explains signs that only the text has.
  var notesOfText: [String] = []
  /// What does not count, or counts with a doubt. CSV has no place for it.
  package var exclusions: [String] = []
  /// What the tables are about: members of the JSON.
  var facts: [(name: String, value: FleetSheet.Cell)] = []
  /// ns: the times that are compared. They decide the unit of all times.
  var times: [Double] = []

  /// - Throws: what the sink throws.
  package func write(as format: Format, options: ComparisonReportOptions, to sink: any ByteSink) throws {
    switch format {
    case .text: try FleetText(self, options: options).write(to: sink)
    case .csv: try FleetCSV(document: self).write(to: sink)
    case .json: try FleetJSON(document: self, ascii: options.ascii).write(to: sink)
    case .markdown: try FleetMarkdown(self, ascii: options.ascii).write(to: sink)
    case .html: try FleetHTML(self).write(to: sink)
    }
  }

  func notes(for reader: FleetSheet.Audience) -> [String] {
    (reader == .people ? notesForPeople : []) + notes + exclusions
  }

  /// The tables for people, or for programs, with the columns for them.
  func sheets(for reader: FleetSheet.Audience) -> [FleetSheet] {
    sheets.filter { $0.audience == .all || $0.audience == reader }.map { $0.columns(for: reader) }
  }
}

extension FleetCensus {
  /// Its sentences, each with its end.
  var notes: [String] { sentences.map { $0 + "." } }
}

/// A table of a document. People see some tables and columns, programs others.
struct FleetSheet: Sendable {
  enum Audience: Sendable { case people, programs, all }

  struct Column: Sendable {
    /// The name in CSV and JSON.
    var id: String
    /// The name for people.
    var title: String
    /// Of which launches the column is, where a table has several groups side by side.
    var group = ""
    var audience: Audience
    var shape: Shape

    /// What the column becomes in CSV, whatever the cells are.
    enum Shape: Sendable {
      case value
      /// `…_lower` and `…_upper`.
      case bounds
      /// A value and its bounds.
      case estimate
    }

    /// The title with its group.
    var heading: String { group.isEmpty ? title : "\(group) \(title)" }
  }

  /// A column, and its cell for each element of the table.
  struct Field<Element> {
    let column: Column
    let cell: (Element) -> Cell?

    init(
      _ id: String, _ title: String? = nil, of group: String = "", as shape: Column.Shape = .value,
      for audience: Audience = .all, _ cell: @escaping (Element) -> Cell?
    ) {
      column = Column(id: id, title: title ?? id, group: group, audience: audience, shape: shape)
      self.cell = cell
    }
  }

  enum Cell: Sendable {
    case none
    case word(String)
    case flag(Bool)
    /// The name of a metric. People see a phase without the name of its group.
    case metric(String)
    /// How something went: shown in colour.
    case verdict(String, TextStyle.Ink)
    case count(Double)
    /// ns.
    case time(Double)
    case quantile(FleetQuantile, Metric.Unit)
    case share(Proportion)
    /// A share that is held against a limit, from which its text differs.
    case limitedShare(Proportion, limit: Double)
    /// A part of the base: 0.03 is +3 %.
    case change(Double)
    case changeRange(Double, Double)
  }

  let id: String
  let title: String
  let audience: Audience
  private(set) var columns: [Column]
  private(set) var rows: [[Cell]]
  /// Beyond so many, people are sent to the CSV.
  let mostRows: Int
  /// Whether the text has room for both ends of an interval.
  let hasRoom: Bool

  /// Whether the text has a line with the intervals below each row.
  var showsIntervals: Bool { min(rows.count, mostRows) <= 8 }

  /// A table with a row for each element.
  init<Element>(
    _ id: String, _ title: String, for audience: Audience = .all, mostRows: Int = 24, hasRoom: Bool = false,
    _ elements: [Element], _ fields: [Field<Element>]
  ) {
    (self.id, self.title, self.audience, self.mostRows, self.hasRoom) = (id, title, audience, mostRows, hasRoom)
    columns = fields.map(\.column)
    rows = elements.map { element in fields.map { $0.cell(element) ?? .none } }
  }

  func columns(for reader: Audience) -> FleetSheet {
    let places = columns.indices.filter { [.all, reader].contains(columns[$0].audience) }
    var sheet = self
    sheet.columns = places.map { columns[$0] }
    sheet.rows = rows.map { row in places.map { row[$0] } }
    return sheet
  }

  /// What a format with `mostRows` says of the others; nil for none.
  var rest: String? { rows.count > mostRows ? "and \(rows.count - mostRows) more: -o FILE.csv has them" : nil }
}

/// Cells as text for people.
struct FleetCellText {
  let numbers: ComparisonNumbers

  /// The title of a sheet, with the unit of its times in the place of `(ms)`.
  func title(_ sheet: FleetSheet) -> String { sheet.title.replacing("(ms)", with: "(\(numbers.time.symbol))") }

  /// The text in the line.
  func main(_ cell: FleetSheet.Cell) -> String {
    switch cell {
    case .none: ""
    case .word(let text), .verdict(let text, _): text
    case .flag(let isTrue): "\(isTrue)"
    case .metric(let name): name.hasPrefix("phase/") ? String(name.dropFirst("phase/".count)) : name
    case .count(let count): DecimalText.grouped(ComparisonNumbers.whole(count))
    case .time(let time): numbers.value(time, .nanoseconds)
    case .quantile(let quantile, let unit): numbers.value(quantile.estimate, unit)
    case .share(let share): Self.percent(share.estimate)
    case .limitedShare(let share, let limit): Self.percent(share.estimate, unlike: limit)
    case .change(let part): numbers.percent(part)
    case .changeRange(let lower, let upper):
      // The unit once: there are many columns.
      numbers.percent(lower).replacing(" %", with: "") + numbers.ellipsis + numbers.percent(upper)
    }
  }

  /// The text below it, where there is no room for the interval: its longer side.
  func below(_ cell: FleetSheet.Cell) -> String {
    switch cell {
    case .quantile(let quantile, let unit):
      plusMinus(max(quantile.estimate - quantile.lower, quantile.upper - quantile.estimate)) { numbers.value($0, unit) }
    case .share(let share) where share.lower < share.upper:
      plusMinus(max(share.estimate - share.lower, share.upper - share.estimate)) { Self.percent($0) }
    default: ""
    }
  }

  /// The interval in full, where there is room for it.
  func interval(_ cell: FleetSheet.Cell) -> String {
    switch cell {
    case .quantile(let quantile, let unit): numbers.interval(quantile.lower, quantile.upper, unit)
    case .share(let share) where share.lower < share.upper:
      Self.interval(share, numbers)
    case .limitedShare(let share, let limit) where share.lower < share.upper:
      Self.interval(share, unlike: limit, numbers)
    default: ""
    }
  }

  /// `0.46 … 1.002 %`.
  static func interval(_ share: Proportion, unlike limit: Double? = nil, _ numbers: ComparisonNumbers) -> String {
    percent(share.lower, unlike: limit).replacing(" %", with: "") + numbers.ellipsis
      + percent(share.upper, unlike: limit)
  }

  private func plusMinus(_ half: Double, _ text: (Double) -> String) -> String {
    half.isFinite ? (numbers.isASCII ? "+-" : "±") + text(half) : ""
  }

  private static let mostDecimals = 6

  /// `98.2 %`, without a sign.
  ///
  /// - Parameter limit: what the share is held against. The text has as many digits as show on which side of it the share
  ///   is.
  static func percent(_ share: Double, unlike limit: Double? = nil) -> String {
    // 0.996 % is 1.0 %.
    let isSmall = share > 0 && share < 0.00995
    var (decimals, scale) = isSmall ? (2, 10_000.0) : (1, 1000.0)
    func units(_ share: Double) -> Int64 { ComparisonNumbers.whole(share * scale) }
    if let limit, limit != share {
      while decimals < mostDecimals, units(share) == units(limit) { (decimals, scale) = (decimals + 1, scale * 10) }
    }
    return DecimalText.text(units(share), decimals: decimals) + " %"
  }
}
