internal import LaunchAnalysis

/// The records in a ClickHouse server, with the tables of Engines/clickhouse.
package struct ClickHouse: Sendable {
  private let server: String

  /// - Parameter server: `http://[user:password@]host[:8123][/?database=name]`.
  /// - Throws: `FleetError` for another address.
  package init(_ server: String) throws(FleetError) {
    guard PlainHTTP(server) != nil else {
      throw FleetError(.badServer, message: "expected clickhouse=http://host:8123, not \"\(server)\"")
    }
    self.server = server
  }

  /// Loads lines of records as they are. A record that is loaded twice is one launch.
  ///
  /// - Throws: `FleetError` when the server can't be reached, or refuses.
  package func load(_ lines: [UInt8]) throws(FleetError) {
    _ = try post(Array("INSERT INTO records FORMAT LineAsString\n".utf8) + lines)
  }

  private func post(_ query: [UInt8]) throws(FleetError) -> [UInt8] {
    guard let http = PlainHTTP(server) else { throw FleetError(.badServer, message: "no address: \(server)") }
    var headers: [(String, String)] = []
    if let user = http.user { headers.append(("X-ClickHouse-User", user)) }
    if let password = http.password { headers.append(("X-ClickHouse-Key", password)) }
    return try http.post(query, headers: headers)
  }

  /// The report of `FleetReport`, with the quantiles of t-digests.
  ///
  /// - Throws: `FleetError` when the server can't be reached, or refuses.
  package func report(
    by: [String], filter: FleetFilter, metrics: [String], tail: Double
  ) throws(FleetError) -> FleetReport {
    let answer = try post(Array(ClickHouseQuery(by: by, filter: filter, metrics: metrics).text.utf8))
    guard let tree = answer.withUnsafeBytes({ JSONTree($0) }), let rows = tree["data"]?.elements else {
      throw FleetError(.refused, path: server, message: "answers with what is no table")
    }
    return FleetReport(
      try rows.map { row throws(FleetError) in
        guard let row = ClickHouseRow(row, columns: by.count) else {
          throw FleetError(.refused, path: server, message: "answers with a row of another form")
        }
        return row
      }, by: by, filter: filter, tail: tail)
  }
}

/// The SQL of a report.
struct ClickHouseQuery {
  let text: String

  /// Fine enough to read off the bounds of intervals.
  static let levels: [Double] =
    [0.001, 0.002, 0.005] + (1...99).map { Double($0) / 100 } + [0.985, 0.991, 0.993, 0.995, 0.997, 0.998, 0.999]

  private static let columns: Set = [
    "program", "version", "build", "os", "osVersion", "arch", "cpu", "cores", "memoryMiB", "machine", "kind", "reason",
    "context", "outcome", "end",
  ]

  init(by: [String], filter: FleetFilter, metrics: [String]) {
    let keys = by.map { "toString(\(Self.column($0)))" }
    let groups = keys.indices.map { "g\($0)" }
    let named = zip(keys, groups).map { "\($0) AS \($1)" }
    let conditions = filter.entries.map { entry in
      "toString(\(Self.column(entry.name))) IN (\(entry.values.map(Self.literal).joined(separator: ", ")))"
    }
    let wanted = metrics.map { Self.literal(Self.key(ofMetric: $0)) }
    let kept = "startsWith(p.1, 'phase.')" + (wanted.isEmpty ? "" : " OR p.1 IN (\(wanted.joined(separator: ", ")))")
    // The record itself, its total, and its other metrics.
    let pairs =
      "arrayConcat([('', toInt64(0))], if(isNull(total), [], [('total', assumeNotNull(total))]), "
      + "arrayFilter(p -> \(kept), arrayMap((k, v) -> (toString(k), v), mapKeys(metrics), mapValues(metrics))))"
    let levels = Self.levels.sorted().map { "\($0)" }.joined(separator: ", ")
    text = """
      SELECT \((groups + ["pair.1 AS metric"]).joined(separator: ", ")), toFloat64(count()), toFloat64(sum(w)), \
      toFloat64(sum(w * w)), toFloat64(sumIf(w, outcome != 'completed')), toFloat64(sumIf(w, ifNull(withinBudget, 0) = 1)), \
      toFloat64(sumIf(w, isNotNull(withinBudget))), quantilesTDigestWeighted(\(levels))(pair.2, w)
      FROM (SELECT \((named + ["outcome", "withinBudget", "toUInt64(sample) AS w", "arrayJoin(\(pairs)) AS pair"]).joined(separator: ", "))
      FROM launches FINAL\(conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")))
      GROUP BY \((groups + ["metric"]).joined(separator: ", ")) FORMAT JSONCompact
      """
  }

  static func column(_ name: String) -> String {
    if columns.contains(name) { return "`\(name)`" }
    return name == "day" ? "toDate(time)" : "labels[\(literal(name))]"
  }

  /// `phase.x` of `phase/x`.
  private static func key(ofMetric name: String) -> String {
    guard let slash = name.firstIndex(of: "/") else { return name }
    return name[..<slash] + "." + name[name.index(after: slash)...]
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

/// A row of the answer: a group and a metric.
struct ClickHouseRow {
  var values: [String]
  /// Empty for the records themselves.
  var metric: String
  var records: Double
  var launches: Double
  var squares: Double
  var failed: Double
  var within: Double
  var budgeted: Double
  /// As `ClickHouseQuery.levels` in their order.
  var quantiles: [Double]

  init?(_ tree: JSONTree, columns: Int) {
    guard let cells = tree.elements, cells.count == columns + 8, let metric = cells[columns].text else { return nil }
    let numbers = cells[(columns + 1)..<(columns + 7)].compactMap(\.number)
    let quantiles = cells[columns + 7].elements?.compactMap(\.number) ?? []
    guard numbers.count == 6, quantiles.count == ClickHouseQuery.levels.count else { return nil }
    values = cells[..<columns].map { $0.text ?? "" }
    let isPart = metric.contains(".")
    self.metric = isPart ? metric.replacing(".", with: "/", maxReplacements: 1) : metric
    (records, launches, squares) = (numbers[0], numbers[1], numbers[2])
    (failed, within, budgeted) = (numbers[3], numbers[4], numbers[5])
    self.quantiles = quantiles
  }

  /// Linear between the levels.
  private func quantile(_ fraction: Double) -> Double {
    let levels = ClickHouseQuery.levels.sorted()
    guard let above = levels.firstIndex(where: { $0 >= fraction }) else { return quantiles.last ?? .nan }
    guard above > 0 else { return quantiles[0] }
    let part = (fraction - levels[above - 1]) / (levels[above] - levels[above - 1])
    return quantiles[above - 1] + (quantiles[above] - quantiles[above - 1]) * part
  }

  func interval(_ fraction: Double, tail: Double) -> FleetQuantile {
    let size = Int((launches * launches / squares).rounded(.down))
    let (low, high) = QuantileInterval.places(size, fraction: fraction, tail: tail)
    let last = Double(max(1, size - 1))
    let estimate = quantile(fraction)
    return FleetQuantile(
      estimate: estimate, lower: low >= 0 ? min(estimate, quantile(Double(low) / last)) : -.infinity,
      upper: high < size ? max(estimate, quantile(Double(high) / last)) : .infinity)
  }
}

extension FleetReport {
  /// What a server answered.
  init(_ rows: [ClickHouseRow], by: [String], filter: FleetFilter, tail: Double) {
    (self.by, self.filter, confidence) = (by, filter, 1 - 2 * tail)
    var order: [[String]] = []
    var byGroup: [[String]: [ClickHouseRow]] = [:]
    for row in rows {
      if byGroup[row.values] == nil { order.append(row.values) }
      byGroup[row.values, default: []].append(row)
    }
    var census = FleetCensus()
    groups = order.sorted { NaturalOrder.precedes($0, $1) }.compactMap { values in
      let all = byGroup[values] ?? []
      guard let records = all.first(where: { $0.metric.isEmpty }), records.launches > 0 else { return nil }
      census.launches += Int(records.records)
      let size = records.launches * records.launches / records.squares
      let metrics = all.filter { !$0.metric.isEmpty }.sorted { $0.metric < $1.metric }.map { row in
        Metric(
          name: row.metric, count: Int(row.records),
          quantiles: Self.fractions.map { row.interval($0, tail: tail) })
      }
      return Group(
        values: values, records: Int(records.records), launches: records.launches,
        failed: Proportion(records.failed / records.launches, of: size, tail: tail),
        within: records.budgeted > 0
          ? Proportion(records.within / records.budgeted, of: size * records.budgeted / records.launches, tail: tail)
          : nil,
        total: metrics.first { $0.name == "total" }, phases: metrics.filter { $0.name != "total" })
    }
    self.census = census
    isWeighted = rows.contains { $0.squares != $0.records }
    (ends, programs) = ([], [])
  }
}
