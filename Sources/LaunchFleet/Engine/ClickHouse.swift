// SPDX-License-Identifier: Apache-2.0

internal import LaunchRecord
internal import LaunchSystem
internal import LaunchWire

/// The records in a ClickHouse server, with the tables of Engines/clickhouse.
///
/// The server counts launches by the values of their columns and by bins of their times. Such counts add up over days and
/// shards, and are a table like that of files: everything that is asked of files is asked of it.
package struct ClickHouse: Sendable {
  private let address: WebAddress
  private let headers: [(name: String, value: String)]

  /// Bytes that an answer may have, and seconds that it may take.
  private static let largestAnswer = 1 << 28
  private static let patience = 600.0
  /// Columns with more values do not distinguish populations, and make cells of single launches.
  private static let mostValues: UInt32 = 2000
  private static let neverHeld: Set = ["version", "build"]

  /// - Parameters:
  ///   - server: `http://host:8123[/?database=name]`.
  ///   - headers: of requests, such as those that name a user.
  /// - Throws: `FleetError` for another address.
  package init(_ server: String, headers: [(name: String, value: String)] = []) throws(FleetError) {
    guard var address = WebAddress(server) else {
      throw FleetError(
        .badServer,
        message:
          "expected clickhouse=http://host:8123, without a user's name; set CLICKHOUSE_USER and CLICKHOUSE_PASSWORD")
    }
    // An error that comes after the first rows is a status then, not a part of the answer.
    address.target += (address.target.contains("?") ? "&" : "?") + "wait_end_of_query=1"
    (self.address, self.headers) = (address, headers)
  }

  /// The launches that a question is about.
  ///
  /// - Throws: `FleetError` when the server cannot be reached, or refuses.
  package func table(_ question: FleetQuestion) throws(FleetError) -> FleetTable {
    let columns = try columns(question)
    var table = try table(question, columns: columns.names, withTimes: true)
    table.census.droppedColumns = columns.dropped
    try countUnknownFailures(question, in: &table.census)
    if question.keepsTimes {
      var rows = try rows(ClickHouseQuery(question).firstTimes())
      while !rows.isAtEnd { table.firstTimes[try rows.text()] = Int64(try rows.number() as UInt32) }
    }
    return table
  }

  /// `FleetComparison` of the launches in the server, and their table.
  ///
  /// The columns to hold are chosen by counts alone. Times are asked by these columns only, so that there are few cells.
  ///
  /// - Throws: `FleetError` when the server cannot be reached, or refuses.
  package func comparison(
    _ question: FleetQuestion, _ options: FleetComparisonOptions
  ) throws(FleetError) -> (table: FleetTable, comparison: FleetComparison) {
    let columns = try columns(question)
    let counts = try table(question, columns: columns.names, withTimes: false)
    let choice = try MixChoice(counts, ComparedSides(counts, options), options)
    var narrow = question
    narrow.labels = .named(Set(choice.names + FleetComparison.cohortNames + ["program", "end"]))
    var table = try table(narrow)
    table.census.droppedColumns = columns.dropped
    var comparison = try FleetComparison(table, options, choice: choice)
    for place in comparison.guilty.indices {
      comparison.guilty[place].exemplars = try exemplars(of: comparison.guilty[place], question, options)
    }
    return (table, comparison)
  }

  private func table(_ question: FleetQuestion, columns: [String], withTimes: Bool) throws(FleetError) -> FleetTable {
    let query = ClickHouseQuery(question)
    var cells = try rows(withTimes ? query.cells(by: columns) : query.counts(by: columns))
    var table = CountedTable(columns)
    while !cells.isAtEnd { try table.add(ClickHouseCell(&cells, columns: columns.count)) }
    return table.finished()
  }

  /// The columns that a question needs, and how many labels are left out because there are too many.
  private func columns(_ question: FleetQuestion) throws(FleetError) -> (names: [String], dropped: Int) {
    let asked = question.needed.union(question.sides.flatMap(\.columns))
    switch question.labels {
    case .named(let names): return (names.union(asked).sorted(), 0)
    case .all:
      let query = ClickHouseQuery(question)
      var rows = try rows(query.valueCounts())
      var counts: [String: UInt32] = [:]
      for column in ClickHouseQuery.columns.sorted() { counts[column] = try rows.number() }
      let labels = Int(try rows.number() as UInt32)
      let known = try rows.count()
      for _ in 0..<known { counts[try rows.text()] = try rows.number() }
      let useful = counts.filter { (1...Self.mostValues).contains($0.value) && !Self.neverHeld.contains($0.key) }
      return (asked.union(useful.keys).sorted(), max(0, labels - known))
    }
  }

  /// As `FleetTableBuilder` counts those of files.
  private func countUnknownFailures(_ question: FleetQuestion, in census: inout FleetCensus) throws(FleetError) {
    let (query, columns) = ClickHouseQuery(question).unknownFailures()
    guard !columns.isEmpty else { return }
    var rows = try rows(query)
    census.failedUnknown = Int(try rows.number() as UInt32)
    for column in columns { if try rows.number() > 0 { census.unknownColumns.insert(column) } }
  }

  private func exemplars(
    of guilt: FleetComparison.Guilt, _ question: FleetQuestion, _ options: FleetComparisonOptions
  ) throws(FleetError) -> [LaunchID] {
    var rows = try rows(ClickHouseQuery(question).exemplars(of: guilt, head: options.head))
    var ids: [LaunchID] = []
    while !rows.isAtEnd, let id = LaunchID(try rows.text()), !ids.contains(id) { ids.append(id) }
    return ids
  }

  private func rows(_ query: String) throws(FleetError) -> RowBinary {
    let request = WebRequest(
      address: address, headers: [("Content-Type", "text/plain")] + headers, body: Array(query.utf8),
      timeout: Self.patience, largestAnswer: Self.largestAnswer)
    let response: WebResponse
    do throws(WebFailure) { response = try request.send() } catch {
      throw FleetError(.badServer, path: address.authority, message: error.description)
    }
    guard response.isSuccess else {
      let text = String(decoding: response.body.prefix(600), as: UTF8.self)
      throw FleetError(.refused, path: address.authority, message: "answers \(response.status): \(text)")
    }
    return RowBinary(response.body, of: address.authority)
  }
}
