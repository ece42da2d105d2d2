// SPDX-License-Identifier: Apache-2.0

extension Findings {
  /// First look-ups are heavy if together they take more than this share of the launch, and more than this time in ns.
  static let lookupShare = 0.05
  static let lookupLeast: Int64 = 1_000_000

  /// What the main thread spent on looking up conformances and types for the first time.
  func lookups() -> Finding? {
    let table = timeline.lookups
    let own = table.lookups.filter(\.isOnMainThread)
    let time = own.reduce(0) { $0 + $1.selfTime }
    let allowed = threshold(Self.lookupShare, least: Self.lookupLeast)
    guard let first = own.first, time > allowed else { return nil }
    let causes = Dictionary(grouping: own, by: \.cause).map { cause, lookups in
      (cause: cause, count: lookups.count, time: lookups.reduce(0) { $0 + $1.selfTime })
    }.sorted { ($1.time, $0.cause.rawValue) < ($0.time, $1.cause.rawValue) }
    let most = causes[0]
    let evidence =
      causes.map {
        Evidence(.note, "\($0.count) first look-up\($0.count == 1 ? "" : "s") by \($0.cause.title)", time: $0.time)
      } + worst(own, by: \.asker).map { Evidence(.note, "asked for by \($0.name)", time: $0.time) }
      + worst(own, by: \.name).map { Evidence(.note, $0.name, time: $0.time) }
    return Finding(
      id: FindingName.conformanceLookupsHeavy, expected: allowed, actual: time,
      subject: most.cause.title, start: first.start, occurrences: own.count, others: own.count - most.count, sum: .all,
      evidence: evidence, advice: most.cause.advice,
      listed: most.cause == .other ? "the functions that looked" : nil)
  }

  /// The names that took the longest.
  private func worst(_ lookups: [Lookup], by name: (Lookup) -> String) -> [(name: String, time: Int64)] {
    let times = Dictionary(lookups.map { (name($0), $0.selfTime) }, uniquingKeysWith: +)
    return times.filter { !$0.key.isEmpty }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .prefix(Self.othersShown).map { ($0.key, $0.value) }
  }
}

extension Lookup.Cause {
  /// Text for people, after "by".
  package var title: String {
    switch self {
    case .describing: "String(describing:) and print"
    case .reflection: "Mirror"
    case .cast: "casts (as?, as!, is)"
    case .generics: "generic types"
    case .other: "the program"
    }
  }

  fileprivate var advice: String {
    switch self {
    case .describing:
      "Use a constant name, or ObjectIdentifier as a key: String(describing:) looks up four conformances of each type."
    case .reflection:
      "Name the properties in code instead of using Mirror, which looks up the type of each property by name."
    case .cast:
      "Call a requirement of a common protocol, or switch over an enum, instead of casting to many types. Or cast after the launch."
    case .generics:
      "Use fewer generic types during the launch: each new one looks up the conformances of its arguments."
    case .other: "Look up fewer conformances during the launch."
    }
  }
}
