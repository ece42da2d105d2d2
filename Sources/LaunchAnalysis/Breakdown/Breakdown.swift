// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// How a launch's time divides into parts by one aspect. Each part has its total time and its own time.
package struct Breakdown: Sendable, Equatable {
  /// What the time is divided by.
  package enum Aspect: String, Sendable, CaseIterable {
    /// The file that contains the code.
    case library
    /// The Swift module that the code belongs to; for other code, its library.
    case module
    /// The function; in a trace without samples, the interval.
    case symbol
    case phase
    case thread
    /// What the main thread did.
    case state
    /// What the Swift runtime did: lazy globals, conformances, metadata, and more. An estimate.
    case runtime
  }

  package struct Row: Sendable, Equatable {
    package var name: String
    /// Including what it called or contains; for a thread, the time that it lived.
    package var total: Int64
    /// Without what it called or contains; for a thread, the time that it ran.
    package var selfTime: Int64
    /// Number of samples, intervals, turns or times.
    package var count: Int
    /// What the main thread did meanwhile, ns; nil where the trace or the aspect does not have it.
    package var running: Int64? = nil
    package var waiting: Int64? = nil
    /// How long the launch waited for this thread or was its work, ns. These times add up to the launch.
    package var critical: Int64? = nil
    /// The part of `critical` that is only likely, because this thread ran the most while another waited.
    package var likely: Int64? = nil

    /// False for a thread that only `critical` is known of: its turns on a processor were not recorded.
    package var hasTimes = true

    package init(_ name: String, total: Int64 = 0, selfTime: Int64 = 0, count: Int = 0) {
      (self.name, self.total, self.selfTime, self.count) = (name, total, selfTime, count)
    }
  }

  package var aspect: Aspect
  /// `ns`, or the unit of the samples.
  package var unit: String
  /// What `count` counts: `samples`, `intervals`, `turns`, `times`.
  package var counted: String
  /// What 100 % is.
  package var whole: Int64
  /// In descending order of `selfTime`; phases in the order of time.
  package var rows: [Row]
  /// What the trace lacks for this breakdown, and how to get it; nil when nothing is missing.
  var lack: String? = nil
  /// What is not in it because it could not be read.
  var losses: [String] = []
  /// The number of names beyond `mostRows`, which have no row.
  var leftOut = 0
  /// The number of launches of which each row has the means; nil for medians, or for one launch.
  package internal(set) var meansOf: Int? = nil

  /// The most names that are listed. A crafted file has a million.
  static var mostRows: Int { TraceLimits.least(16) }

  /// What is missing in this breakdown; nil if nothing is.
  package var shortcoming: String? {
    let limit = "the \(rows.count) names with the most time are listed; \(leftOut) more are left out"
    let sentences = [leftOut > 0 ? limit : nil, lack].compactMap(\.self) + losses
    return sentences.isEmpty ? nil : sentences.joined(separator: "; ")
  }
}

extension LaunchSet {
  /// The breakdown of the counted launches. Each row has the medians, or of samples the means: a function with one sample in
  /// less than half of the launches has the median 0. A launch without the row counts as 0.
  package func breakdown(by aspect: Breakdown.Aspect, mainThreadOnly: Bool = false) -> Breakdown? {
    let launches = counted.isEmpty ? Array(self.launches.prefix(1)) : counted
    var result = Self.breakdown(of: launches, by: aspect, mainThreadOnly: mainThreadOnly)
    result?.losses = Self.losses(of: launches)
    return result
  }

  /// The largest number of sentences about what could not be read.
  private static let mostLosses = 4

  private static func losses(of launches: [Launch]) -> [String] {
    let all = launches.map(\.timeline.lossesAndDamage)
    let counts = Dictionary(all.joined().map { ($0, 1) }, uniquingKeysWith: +)
    let sentences = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let told = sentences.prefix(mostLosses).map {
      launches.count == 1 ? $0.key : "\($0.key) (in \($0.value) of \(launches.count) launches)"
    }
    if sentences.count == told.count { return told }
    let lacking = all.count { !$0.isEmpty }
    return told + ["of \(lacking) of \(launches.count) launches, something could not be read"]
  }

  private static func breakdown(
    of launches: [Launch], by aspect: Breakdown.Aspect, mainThreadOnly: Bool
  ) -> Breakdown? {
    // Samples and intervals are not compared with each other: a short launch may have no sample.
    let sampled = launches.count { $0.timeline.hasSamples(mainThreadOnly: mainThreadOnly) }
    let fromSamples = launches.count == 1 ? nil : sampled * 2 >= launches.count
    let parts = launches.map {
      $0.timeline.breakdown(
        by: aspect, mainThreadOnly: mainThreadOnly, fromSamples: fromSamples, isOfSeries: launches.count > 1)
    }
    if aspect == .runtime {
      let samples = launches.reduce(0) { $0 + $1.timeline.sampleCount(mainThreadOnly: mainThreadOnly) }
      return RuntimeEstimate.pooled(parts, samples: samples)
    }
    guard var result = parts.first else { return nil }
    if parts.count == 1 { return result }
    let hasMeans = fromSamples == true && [.library, .module, .symbol].contains(aspect)
    func middle(_ values: [Int64]) -> Int64 {
      if hasMeans {
        let (sum, count) = (values.reduce(0, &+), Int64(parts.count))
        // What was seen does not become nothing.
        return sum > 0 ? max(1, (sum &+ count / 2) / count) : sum / count
      }
      return Distribution(values + [Int64](repeating: 0, count: max(0, parts.count - values.count)))?.median ?? 0
    }
    func optional(_ values: [Int64?]) -> Int64? {
      values.allSatisfy { $0 == nil } ? nil : middle(values.map { $0 ?? 0 })
    }
    result.rows = parts.flatMap(\.rows).grouped(by: \.name).map { name, same in
      var row = Breakdown.Row(
        name, total: middle(same.map(\.total)), selfTime: middle(same.map(\.selfTime)),
        count: Int(middle(same.map { Int64($0.count) })))
      row.hasTimes = same.contains { $0.hasTimes }
      row.running = optional(same.map(\.running))
      row.waiting = optional(same.map(\.waiting))
      row.critical = optional(same.map(\.critical))
      row.likely = optional(same.map(\.likely))
      return row
    }
    result.whole = middle(parts.map(\.whole))
    if hasMeans { result.meansOf = parts.count }
    // If some launches have the data, the report does not mention that others lack it.
    if parts.contains(where: { $0.lack == nil }) { result.lack = nil }
    result.leftOut = parts.map(\.leftOut).max() ?? 0
    result.keepLargest()
    if aspect != .phase { result.sort() }
    return result
  }
}

extension Breakdown {
  /// Leaves out names beyond `mostRows`: those with the least time.
  mutating func keepLargest() {
    let more = rows.count - Self.mostRows
    guard more > 0 else { return }
    rows.sort { ($1.total, $0.name) < ($0.total, $1.name) }
    rows.removeLast(more)
    leftOut += more
  }

  /// One row for all of a name.
  static func sums(_ rows: [Row]) -> [Row] {
    rows.grouped(by: \.name).map { _, same in
      same.dropFirst().reduce(into: same[0]) { sum, row in
        sum.total &+= row.total
        sum.selfTime &+= row.selfTime
        sum.count += row.count
        if let more = row.running { sum.running = (sum.running ?? 0) + more }
        if let more = row.waiting { sum.waiting = (sum.waiting ?? 0) + more }
      }
    }
  }

  mutating func sort() {
    rows.sort {
      ($1.selfTime, $1.total, $1.critical ?? 0, $0.name) < ($0.selfTime, $0.total, $0.critical ?? 0, $1.name)
    }
  }
}
