// SPDX-License-Identifier: Apache-2.0

/// Maps a range of time to columns of a line.
struct TimeAxis {
  let start: Int64
  let end: Int64
  let columns: Int
  let style: TextStyle

  private var span: Double { Double(max(1, end - start)) }
  /// In columns from the left.
  private func place(_ time: Int64) -> Double {
    min(max(0, Double(time - start) / span * Double(columns)), Double(columns))
  }

  /// The range of times of a column.
  func range(of column: Int) -> (Int64, Int64) {
    func time(_ column: Int) -> Int64 { start + Int64((Double(column) / Double(columns) * span).rounded()) }
    return (time(column), column + 1 == columns ? end : time(column + 1))
  }

  // MARK: Bars

  /// A bar from `lower` to `upper`, followed by a light one up to `last`. It always has at least one mark.
  func bar(from lower: Int64, to upper: Int64, last: Int64? = nil, isGap: Bool = false) -> String {
    let (from, to) = (place(lower), place(upper))
    let first = min(Int(from), columns - 1)
    var cells = String(repeating: " ", count: first)
    let end = max(first + 1, min(columns, Int(to.rounded(.up))))
    for column in first..<end {
      cells += cell(from: max(0, from - Double(column)), to: min(1, to - Double(column)), isGap: isGap)
    }
    if let last {
      let reach = min(columns, Int(place(last).rounded(.up)))
      if reach > end { cells += String(repeating: style.lightMark, count: reach - end) }
    }
    return cells
  }

  /// One column, covered between two parts of it. Blocks fill from the left only, or the right half.
  private func cell(from: Double, to: Double, isGap: Bool) -> String {
    let covered = to - from
    if isGap { return style.lightMark }
    if style.isASCII { return covered >= 0.25 ? "#" : ":" }
    if from >= 0.375, to >= 0.75 { return "▐" }
    let eighths = Int((covered * 8).rounded())
    return ["▏", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"][min(max(eighths, 0), 8)]
  }

  // MARK: Ticks

  /// Round times with room for their labels. A label is right of its tick, or left of it at the end.
  func ticks(_ unit: TimeUnit) -> String {
    let step = tickStep
    var line = ""
    var used = 0
    var time: Int64 = 0
    while time <= end - start {
      let column = min(columns - 1, Int(place(start + time).rounded()))
      let label = unit.short(time)
      let isLast = column + 1 + label.count > columns
      let first = isLast ? column - label.count : column
      if first >= used + (time == 0 ? 0 : 1) {
        line += String(repeating: " ", count: first - used) + (isLast ? label + style.tick : style.tick + label)
        used = first + 1 + label.count
      }
      let (next, overflow) = time.addingReportingOverflow(step)
      if overflow { break }
      time = next
    }
    return line
  }

  /// The distance of ticks: 1, 2 or 5 times a power of ten, at least eight columns.
  private var tickStep: Int64 {
    let wanted = Double(end - start) / max(1, Double(columns) / 8)
    var step: Int64 = 1
    while true {
      for factor in [1, 2, 5] as [Int64] where Double(step * factor) >= wanted { return step * factor }
      guard step < 100_000_000_000_000_000 else { return step }
      step *= 10
    }
  }
}
