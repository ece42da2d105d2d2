// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// The lazy globals that were initialised: the program's, each, and what the language's took.
struct GlobalSection {
  private let table: LazyGlobalTable
  private let unit: TimeUnit

  /// More of the language's own would make the list too long to read.
  private static let mostOfLanguage = 3

  /// nil if they were not watched.
  init?(_ timeline: LaunchTimeline, unit: TimeUnit) {
    self.unit = unit
    table = timeline.lazyGlobals
    guard table.means != nil else { return nil }
  }

  func write(to page: inout TextPage) {
    let language = table.globals(of: .language).sorted(by: Self.worstFirst)
    let shown = own + language.prefix(Self.mostOfLanguage)
    page.paragraph(summary, indent: 2, .strong)
    if let means = table.means {
      page.paragraph(Self.cost(means, table.cost, of: "lazy globals", unit), indent: 2, .faint)
    }
    guard !shown.isEmpty else { return }
    let columns = NumberColumns(
      [(unit.symbol, shown.map { unit.number($0.duration) }), ("self", shown.map { unit.number($0.selfTime) })],
      width: page.width)
    page.row(columns.titles, "lazy global", tail: "", .strong)
    for (row, global) in shown.enumerated() {
      let ink: TextStyle.Ink = global.owner == .language ? .faint : .plain
      page.row(columns[row], global.name, tail: tail(global), ink)
      for waiter in global.waiters {
        let text = "\(unit.text(waiter.duration)) \(waiter.thread) waited for it"
        page.paragraph(text, indent: columns.width + 4, .faint)
      }
    }
    let rest = language.dropFirst(Self.mostOfLanguage)
    if !rest.isEmpty {
      let time = unit.text(rest.reduce(0) { $0 + $1.selfTime })
      page.paragraph("\(rest.count) more of Swift's own libraries, \(time)", indent: 2, .faint)
    }
  }

  private static func worstFirst(_ first: LazyGlobal, _ second: LazyGlobal) -> Bool {
    (second.selfTime, first.start) < (first.selfTime, second.start)
  }

  /// Those that are not of Swift's own libraries.
  private var own: [LazyGlobal] { table.globals.filter { $0.owner != .language }.sorted(by: Self.worstFirst) }

  /// All of them in a line or two.
  func writeHead(to page: inout TextPage) {
    page.paragraph(summary, indent: 2)
    let slowest = own.prefix(Self.mostInHead).map { "\($0.name) \(unit.text($0.selfTime))" }
    if !slowest.isEmpty { page.paragraph("slowest: " + slowest.joined(separator: ", "), indent: 4, .faint) }
  }

  private static let mostInHead = 3

  /// Where it was initialised, and for whom.
  private func tail(_ global: LazyGlobal) -> String {
    let thread = global.isOnMainThread ? "" : " on \(global.thread)"
    let asker = global.asker.isEmpty ? "" : " for \(ShortName.of(global.asker))"
    return thread + asker + (global.isUnfinished ? " (open)" : "")
  }

  /// `Lazy globals: 3 of the program, 14.2 ms; 10 of Swift's own libraries, 0.4 ms`
  private var summary: String {
    let owners: [(LazyGlobal.Owner, String)] = [
      (.program, "of the program"), (.unknown, "without a name"), (.language, "of Swift's own libraries"),
    ]
    let unnamed = table.globals(of: .unknown).count
    let parts = owners.compactMap { owner, text -> String? in
      let count = table.globals(of: owner).count
      // Those without a name may be anyone's.
      if count == 0 { return unnamed > 0 || owner == .unknown ? nil : "none \(text)" }
      return "\(count) \(text), \(unit.text(table.total(of: owner)))"
    }
    let advice = unnamed > 0 ? "; to see names, record a program with symbols" : ""
    return "Lazy globals: " + parts.joined(separator: "; ") + advice
  }

  /// How calls of Swift's runtime were seen, and what that cost.
  static func cost(_ means: LazyGlobalTable.Means, _ cost: Int64, of what: String, _ unit: TimeUnit) -> String {
    // How long breakpoint instructions delayed the program is measured, and is a note of the phases.
    let seen =
      means.name == "ptrace"
      ? "breakpoint instructions: the phases include their stops, "
      : "probes in Swift's runtime (uprobes), which cost the launch some \(unit.text(cost)): the phases include this cost, "
    return "seen by \(seen)the times of \(what) do not"
  }
}
