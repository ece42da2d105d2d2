// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchSystem

/// Findings with all that is known of them: for `--findings`.
struct FindingDetails {
  let launch: LaunchSet.Launch
  let options: ReportOptions
  let unit: TimeUnit
  private var timeline: LaunchTimeline { launch.timeline }

  func write(to page: inout TextPage) {
    if launch.findings.isEmpty { page.paragraph("No findings.", indent: 0) }
    for (place, finding) in launch.findings.enumerated() {
      if place > 0 { page.blank() }
      write(finding, to: &page)
    }
    if !timeline.losses.isEmpty { page.blank() }
    for loss in timeline.losses { page.paragraph(loss, indent: 2, .faint) }
  }

  private func write(_ finding: Finding, to page: inout TextPage) {
    var line = TextLine(page.style)
    line.add("! ", .bad)
    line.add(finding.id + "  ", .bad)
    let about = finding.error == nil ? "" : "~"
    line.add(about + page.style.name(finding.subject, columns: max(8, page.width - line.columns - 1)), .strong)
    page.end(line)
    page.paragraph(numbers(finding, style: page.style), indent: 4)
    if !finding.path.isEmpty {
      page.paragraph("in " + Self.ends(of: finding.path, page.style).joined(separator: " > "), indent: 4)
    }
    if let file = finding.file {
      let place = SourcePlace(file: file, line: finding.line)
      let text = place.text(from: options.sourceFolders, columns: page.width - 7, style: page.style)
      page.line("    at " + text)
    }
    for evidence in finding.evidence { write(evidence, to: &page) }
    page.paragraph(finding.advice, indent: 4, .faint)
  }

  /// A function that an interpreter calls has more than a hundred names around it.
  private static func ends(of path: [String], _ style: TextStyle) -> [String] {
    let names = path.map { style.name($0, columns: 60) }
    let (outer, inner) = (4, 8)
    guard names.count > outer + inner + 1 else { return names }
    return names.prefix(outer) + ["\(style.ellipsis) \(names.count - outer - inner) more"] + names.suffix(inner)
  }

  private func numbers(_ finding: Finding, style: TextStyle) -> String {
    var text: String
    switch finding.unit {
    case .nanoseconds:
      text = unit.text(finding.actual)
      if let error = finding.error {
        let size = unit.fits(finding.actual) ? unit.brief(error) : unit.briefText(error)
        text += " \(style.plusMinus) \(size), from samples"
      }
      text += ", allowed \(unit.briefText(finding.expected))"
    case .count: text = Self.isFact(finding) ? "" : "\(finding.actual), expected \(finding.expected)"
    }
    if let often = finding.howOften { text += ", \(often)" }
    if text != "" { text += "; " }
    // A finding about the whole launch begins with it.
    let place = [
      finding.start > timeline.start ? "\(unit.text(finding.start - timeline.start)) after the start" : nil,
      finding.phase.map { "in \($0)" },
    ]
    text += place.compactMap(\.self).joined(separator: ", ")
    return text.hasSuffix("; ") ? String(text.dropLast(2)) : text
  }

  /// Whether its number only says that it is so.
  private static func isFact(_ finding: Finding) -> Bool {
    [FindingName.failedLaunch, FindingName.notInstrumented, FindingName.debugBuild].contains(finding.id)
  }

  private func write(_ evidence: Evidence, to page: inout TextPage) {
    var line = TextLine(page.style)
    line.skip(to: 4)
    line.add(right: evidence.time.map { unit.number($0) } ?? "", width: 9)
    line.add("  ")
    line.add(left: evidence.kind.rawValue, width: 12, .faint)
    line.add("  ")
    // The end says the most: a stack's innermost functions, a file's name.
    let columns = page.width - line.columns
    switch evidence.kind {
    case .stack: line.add(page.style.ending(Self.short(stack: evidence.text, columns: columns), columns: columns))
    case .library: line.add(Self.libraries(evidence.text.split(separator: ", "), columns: columns, page.style))
    case .file: line.add(page.style.ending(evidence.text, columns: columns))
    // A sentence.
    case .note: return page.paragraph(evidence.text, indent: line.columns, behind: line)
    default: line.add(page.style.name(evidence.text, columns: columns))
    }
    page.end(line)
  }

  /// What one `dlopen` loaded: first the library that it opened, then as many of the others as fit.
  private static func libraries(_ paths: [Substring], columns: Int, _ style: TextStyle) -> String {
    guard let opened = paths.first, paths.count > 1 else { return style.ending(paths.joined(), columns: columns) }
    func rest(_ shown: Int) -> String { shown < paths.count ? " and \(paths.count - shown) more" : "" }
    let room = columns - rest(1).count
    guard room >= 8 else { return style.name(fileName(String(opened)), columns: columns) }
    var text = style.name(fileName(String(opened)), columns: room)
    for (place, path) in paths.enumerated().dropFirst() {
      let longer = text + ", " + style.name(fileName(String(path)), columns: columns)
      guard DisplayWidth.columns(longer + rest(place + 1)) <= columns else { return text + rest(place) }
      text = longer
    }
    return text
  }

  /// A stack that does not fit has its functions without what all names of a program share.
  private static func short(stack: String, columns: Int) -> String {
    if DisplayWidth.columns(stack) <= columns { return stack }
    return stack.split(separator: " > ").map { ShortName.of(String($0)) }.joined(separator: " > ")
  }
}

extension TextStyle {
  /// The end of a text, in at most `columns` columns.
  func ending(_ text: String, columns: Int) -> String {
    let whole = PlainName.escaped(text, isASCII ? .beyondASCII : [])
    guard DisplayWidth.columns(whole) > columns else { return whole }
    var rest = whole.suffix(columns)
    while !rest.isEmpty, DisplayWidth.columns(String(rest)) > columns - DisplayWidth.columns(ellipsis) {
      rest = rest.dropFirst()
    }
    return ellipsis + rest
  }
}
