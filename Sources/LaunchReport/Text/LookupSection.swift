// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// What Swift's runtime looked up for the first time: the slowest, and how many there were.
struct LookupSection {
  private let table: LookupTable
  private let calls: [Observation.RuntimeCalls]
  private let unit: TimeUnit

  /// More would make the list too long to read; `--rows lookups` has all.
  private static let mostShown = 10

  /// nil if they were not watched.
  init?(_ timeline: LaunchTimeline, unit: TimeUnit) {
    self.unit = unit
    table = timeline.lookups
    calls = timeline.observation?.calls ?? []
    if table.means == nil, calls.isEmpty { return nil }
  }

  func write(to page: inout TextPage) {
    if table.means != nil { page.paragraph(summary, indent: 2, .strong) }
    if !calls.isEmpty { page.paragraph(counts, indent: 2, .strong) }
    guard let means = table.means else { return }
    page.paragraph(GlobalSection.cost(means, table.cost, of: "look-ups", unit), indent: 2, .faint)
    let sorted = table.lookups.sorted { ($1.selfTime, $0.start) < ($0.selfTime, $1.start) }
    guard !sorted.isEmpty else { return }
    let shown = sorted.prefix(Self.mostShown)
    let columns = NumberColumns([("self", shown.map { unit.number($0.selfTime) })], width: page.width)
    page.row(columns.titles, "first look-up", tail: "", .strong)
    for (row, lookup) in shown.enumerated() {
      let thread = lookup.isOnMainThread ? "" : " on \(lookup.thread)"
      let asker = lookup.asker.isEmpty ? "" : " for \(ShortName.of(lookup.asker))"
      page.row(columns[row], lookup.name, tail: thread + asker, .plain)
    }
    let rest = sorted.dropFirst(Self.mostShown)
    if !rest.isEmpty {
      page.paragraph("\(rest.count) more, \(unit.text(rest.reduce(0) { $0 + $1.selfTime }))", indent: 2, .faint)
    }
  }

  /// `First look-ups: 45 conformances, 1.2 ms; 20 types by name, 0.4 ms; repeated 586 and 212 times, 0.3 ms`
  private var summary: String {
    func part(_ kind: Lookup.Kind, _ title: String, _ one: String) -> String {
      let lookups = table.lookups(of: kind)
      let time = unit.text(lookups.reduce(0) { $0 + $1.selfTime })
      return "\(lookups.count) \(lookups.count == 1 ? one : title), \(time)"
    }
    func repeats(_ kind: Lookup.Kind) -> Int { max(0, (table.calls[kind]?.count ?? 0) - table.lookups(of: kind).count) }
    let repeatTime = table.calls.values.reduce(0) { $0 + $1.repeatTime }
    let again = "repeated \(repeats(.conformance)) and \(repeats(.typeName)) times, \(unit.text(repeatTime))"
    return "First look-ups: " + part(.conformance, "conformances", "conformance") + "; "
      + part(.typeName, "types by name", "type by name") + "; " + again
  }

  /// `Calls of Swift's runtime: 5611 casts, 23 witness tables`
  private var counts: String {
    "Calls of Swift's runtime: " + calls.map { "\($0.count) \($0.kind.title)" }.joined(separator: ", ")
  }
}

extension Observation.RuntimeCalls.Kind {
  var title: String {
    switch self {
    case .casts: "casts"
    case .witnessTables: "witness tables"
    case .associatedTypes: "associated types"
    case .genericTypes: "generic types"
    }
  }
}
