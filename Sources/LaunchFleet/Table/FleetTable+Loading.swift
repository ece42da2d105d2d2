// SPDX-License-Identifier: Apache-2.0

extension FleetTable {
  /// `phase/load` in the records of programs that recorded themselves: they cannot tell its parts (docs/launch-record.md).
  private static let load = "phase/load"
  /// What the command has beside it.
  private static let parts: Set<String> = ["phase/exec", "phase/relocate"]

  /// The table with one meaning of `phase/load`: if some launches have its parts and others do not, all three count as load
  /// (D401). A table of bins stays as it is, because bins of launches cannot be added.
  ///
  /// - Parameter question: if it names a part, the parts stay.
  func withOneLoading(for question: FleetQuestion) -> FleetTable {
    guard !Self.parts.contains(where: question.names(metric:)),
      let load = metrics.firstIndex(where: { $0.name == Self.load })
    else { return self }
    let parts = metrics.indices.filter { Self.parts.contains(metrics[$0].name) }
    guard !parts.isEmpty, (parts + [load]).allSatisfy({ metrics[$0].counts.isEmpty }) else { return self }
    let isDivided = (0..<count).map { row in parts.contains { !metrics[$0].values[row].isNaN } }
    guard (0..<count).contains(where: { !isDivided[$0] && !metrics[load].values[$0].isNaN }) else { return self }
    var table = self
    for row in 0..<count where isDivided[row] {
      table.metrics[load].values[row] =
        (parts + [load]).map { metrics[$0].values[row] }.filter { !$0.isNaN }.reduce(0, +)
    }
    table.metrics.removeAll { Self.parts.contains($0.name) }
    table.census.joinedLoads = isDivided.count { $0 }
    return table
  }
}
