// SPDX-License-Identifier: Apache-2.0

/// How much work the launches of each point of a series did, and how long they waited for a processor (D373).
struct WaitingTimes {
  /// Medians by point.
  private let onCore: [Double]
  private let cpu: [Double]
  private let waited: [Double]

  /// What a change must exceed to be one of the program: less is within what launches on a busy machine differ.
  private static let least = 0.02

  /// - Parameter points: the launches of each point.
  /// - Returns: nil if a launch has no on-core time or no CPU time, as without perf events.
  init?(_ points: [[Measurement]]) {
    func medians(_ value: (Measurement) -> Double?) -> [Double]? {
      let values = points.map { $0.compactMap(value) }
      guard zip(values, points).allSatisfy({ $0.count == $1.count }) else { return nil }
      return values.map(SessionBootstrap.median)
    }
    guard let onCore = medians({ $0.values[.onCore] }), let cpu = medians({ $0.values[.cpu] }),
      let waited = medians({ launch in launch.values[.onCore].map { (launch.values[.total] ?? 0) - $0 } })
    else { return nil }
    (self.onCore, self.cpu, self.waited) = (onCore, cpu, waited)
  }

  /// Whether other programs had the processor: the launches waited so much longer or shorter for it, and did the same work.
  ///
  /// - Parameters:
  ///   - change: of the metric, ns.
  ///   - levels: the levels of a metric before and after the change, from the medians of its points.
  func explains(_ change: Double, _ levels: ([Double]) -> HistorySeries.Change.Levels) -> Bool {
    let waiting = levels(waited)
    let difference = waiting.after - waiting.before
    return abs(levels(onCore).relative) < Self.least && abs(levels(cpu).relative) < Self.least
      && change * difference > 0
      && abs(change) <= abs(difference) * (1 + Self.least) + abs(levels(onCore).before) * Self.least
  }
}
