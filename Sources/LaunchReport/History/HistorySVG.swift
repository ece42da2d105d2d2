// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis

/// A series over commits as a picture, with medians as a line, p10 to p90 as a band, and changes as marks.
package struct HistorySVG {
  private let series: HistorySeries
  private let changes: [HistorySeries.Change]
  private let numbers: ComparisonNumbers
  /// The highest value of the axis.
  private let longest: Double

  private static let (width, height, margin): (Double, Double, Double) = (900, 320, 60)
  /// The left margin, which has the values of the axis.
  private static let left: Double = 90

  package init(_ series: HistorySeries, changes: [HistorySeries.Change]) {
    self.series = series
    self.changes = changes
    longest = series.points.map(\.high).max() ?? 0
    numbers = ComparisonNumbers(times: series.points.map(\.median), ascii: false)
  }

  /// - Throws: what the sink throws.
  package func write(to sink: any ByteSink) throws {
    var output = OutputBuffer(sink)
    let (width, height) = (Int(Self.width), Int(Self.height))
    output.append(
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" font-family="sans-serif" font-size="12">
      <rect width="\(width)" height="\(height)" fill="#fff"/>

      """)
    writeAxis(to: &output)
    writeBand(to: &output)
    for (place, point) in series.points.enumerated() { write(point, at: place, to: &output) }
    var labels = ChangeLabels(width: Self.width)
    for change in changes { write(change, labels: &labels, to: &output) }
    output.append("</svg>\n")
    try output.finish()
  }

  private func x(_ place: Int) -> Double {
    let steps = Double(max(1, series.points.count - 1))
    return Self.left + (Self.width - Self.left - Self.margin) * Double(place) / steps
  }

  private func y(_ value: Double) -> Double {
    Self.height - Self.margin - (Self.height - 2 * Self.margin) * value / (max(longest, 1e-9) * 1.1)
  }

  /// With one decimal, a tenth of a pixel.
  private func number(_ value: Double) -> String { DecimalText.text(ComparisonNumbers.whole(value * 10), decimals: 1) }

  /// Round values of the axis, up to five.
  private var ticks: [Double] {
    let factors = series.metric.unit == .bytes ? [2] : [2, 2.5, 2]
    var (step, place) = (1.0, 0)
    while longest / step > 4 {
      step *= factors[place % factors.count]
      place += 1
    }
    return (0...4).map { Double($0) * step }.filter { $0 <= max(0, longest) }
  }

  private func writeAxis(to output: inout OutputBuffer) {
    let label = XMLText.escaped("\(series.title): \(ComparisonSentences.label(series.metric))")
    output.append("<text x=\"\(number(Self.left))\" y=\"24\" font-size=\"16\">\(label)</text>\n")
    if let first = series.points.first, let last = series.points.last {
      let (from, to) = (CommitLabel.text(first.commit), CommitLabel.text(last.commit))
      let commits = series.points.count == 1 ? "1 commit, \(from)" : "\(series.points.count) commits, \(from) to \(to)"
      let text = XMLText.escaped("\(commits). Line: the median. Band: p10 to p90.")
      output.append("<text x=\"\(number(Self.left))\" y=\"41\" fill=\"#555\">\(text)</text>\n")
    }
    if let remark = UnmeasuredCommits.line(series) {
      output.append("<text x=\"\(number(Self.left))\" y=\"56\" fill=\"#c0392b\">\(XMLText.escaped(remark))</text>\n")
    }
    for value in ticks {
      let place = number(y(value))
      output.append(
        "<line x1=\"\(number(Self.left))\" x2=\"\(number(Self.width - Self.margin))\" y1=\"\(place)\" y2=\"\(place)\" "
          + "stroke=\"#ddd\"/>\n")
      let text = XMLText.escaped(numbers.withUnit(value, series.metric.unit))
      output.append(
        "<text x=\"\(number(Self.left - 6))\" y=\"\(place)\" fill=\"#555\" text-anchor=\"end\" "
          + "dominant-baseline=\"middle\">\(text)</text>\n")
    }
  }

  private func writeBand(to output: inout OutputBuffer) {
    guard !series.points.isEmpty else { return }
    func corners(_ value: (HistorySeries.Point) -> Double) -> [String] {
      series.points.enumerated().map { "\(number(x($0.offset))),\(number(y(value($0.element))))" }
    }
    let band = (corners(\.high) + corners(\.low).reversed()).joined(separator: " ")
    output.append("<polygon points=\"\(band)\" fill=\"#8ab4d8\" opacity=\"0.35\"/>\n")
    let line = corners(\.median).joined(separator: " ")
    output.append("<polyline points=\"\(line)\" fill=\"none\" stroke=\"#1f5f99\" stroke-width=\"2\"/>\n")
  }

  private func write(_ point: HistorySeries.Point, at place: Int, to output: inout OutputBuffer) {
    let launches = point.launches == 1 ? "1 launch" : "\(point.launches) launches"
    let text = "\(point.commit): \(numbers.withUnit(point.median, series.metric.unit)), \(launches)"
    output.append(
      "<circle cx=\"\(number(x(place)))\" cy=\"\(number(y(point.median)))\" r=\"3\" fill=\"#1f5f99\">"
        + "<title>\(XMLText.escaped(text))</title></circle>\n")
  }

  private func write(_ change: HistorySeries.Change, labels: inout ChangeLabels, to output: inout OutputBuffer) {
    let place = number(x(change.place))
    let color = change.relative > 0 ? "#c0392b" : "#27823b"
    if !change.isCertain {
      let (left, right) = (x(change.places.lowerBound), x(change.places.upperBound))
      output.append(
        "<rect x=\"\(number(left))\" y=\"\(number(Self.margin))\" width=\"\(number(right - left))\" "
          + "height=\"\(number(Self.height - 2 * Self.margin))\" fill=\"\(color)\" opacity=\"0.12\"/>\n")
    }
    output.append(
      "<line x1=\"\(place)\" x2=\"\(place)\" y1=\"\(number(Self.margin))\" y2=\"\(number(Self.height - Self.margin))\" "
        + "stroke=\"\(color)\" stroke-dasharray=\"4 3\"/>\n")
    let text = "\(CommitLabel.text(series.points[change.place].commit)) \(numbers.size(change))"
    guard let label = labels.place(text, at: x(change.place)) else { return }
    output.append(
      "<text x=\"\(place)\" y=\"\(number(Self.height - Self.margin + label.down))\" fill=\"\(color)\" "
        + "text-anchor=\"\(label.anchor)\">\(XMLText.escaped(text))</text>\n")
  }
}

/// The places of the labels of changes: below the plot, inside the picture, in as many lines as needed.
private struct ChangeLabels {
  let width: Double
  /// What the labels of each line take, in pixels from the left.
  var lines: [[ClosedRange<Double>]] = [[], [], []]

  /// Where a label of a mark stands; nil if there is no room.
  mutating func place(_ text: String, at x: Double) -> (anchor: String, down: Double)? {
    // A letter of the font takes 7 pixels on average, or less.
    let length = Double(text.count) * 7
    let isAtEnd = x + length > width
    let taken = isAtEnd ? (x - length - 4)...(x + 4) : (x - 4)...(x + length + 4)
    guard let line = lines.firstIndex(where: { !$0.contains { $0.overlaps(taken) } }) else { return nil }
    lines[line].append(taken)
    return (isAtEnd ? "end" : "start", 20 + 16 * Double(line))
  }
}
