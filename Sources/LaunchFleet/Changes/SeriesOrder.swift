// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

/// The order of the points of a series: days, versions and numbers of builds by their value. A build id says nothing about
/// its place, so such builds come in the order in which they were first launched.
struct SeriesOrder {
  private let names: [String]
  /// By point, if names do not tell the order.
  private let times: [Int64]?

  init(_ series: FleetChanges.Series, _ names: [String], _ points: RowGroups, _ table: FleetTable) {
    self.names = names
    let areNumbers = names.allSatisfy { $0.allSatisfy { $0.isNumber || $0 == "." } }
    times = series != .build || areNumbers ? nil : Self.firstTimes(names, points, table)
  }

  /// The time of the third launch, or of an earlier one of less than 20: a single wrong clock does not move it.
  private static func firstTimes(_ names: [String], _ points: RowGroups, _ table: FleetTable) -> [Int64] {
    if table.times.isEmpty { return names.map { table.firstTimes[$0] ?? .max } }
    var known = [[Int64]](repeating: [], count: points.count)
    for (row, time) in table.times.enumerated() where time > 0 && points.numbers[row] >= 0 {
      known[Int(points.numbers[row])].append(time)
    }
    return known.map { $0.isEmpty ? .max : $0.sorted()[min($0.count / 10, 2)] }
  }

  func precedes(_ left: Int, _ right: Int) -> Bool {
    if let times, times[left] != times[right] { return times[left] < times[right] }
    return CountingOrder.releasePrecedes(names[left], names[right])
  }
}
