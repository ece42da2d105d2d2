// SPDX-License-Identifier: Apache-2.0

/// The values of launches of the base and the head, as they are matched.
struct ComparisonDesign {
  private typealias Values = [Metric: Double]

  /// By round; nil if launches are not matched so.
  private let rounds: [(base: Values, head: Values)]?
  private let sessions: (base: [[Values]], head: [[Values]])

  /// - Parameters: counted launches.
  init(_ base: [Measurement], _ head: [Measurement]) {
    rounds = Self.rounds(base, head)
    sessions = (Self.bySession(base), Self.bySession(head))
  }

  /// The launches of a live comparison have a session and a side. Launches of the same round form a pair. A round in
  /// which one launch failed is left out.
  private static func rounds(_ base: [Measurement], _ head: [Measurement]) -> [(base: Values, head: Values)]? {
    struct Round: Hashable {
      var session: String
      var number: Int
    }
    func byRound(_ side: [Measurement]) -> [Round: Values] {
      Dictionary(side.map { (Round(session: $0.provenance.session, number: $0.provenance.round), $0.values) }) { $1 }
    }
    guard (base + head).allSatisfy({ $0.provenance.side != nil && !$0.provenance.session.isEmpty }) else { return nil }
    let right = byRound(head)
    let pairs = byRound(base).compactMap { round, values in right[round].map { (round, base: values, head: $0) } }
      .sorted { ($0.0.session, $0.0.number) < ($1.0.session, $1.0.number) }
    return pairs.isEmpty ? nil : pairs.map { ($0.base, $0.head) }
  }

  private static func bySession(_ side: [Measurement]) -> [[Values]] {
    Dictionary(grouping: side, by: \.provenance.session).sorted { $0.key < $1.key }.map { $0.value.map(\.values) }
  }

  /// The values of a metric, round by round; nil if launches are not matched so. A launch without the metric counts as zero.
  func rounds(of metric: Metric) -> SharedError.Sides? {
    rounds.map { pairs in (pairs.map { $0.base[metric] ?? 0 }, pairs.map { $0.head[metric] ?? 0 }) }
  }

  /// How wall time and CPU time share one error; nil if launches are not matched by rounds.
  func sharedError(_ options: ComparisonOptions) -> SharedError? {
    guard let wall = rounds(of: .total), let cpu = rounds(of: .cpu) else { return nil }
    return SharedError(tail: options.intervalTail, wall: wall, cpu: cpu, isLastLook: options.isLastLook)
  }

  /// The shift of a metric. A launch without the metric counts as zero.
  func shift(of metric: Metric, _ options: ComparisonOptions, tail: Double) -> Shift {
    if let rounds = rounds(of: metric) { return Shift(rounds: rounds.base, rounds.head, tail: tail) }
    func values(_ side: [[Values]]) -> [[Double]] { side.map { $0.map { $0[metric] ?? 0 } } }
    return Shift(
      sessions: values(sessions.base), values(sessions.head), tail: tail, spread: options.spread(of: metric),
      seed: options.seed)
  }
}
