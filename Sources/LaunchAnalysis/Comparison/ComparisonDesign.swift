// SPDX-License-Identifier: Apache-2.0

/// How launches of the base and the head are matched.
enum ComparisonDesign {
  /// Indices into base and head, round by round.
  case rounds([(base: Int, head: Int)])
  /// Indices by session.
  case sessions(base: [[Int]], head: [[Int]])

  /// - Parameters: counted launches.
  init(_ base: [Measurement], _ head: [Measurement]) {
    if let pairs = Self.rounds(base, head) {
      self = .rounds(pairs)
    } else {
      self = .sessions(base: Self.bySession(base), head: Self.bySession(head))
    }
  }

  /// The launches of a live comparison have a session and a side. Launches of the same round form a pair. A round in
  /// which one launch failed is left out.
  private static func rounds(_ base: [Measurement], _ head: [Measurement]) -> [(base: Int, head: Int)]? {
    struct Round: Hashable {
      var session: String
      var number: Int
    }
    func places(_ side: [Measurement]) -> [Round: Int]? {
      var result: [Round: Int] = [:]
      for (place, launch) in side.enumerated() {
        guard launch.provenance.side != nil, !launch.provenance.session.isEmpty else { return nil }
        result[Round(session: launch.provenance.session, number: launch.provenance.round)] = place
      }
      return result
    }
    guard let left = places(base), let right = places(head) else { return nil }
    let pairs = left.compactMap { round, place in right[round].map { (round, base: place, head: $0) } }
      .sorted { ($0.0.session, $0.0.number) < ($1.0.session, $1.0.number) }
    return pairs.isEmpty ? nil : pairs.map { ($0.base, $0.head) }
  }

  private static func bySession(_ side: [Measurement]) -> [[Int]] {
    Dictionary(grouping: side.indices) { side[$0].provenance.session }.sorted { $0.key < $1.key }.map(\.value)
  }

  /// How wall time and CPU time share one error; nil if launches are not matched by rounds.
  func sharedError(_ base: [Measurement], _ head: [Measurement], _ options: ComparisonOptions) -> SharedError? {
    guard case .rounds(let pairs) = self else { return nil }
    func sides(_ metric: Metric) -> SharedError.Sides {
      (pairs.map { base[$0.base].values[metric] ?? 0 }, pairs.map { head[$0.head].values[metric] ?? 0 })
    }
    return SharedError(
      tail: options.intervalTail, wall: sides(.total), cpu: sides(.cpu), isLastLook: options.isLastLook)
  }

  /// The shift of a metric. A launch without the metric counts as zero.
  func shift(
    of metric: Metric, _ base: [Measurement], _ head: [Measurement], _ options: ComparisonOptions, tail: Double
  ) -> Shift {
    func value(_ launch: Measurement) -> Double { launch.values[metric] ?? 0 }
    switch self {
    case .rounds(let pairs):
      return Shift(rounds: pairs.map { value(base[$0.base]) }, pairs.map { value(head[$0.head]) }, tail: tail)
    case .sessions(let old, let new):
      return Shift(
        sessions: old.map { $0.map { value(base[$0]) } }, new.map { $0.map { value(head[$0]) } }, tail: tail,
        spread: options.spread(of: metric), seed: options.seed)
    }
  }
}
