// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// How text looks: with or without colour, in UTF-8 or ASCII.
struct TextStyle {
  /// The meaning of a piece of text. A terminal's sixteen colours show it.
  enum Ink {
    case plain, strong, faint, bad, good, bar
  }

  let hasColor: Bool
  let isASCII: Bool

  func paint(_ text: String, _ ink: Ink) -> String {
    guard hasColor, text.utf8.contains(where: { $0 != UInt8(ascii: " ") }) else { return text }
    let code =
      switch ink {
      case .plain: ""
      case .strong: "1"
      case .faint: "2"
      case .bad: "1;31"
      case .good: "32"
      case .bar: "36"
      }
    return code.isEmpty ? text : "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }

  var ellipsis: String { isASCII ? "..." : "…" }
  var dot: String { isASCII ? " - " : " · " }
  var atLeast: String { isASCII ? ">=" : "≥" }
  var plusMinus: String { isASCII ? "+-" : "±" }
  var rangeDash: String { isASCII ? " - " : " – " }
  /// Pieces of a tree, two columns each: a branch, the last branch, and the lines below them.
  var branch: String { isASCII ? "+ " : "├ " }
  var lastBranch: String { isASCII ? "` " : "└ " }
  var trunk: String { isASCII ? "| " : "│ " }
  var tick: String { isASCII ? "|" : "┊" }
  /// A column of a bar that is not wholly covered by time.
  var lightMark: String { isASCII ? "." : "░" }

  /// A sentence of the report itself. In ASCII, its signs have ASCII letters, not the escapes of a name.
  func prose(_ text: String) -> String { isASCII ? text.replacing(scalars: Self.signs) : text }

  private static let signs: [Unicode.Scalar: String] = [
    "…": "...", "±": "+-", "·": "-", "–": "-", "−": "-", "→": "->", "›": ">", "∞": "inf", "×": "x", "µ": "u",
  ]

  /// A name for a line, in at most `columns` columns.
  func name(_ name: String, columns: Int) -> String {
    // Enough of a long name to fill a line.
    let head = PlainName.cut(name, to: 1000, ellipsis: ellipsis)
    return DisplayWidth.truncated(PlainName.escaped(head, isASCII ? .beyondASCII : []), to: columns, ellipsis: ellipsis)
  }

  /// The name of a span or function. If it does not fit, parts that many names share are left out.
  func function(_ name: String, columns: Int, isShort: Bool = false) -> String {
    guard isShort || DisplayWidth.columns(name) > columns else { return self.name(name, columns: columns) }
    return self.name(ShortName.of(name), columns: columns)
  }
}

/// A line that is being built. Colours do not count as columns.
struct TextLine {
  private(set) var text = ""
  private(set) var columns = 0
  private let style: TextStyle

  init(_ style: TextStyle) { self.style = style }

  mutating func add(_ piece: String, _ ink: TextStyle.Ink = .plain) {
    text += style.paint(RightToLeft.isolated(piece), ink)
    columns += DisplayWidth.columns(piece)
  }

  /// Right-aligned, in at least `width` columns.
  mutating func add(right piece: String, width: Int, _ ink: TextStyle.Ink = .plain) {
    skip(to: columns + max(0, width - DisplayWidth.columns(piece)))
    add(piece, ink)
  }

  /// Left-aligned, in at least `width` columns.
  mutating func add(left piece: String, width: Int, _ ink: TextStyle.Ink = .plain) {
    let end = columns + width
    add(piece, ink)
    skip(to: end)
  }

  /// Adds blanks up to a column.
  mutating func skip(to column: Int) {
    guard column > columns else { return }
    text += String(repeating: " ", count: column - columns)
    columns = column
  }
}

/// Lines of a report, on their way out.
struct TextPage: ~Copyable {
  private var output: OutputBuffer
  let style: TextStyle
  let width: Int
  /// How many lines were written.
  private(set) var lines = 0

  init(_ sink: any ByteSink, style: TextStyle, width: Int) {
    output = OutputBuffer(sink)
    self.style = style
    self.width = width
  }

  mutating func finish() throws { try output.finish() }

  /// What is written to a page, as text.
  static func text(style: TextStyle, width: Int, _ write: (inout TextPage) -> Void) -> String {
    MemorySink.text { sink in
      var page = TextPage(sink, style: style, width: width)
      write(&page)
      try page.finish()
    }
  }

  /// Ends a line. Blanks at its end go.
  mutating func end(_ line: TextLine) {
    var text = line.text
    while text.utf8.last == UInt8(ascii: " ") { text.removeLast() }
    output.append(text)
    blank()
  }

  mutating func line(_ piece: String, _ ink: TextStyle.Ink = .plain) {
    var line = TextLine(style)
    line.add(piece, ink)
    end(line)
  }

  mutating func blank() {
    output.append(UInt8(ascii: "\n"))
    lines += 1
  }

  /// Pieces of text, separated by `separator`; lines end between pieces.
  mutating func pieces(_ pieces: [(text: String, ink: TextStyle.Ink)], separator: String, indent: Int = 0) {
    var line = TextLine(style)
    for piece in pieces where !piece.text.isEmpty {
      let text = style.name(style.prose(piece.text), columns: width - indent)
      if line.columns > 0, line.columns + DisplayWidth.columns(separator + text) > width {
        end(line)
        line = TextLine(style)
      }
      if line.columns > 0 { line.add(separator, .faint) } else { line.skip(to: indent) }
      line.add(text, piece.ink)
    }
    if line.columns > 0 { end(line) }
  }

  /// Numbers, a name, and what is less important. The latter has at most half of the room after the numbers.
  mutating func row(
    _ numbers: [(text: String, width: Int)], _ name: String, tail: String, _ ink: TextStyle.Ink,
    name nameInk: TextStyle.Ink? = nil
  ) {
    var line = TextLine(style)
    for number in numbers {
      line.add("  ")
      line.add(right: number.text, width: number.width, ink)
    }
    line.add("  ")
    let room = width - line.columns
    let columns = max(NumberColumns.leastName, room - min(DisplayWidth.columns(tail), room / 2))
    line.add(style.name(name, columns: columns), nameInk ?? ink)
    line.add(style.name(tail, columns: max(0, width - line.columns)), .faint)
    end(line)
  }

  /// Less important facts, separated by dots.
  mutating func facts(_ facts: [String]) { pieces(facts.map { ($0, .faint) }, separator: style.dot) }

  /// Words, wrapped, each line after `indent` blanks, and those after the first one after `hanging` more.
  ///
  /// - Parameters:
  ///   - mostLines: sentences that do not fit into them are left out. The first sentence is cut instead.
  ///   - head: what the first line begins with, in place of blanks.
  mutating func paragraph(
    _ text: String, indent: Int, _ ink: TextStyle.Ink = .plain, hanging: Int = 0, mostLines: Int = .max,
    behind head: TextLine? = nil
  ) {
    var rest = Substring(text)
    var lines = wrapped(text, columns: width - indent, hanging: hanging)
    while lines.count > mostLines, let end = rest.dropLast().ranges(of: ". ").last {
      rest = rest[..<end.upperBound].dropLast()
      lines = wrapped(String(rest), columns: width - indent, hanging: hanging)
    }
    if lines.count > mostLines {
      lines = Array(lines.prefix(mostLines))
      if DisplayWidth.columns(lines[mostLines - 1].joined(separator: " ") + " " + style.ellipsis) > width - indent {
        lines[mostLines - 1].removeLast()
      }
      lines[mostLines - 1].append(style.ellipsis)
    }
    for (place, words) in lines.enumerated() {
      var line = place == 0 ? head ?? TextLine(style) : TextLine(style)
      line.skip(to: place == 0 ? indent : indent + hanging)
      line.add(words.joined(separator: " "), ink)
      end(line)
    }
  }

  /// The words of a text by line.
  private func wrapped(_ text: String, columns: Int, hanging: Int) -> [[String]] {
    let most = columns - hanging
    var lines: [[String]] = []
    var used = 0
    for word in Self.words(of: style.prose(text)) {
      let word = style.name(word, columns: most)
      let wordColumns = DisplayWidth.columns(word)
      if lines.isEmpty || used + wordColumns + 1 > (lines.count == 1 ? columns : most) {
        lines.append([word])
        used = wordColumns
      } else {
        lines[lines.count - 1].append(word)
        used += wordColumns + 1
      }
    }
    return lines
  }

  private static let units: Set<Substring> = ["%", "ns", "µs", "us", "ms", "s", "KiB", "MB", "MiB", "GB"]

  /// The words of a text. A number stays with its unit: `0.8 %` is one word.
  private static func words(of text: String) -> [String] {
    text.split(separator: " ").reduce(into: []) { words, word in
      if units.contains(word.prefix { $0.isLetter || $0 == "%" }), words.last?.last?.isNumber == true {
        words[words.count - 1] += " \(word)"
      } else {
        words.append(String(word))
      }
    }
  }
}
