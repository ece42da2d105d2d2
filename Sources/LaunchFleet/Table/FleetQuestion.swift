// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchRecord

/// What of the records is wanted: the rest is passed over when they are read.
package struct FleetQuestion: Sendable {
  package enum Labels: Sendable {
    case named(Set<String>)
    /// Those that can distinguish populations.
    case all
  }

  package var labels = Labels.named([])
  /// Labels that are kept, however many columns there are.
  package var needed: Set<String> = []
  /// The column that names the single machine. It is kept, however many columns there are; nil if none is needed.
  package var unit: String?
  /// Beside `total` and `phase/…`.
  package var metrics: Set<String> = []
  /// A record must pass this,
  package var filter = FleetFilter()
  /// and one of these, if there are any.
  package var sides: [FleetFilter] = []
  package var keepsIDs = false
  /// Whether the table knows when launches began. Builds have no other order.
  package var keepsTimes = false
  /// If there are more launches than this, this number is drawn at random.
  package var mostLaunches = Self.standardMost
  /// Seconds since 1970: a record of more than a day later has a wrong clock.
  package var now: Int64 = .max

  package static let standardMost = 4_000_000

  package init() {}

  /// What records call metrics that have another name where launches are compared.
  static let recordNames = [
    Metric.cpu.id: RecordKey.cpuTime.rawValue, Metric.minorFaults.id: "count/" + RecordKey.minorFaults.rawValue,
    Metric.majorFaults.id: "count/" + RecordKey.majorFaults.rawValue,
  ]

  /// The metric of records that a person means: `cpuTime` for `cpu`, as the budgets of `gate` have it.
  package static func metric(named name: String) -> String { recordNames[name] ?? name }

  /// Why a key of records cannot be a column; nil if it can.
  package static func reason(againstColumn name: String) -> String? {
    switch name {
    case "outcome", "withinBudget":
      "launches are not selected by how they went; reports have the shares that failed and that were within budget"
    case "time": "use day, the day of the launch in UTC"
    case "record", "id", "sample": "it does not describe the launch"
    case "total": "it is what is measured"
    default: FleetTableBuilder.metric(ofKey: name) == nil ? nil : "it is what is measured"
    }
  }

  func wants(label name: String) -> Bool {
    if names(label: name) { return true }
    // When a phase began is a time, which is equal in no two launches.
    if case .all = labels { return !name.hasPrefix("at.") }
    return false
  }

  /// The values that the question selects.
  func values(ofColumn name: String) -> [String] {
    ([filter] + sides).flatMap(\.entries).filter { $0.name == name }.flatMap(\.values)
  }

  /// Whether the question needs this column by its name, not only because it asks for all.
  func names(label name: String) -> Bool {
    if name == unit || needed.contains(name) || ([filter] + sides).contains(where: { $0.names(name) }) { return true }
    guard case .named(let names) = labels else { return false }
    return names.contains(name)
  }

  /// Whether the question needs this metric by its name; also a phase by its name alone.
  func names(metric: String) -> Bool {
    metrics.contains(metric) || metric.hasPrefix("phase/") && metrics.contains(String(metric.dropFirst(6)))
  }

  /// The keys in records of all that the question names.
  var keys: [String] {
    var columns = needed.union(([filter] + sides).flatMap(\.columns))
    if case .named(let names) = labels { columns.formUnion(names) }
    if let unit { columns.insert(unit) }
    let metrics = metrics.flatMap { [FleetTableBuilder.key(ofMetric: $0), "phase." + $0] }
    return columns.sorted() + metrics.sorted()
  }
}

/// Which launches: `version=2.1,kind=cold`. Values of one column are alternatives, columns must all hold.
package struct FleetFilter: Sendable, Equatable, CustomStringConvertible {
  /// By column: its values.
  package private(set) var entries: [(name: String, values: [String])] = []

  package init() {}

  /// - Throws: `FleetError` for an argument that is not `column=value`.
  package init(_ texts: [String]) throws(FleetError) {
    for text in texts {
      var isFirst = true
      for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
        if let equals = piece.firstIndex(of: "="), equals > piece.startIndex {
          add(String(piece[..<equals]), String(piece[piece.index(after: equals)...]))
        } else if !isFirst, let last = entries.indices.last {
          // A value may have commas.
          entries[last].values[entries[last].values.count - 1] += "," + piece
        } else {
          throw FleetError(.badFilter, message: "expected column=value, such as version=2.1, not \"\(piece)\"")
        }
        isFirst = false
      }
    }
  }

  private mutating func add(_ name: String, _ value: String) {
    if let place = entries.firstIndex(where: { $0.name == name }) {
      // The value that a comma continues is the last one of the last column.
      let entry = entries.remove(at: place)
      entries.append((name, entry.values + [value]))
    } else {
      entries.append((name, [value]))
    }
  }

  package var isEmpty: Bool { entries.isEmpty }
  package var columns: [String] { entries.map(\.name) }

  func names(_ column: String) -> Bool { entries.contains { $0.name == column } }

  package var description: String {
    entries.flatMap { entry in entry.values.map { "\(entry.name)=\($0)" } }.joined(separator: ", ")
  }

  package static func == (left: FleetFilter, right: FleetFilter) -> Bool { left.description == right.description }

  /// The launches of a table that pass.
  func rows(of table: FleetTable) -> [Bool] {
    var result = [Bool](repeating: true, count: table.count)
    for entry in entries {
      guard let column = table.label(entry.name) else {
        if !entry.values.contains("") { return [Bool](repeating: false, count: table.count) }
        continue
      }
      let passes = (0..<column.valueCount).map { entry.values.contains(column.text(UInt16($0))) }
      for row in 0..<table.count where result[row] {
        let code = Int(column.codes[row])
        result[row] = code < passes.count && passes[code]
      }
    }
    return result
  }
}
