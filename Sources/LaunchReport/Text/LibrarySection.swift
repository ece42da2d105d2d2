// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchSystem

/// Which library costs what, the worst first, and what the program opened while it was launched.
struct LibrarySection {
  private let timeline: LaunchTimeline
  private let table: LibraryTable
  private let unit: TimeUnit

  /// More would make the list too long to read.
  private static let mostRows = 8
  /// ns, of one library.
  private static let leastHeldUp: Int64 = 500_000

  /// nil when the trace says nothing of libraries.
  init?(_ timeline: LaunchTimeline, unit: TimeUnit) {
    self.timeline = timeline
    self.unit = unit
    table = timeline.libraries
    guard hasCosts || !table.openings.isEmpty else { return nil }
  }

  /// False if only initialisers were timed: the table of phases has those.
  private var hasCosts: Bool { table.libraries.contains { $0.map != nil || $0.relocation != nil } }

  func write(to page: inout TextPage) {
    writeLibraries(to: &page)
    writeRelocation(to: &page)
    if !table.openings.isEmpty { writeOpenings(to: &page) }
  }

  private func writeLibraries(to page: inout TextPage) {
    let libraries = table.libraries.filter { $0.total > 0 }
    guard hasCosts else { return }
    let shown = Array(libraries.prefix(Self.mostRows))
    let all: [(title: String, value: (LibraryCost) -> Int64?)] = [
      (unit.symbol, { $0.total }), ("map", { $0.map }), ("reloc", { $0.relocation }), ("init", { $0.initialization }),
    ]
    // What was not timed has no column, nor has the machine if it was quiet.
    let isHeldUp = libraries.contains { $0.heldUp ?? 0 >= Self.leastHeldUp }
    let columns =
      all.filter { column in libraries.contains { column.value($0) != nil } }
      + (isHeldUp ? [("held up", { $0.heldUp })] : [])
    let texts = columns.map { column in shown.map { column.value($0).map(unit.number) ?? "" } }
    let widths = zip(columns, texts).map { column, texts in (texts.map(\.count) + [column.title.count]).max() ?? 0 }
    let sizes = shown.map { $0.size.map { "\(($0 + 512) / 1024)" } ?? "" }
    let sizeWidth = (sizes.map(\.count) + [3]).max() ?? 3
    let name = page.width - widths.reduce(0) { $0 + $1 + 2 } - sizeWidth - 4
    func line(_ title: String, _ values: [String], _ size: String, _ ink: TextStyle.Ink) {
      var line = TextLine(page.style)
      line.add("  ")
      line.add(left: page.style.name(title, columns: name), width: name, ink)
      for (value, width) in zip(values, widths) { line.add(right: value, width: width + 2, ink) }
      line.add(right: size, width: sizeWidth + 2, ink)
      page.end(line)
    }
    line("Libraries", columns.map(\.title), "KiB", .strong)
    for (row, library) in shown.enumerated() {
      let mark = library.isOpened ? " (dlopen)" : ""
      line(library.name + mark, texts.map { $0[row] }, sizes[row], .plain)
    }
    let rest = libraries.dropFirst(shown.count)
    if !rest.isEmpty {
      line(
        "\(rest.count) more", columns.map { column in unit.number(rest.reduce(0) { $0 + (column.value($1) ?? 0) }) },
        "",
        .faint)
    }
  }

  /// If only the total of the relocations is known, says how to get each one.
  private func writeRelocation(to page: inout TextPage) {
    guard !table.hasRelocations, table.libraries.contains(where: { $0.map != nil }),
      let phase = timeline.phases.first(where: { $0.id == PhaseName.relocate })
    else { return }
    page.paragraph(
      "relocate took \(unit.text(phase.duration)) for all of them; record with --detail loader to see each one",
      indent: 2,
      .faint)
  }

  private func writeOpenings(to page: inout TextPage) {
    let byTime = table.openings.sorted { $0.duration > $1.duration }
    let shown = byTime.prefix(Self.mostRows)
    let columns = NumberColumns([(unit.symbol, shown.map { unit.number($0.duration) })], width: page.width)
    page.row(columns.titles, "dlopen", tail: "", .strong)
    for (row, opening) in shown.enumerated() {
      let thread =
        opening.isOnMainThread ? "main thread" : opening.thread.isEmpty ? "\(opening.threadID)" : opening.thread
      let tail = " on \(thread)" + (opening.lacksInitializers ? ", without initialisers" : "")
      page.row(columns[row], opening.paths.lazy.map(fileName).listed(1), tail: tail, .plain)
    }
    let rest = byTime.dropFirst(Self.mostRows)
    if !rest.isEmpty {
      page.paragraph("\(rest.count) more, \(unit.text(rest.reduce(0) { $0 + $1.duration }))", indent: 2, .faint)
    }
  }
}
