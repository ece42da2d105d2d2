// SPDX-License-Identifier: Apache-2.0

/// Questions about launches in SQL.
struct ClickHouseQuery {
  private let question: FleetQuestion
  private let launches: String

  /// Columns of their own; all others are in `labels`.
  static let columns: Set = [
    "program", "version", "build", "os", "osVersion", "arch", "cpu", "cores", "memoryMiB", "machine", "kind", "reason",
    "context", "end",
  ]

  init(_ question: FleetQuestion) {
    self.question = question
    launches = "launches FINAL WHERE \(Self.condition(question))"
  }

  /// How many values each column has, in the order of their names; how many labels there are, and how many values each
  /// of the first ones has.
  func valueCounts() -> String {
    let counts = Self.columns.sorted().map { "toUInt32(uniqIf(`\($0)`, `\($0)` != ''))" }
    return """
      SELECT \(counts.joined(separator: ", ")),
      assumeNotNull((SELECT toUInt32(uniqExact(name)) FROM (SELECT arrayJoin(mapKeys(labels)) AS name FROM \(launches)))),
      (SELECT groupArray((name, count)) FROM (SELECT label.1 AS name,
      toUInt32(uniq(label.2)) AS count FROM (SELECT arrayJoin(CAST(labels, 'Array(Tuple(String, String))')) AS label
      FROM \(launches)) GROUP BY name ORDER BY name LIMIT \(FleetTableBuilder.mostLabels))) FROM \(launches) FORMAT RowBinary
      """
  }

  /// How many failed launches the question leaves out only because they do not know columns by which it selects, and how many
  /// of them do not know each of these columns.
  func unknownFailures() -> (query: String, columns: [String]) {
    let entries = ([question.filter] + question.sides).flatMap(\.entries)
    let columns = Set(entries.filter { !$0.values.contains("") }.map(\.name)).sorted()
    let counts = columns.map { ", toUInt32(countIf(toString(\(Self.column($0))) = ''))" }.joined()
    let query = """
      SELECT toUInt32(count())\(counts) FROM launches FINAL WHERE \(Self.condition(question, orUnknown: true))
      AND NOT (\(Self.condition(question))) AND \(Self.result) > 0 FORMAT RowBinary
      """
    return (query, columns)
  }

  /// As `SeriesOrder` finds them.
  func firstTimes() -> String {
    """
    SELECT toString(build), toUInt32(arrayElement(groupArraySorted(3)(toUnixTimestamp(time)),
    toUInt8(least(intDiv(count(), 10), 2) + 1))) FROM \(launches) AND \(Self.column("day")) != '' GROUP BY build FORMAT RowBinary
    """
  }

  /// As `FleetTable.Outcome`.
  private static let result =
    "multiIf(outcome = 'completed', 0, outcome = 'failed', 1, outcome = 'timeout', 2, isNull(total), 1, 0)"
  private static let keys = ["result", "budget", "hasTotal", "weight"]

  /// The fields of each launch: the columns, and what else distinguishes cells of launches.
  private func fields(_ columns: [String]) -> (names: String, definitions: String) {
    let names = columns.indices.map { "g\($0)" }
    let labels = zip(columns, names).map { "toString(\(Self.column($0))) AS \($1)" }
    let rest = [
      "\(Self.result) AS result",
      "multiIf(isNull(withinBudget), 0, withinBudget = 1, 1, 2) AS budget", "isNotNull(total) AS hasTotal",
      "sample AS weight",
    ]
    return ((names + Self.keys).joined(separator: ", "), (labels + rest).joined(separator: ", "))
  }

  /// Launches by cell.
  func counts(by columns: [String]) -> String {
    let (names, definitions) = fields(columns)
    return """
      SELECT \(Self.cast(columns.count)), toUInt32(count()), CAST([], 'Array(Tuple(String, Array(UInt32), Array(UInt32)))')
      FROM (SELECT \(definitions) FROM \(launches)) GROUP BY \(names) ORDER BY \(names) FORMAT RowBinary
      """
  }

  /// Launches by cell, with those of each bin of each metric.
  ///
  /// Bins are counted by a hash of their cell: to compare all its columns for each time takes three times as long.
  func cells(by columns: [String]) -> String {
    let (names, definitions) = fields(columns)
    let wanted = question.metrics.filter { $0 != "total" }.map { Self.literal(FleetTableBuilder.key(ofMetric: $0)) }
      .sorted()
    let kept = "startsWith(p.1, 'phase.')" + (wanted.isEmpty ? "" : " OR p.1 IN (\(wanted.joined(separator: ", ")))")
    let times =
      "arrayConcat(if(isNull(total), [], [('total', assumeNotNull(total))]), "
      + "arrayFilter(p -> \(kept), arrayMap((k, v) -> (toString(k), v), mapKeys(metrics), mapValues(metrics))))"
    let bin = "bitShiftRight(reinterpretAsUInt32(toFloat32(time.2)), \(TimeBin.shift))"
    return """
      SELECT \(Self.cast(columns.count)), toUInt32(launches), cells
      FROM (SELECT cityHash64(\(names)) AS cell, \(names), count() AS launches
      FROM (SELECT \(definitions) FROM \(launches)) GROUP BY \(names)) AS labels
      LEFT JOIN (SELECT cell, groupArray((metric, bins, counts)) AS cells
      FROM (SELECT cell, metric, groupArray(bin) AS bins, groupArray(size) AS counts
      FROM (SELECT cell, time.1 AS metric, \(bin) AS bin, toUInt32(count()) AS size
      FROM (SELECT cityHash64(\(names)) AS cell, arrayJoin(times) AS time
      FROM (SELECT \(definitions), \(times) AS times FROM \(launches)))
      GROUP BY cell, metric, bin) GROUP BY cell, metric) GROUP BY cell) AS bins USING cell
      ORDER BY \(names) FORMAT RowBinary
      """
  }

  private static func cast(_ columns: Int) -> String {
    ((0..<columns).map { "g\($0)" } + keys.map { "toUInt32(\($0))" }).joined(separator: ", ")
  }

  /// Launches of the head whose times are the median, and the 90th and 99th percentile.
  func exemplars(of guilt: FleetComparison.Guilt, head: FleetFilter) -> String {
    let key = Self.literal(FleetTableBuilder.key(ofMetric: guilt.metric))
    let isTotal = guilt.metric == "total"
    var conditions = [Self.condition(head), "outcome = 'completed'", "isNotNull(total)"]
    if !isTotal { conditions.append("mapContains(metrics, \(key))") }
    if let column = guilt.column {
      conditions.append(
        "toString(\(Self.column(column))) IN (\(guilt.values.map(Self.literal).joined(separator: ", ")))")
    }
    let times = """
      (SELECT id, toFloat64(\(isTotal ? "assumeNotNull(total)" : "metrics[\(key)]")) AS time
      FROM \(launches) AND \(conditions.joined(separator: " AND ")))
      """
    return """
      WITH (SELECT quantilesTDigest(0.5, 0.9, 0.99)(time) FROM \(times)) AS levels SELECT toString(arrayJoin(
      [argMin(id, abs(time - levels[1])), argMin(id, abs(time - levels[2])), argMin(id, abs(time - levels[3]))]))
      FROM \(times) FORMAT RowBinary
      """
  }

  // MARK: Words

  private static func condition(_ question: FleetQuestion, orUnknown: Bool = false) -> String {
    let sides = question.sides.map { condition($0, orUnknown: orUnknown) }
    return condition(question.filter, orUnknown: orUnknown)
      + (sides.isEmpty ? "" : " AND (\(sides.joined(separator: " OR ")))")
  }

  /// - Parameter orUnknown: whether launches that do not know a column pass, too.
  private static func condition(_ filter: FleetFilter, orUnknown: Bool = false) -> String {
    let conditions = filter.entries.map { entry in
      let values = entry.values + (orUnknown ? [""] : [])
      return "toString(\(column(entry.name))) IN (\(values.map(literal).joined(separator: ", ")))"
    }
    return conditions.isEmpty ? "1" : "(\(conditions.joined(separator: " AND ")))"
  }

  private static func column(_ name: String) -> String {
    if columns.contains(name) { return "`\(name)`" }
    // A wrong clock belongs to no day.
    return name == "day"
      ? "if(time > toDateTime('2010-01-01', 'UTC') AND time <= now() + 86400, toString(toDate(time, 'UTC')), '')"
      : "labels[\(literal(name))]"
  }

  static func literal(_ text: String) -> String {
    var result = "'"
    for scalar in text.unicodeScalars {
      if scalar == "'" || scalar == "\\" { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result + "'"
  }
}
