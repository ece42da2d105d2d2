// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis

/// A series over commits as text: a line with a bar for each commit, and the changes.
package struct HistoryText {
  private let series: HistorySeries
  private let changes: [HistorySeries.Change]
  private let numbers: ComparisonNumbers
  /// The value of the longest bar.
  private let longest: Double
  private let style: TextStyle
  private let width: Int
  /// The commits' names.
  private let labels: [String]
  /// Of the longest label.
  private let columns: Int
  /// Of the size of a change behind a bar.
  private let noteColumns: Int

  package init(_ series: HistorySeries, changes: [HistorySeries.Change], options: ComparisonReportOptions) {
    self.series = series
    self.changes = changes
    longest = series.points.map(\.high).max() ?? 0
    let numbers = ComparisonNumbers(times: series.points.map(\.median), ascii: options.ascii)
    (self.numbers, style, width) = (numbers, options.style, options.columns)
    noteColumns = changes.reduce(10) { max($0, numbers.size($1).count + 2) }
    // What else a line has takes 31 columns.
    let room = min(CommitLabel.mostColumns, max(12, options.columns - 31 - noteColumns))
    labels = series.points.map {
      CommitLabel.text($0.commit, columns: room, ellipsis: options.style.ellipsis, options.ascii ? .beyondASCII : [])
    }
    columns = max(12, labels.map(DisplayWidth.columns).max() ?? 0)
  }

  /// - Throws: what the sink throws.
  package func write(to sink: any ByteSink) throws {
    var page = TextPage(sink, style: style, width: width)
    let unit = series.metric.unit == .nanoseconds ? ", \(numbers.time.symbol)" : ""
    page.line(style.name(series.title, columns: width), .strong)
    page.line(style.name("\(ComparisonSentences.label(series.metric)) by commit\(unit)", columns: width))
    for (place, point) in series.points.enumerated() { write(point, at: place, to: &page) }
    if changes.contains(where: { !$0.isCertain }) {
      page.paragraph("?: one of these commits made the change", indent: 2, .faint)
    }
    page.paragraph(
      series.points.isEmpty
        ? "No launch that counts has this metric."
        : "\(marks.full): the median; \(marks.light): up to p90; in brackets: launches", indent: 2, .faint)
    let remark = UnmeasuredCommits.sentence(series, ellipsis: style.ellipsis, style.isASCII ? .beyondASCII : [])
    if let remark { page.paragraph(remark, indent: 2, .bad) }
    try page.finish()
  }

  /// The change that this commit made, or may have made. One that may have been made elsewhere does not hide it.
  private func changeAt(_ place: Int) -> HistorySeries.Change? {
    changes.first { $0.place == place } ?? changes.first { $0.places.contains(place) }
  }

  private func write(_ point: HistorySeries.Point, at place: Int, to page: inout TextPage) {
    let change = changeAt(place)
    let unit = series.metric.unit
    var line = TextLine(style)
    let ink: TextStyle.Ink = change.map { $0.relative > 0 ? .bad : .good } ?? .plain
    line.add(change.map { $0.isCertain ? "! " : "? " } ?? "  ", ink)
    line.add(left: labels[place], width: columns + 2, ink)
    line.add(right: numbers.value(point.median, unit), width: 10)
    line.add(right: "(\(point.launches))", width: 7, .faint)
    line.add("  ")
    let note = change.map { $0.place == place ? "  \(numbers.size($0))" : "" } ?? ""
    let room = max(8, width - line.columns - noteColumns)
    line.add(bar(point, columns: room), .bar)
    line.add(note, ink)
    page.end(line)
  }

  /// A full bar up to the median, and a light one up to the ninetieth percentile.
  private func bar(_ point: HistorySeries.Point, columns: Int) -> String {
    func place(_ value: Double) -> Int {
      min(columns, Int((max(0, value) / max(longest, 1) * Double(columns)).rounded()))
    }
    let (median, high) = (place(point.median), place(point.high))
    return String(repeating: marks.full, count: median) + String(repeating: marks.light, count: max(0, high - median))
  }

  private var marks: (full: String, light: String) { style.isASCII ? ("#", "-") : ("█", "░") }
}
