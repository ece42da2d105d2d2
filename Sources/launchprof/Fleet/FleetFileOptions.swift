// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import LaunchFleet
import LaunchSystem
import LaunchWire

/// Which records are read.
struct FleetFileOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp("Files of launch records, directories of them, or patterns in quotes.", valueName: "files"),
    completion: .file())
  var files: [String] = []

  @Option(
    help: ArgumentHelp(
      "Ask a server instead of files: clickhouse=http://host:8123 (docs/fleets.md).", valueName: "engine"))
  var engine: String?

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Use only launches with these values: version=2.1,kind=cold. Several values of one column are alternatives.",
      valueName: "column=value"))
  var filters: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Confidence of intervals and verdicts, in percent (default: 99).", valueName: "percent"))
  var confidence: PercentArgument?

  @Option(
    help: ArgumentHelp(
      "Largest number of launches in memory (default: 4000000). If there are more, this number is drawn at random.",
      valueName: "n"))
  var mostLaunches: Int?

  func validate() throws {
    if let confidence, !(0.5..<1).contains(confidence.part) {
      throw ValidationError("--confidence: expected 50 to less than 100 percent.")
    }
    if let mostLaunches, mostLaunches < 1000 { throw ValidationError("--most-launches: expected 1000 or more.") }
    if let engine {
      guard engine.hasPrefix(Self.clickHouse) else {
        throw ValidationError("--engine \(shown(engine)): expected clickhouse=http://host:8123.")
      }
      guard files.isEmpty else {
        throw ValidationError("--engine asks a server instead of files: leave out the files.")
      }
      guard mostLaunches == nil else {
        throw ValidationError("--most-launches is only for files: a server counts all launches.")
      }
    } else if files.isEmpty {
      throw ValidationError("Name the files of launch records, their directory, or an --engine.")
    }
    for filter in filters { try Self.checked([filter], "--where") }
  }

  @discardableResult
  static func checked(_ texts: [String], _ option: String) throws -> FleetFilter {
    do throws(FleetError) {
      let filter = try FleetFilter(texts)
      try check(columns: filter.columns)
      return filter
    } catch { throw ValidationError("\(option): \(error)") }
  }

  /// The columns that an option lists: `version,machine`.
  static func columns(_ text: String?, _ option: String) throws -> [String]? {
    guard let names = text?.split(separator: ",").map({ String($0) }) else { return nil }
    // Each once: two columns of one name are of no use.
    let columns = names.indices.filter { !names[..<$0].contains(names[$0]) }.map { names[$0] }
    do throws(FleetError) { try check(columns: columns) } catch { throw ValidationError("\(option): \(error)") }
    return columns
  }

  private static func check(columns: [String]) throws(FleetError) {
    for name in columns {
      guard let reason = FleetQuestion.reason(againstColumn: name) else { continue }
      throw FleetError(.unknownColumn, message: "\(shown(name)) is not a column: \(reason).")
    }
  }

  /// The error allowed on each side of an interval.
  var tail: Double { (1 - (confidence?.part ?? 0.99)) / 2 }

  func filter() throws -> FleetFilter { try Self.checked(filters, "--where") }

  /// - Throws: `FileError`, `FleetError`.
  func read(_ question: FleetQuestion) throws -> FleetTable {
    let question = try narrowed(question)
    return try server()?.table(question) ?? FleetReader.read(paths(), question)
  }

  /// The files to read; none if a server is asked.
  func paths() throws(FileError) -> [String] { try FleetFiles.resolve(files) }

  /// - Parameter metrics: what the table has beside what is compared.
  /// - Throws: `FileError`, `FleetError`; `ExitCode` for wrong options, after telling what is wrong.
  func compare(
    _ options: FleetComparisonOptions, metrics: Set<String> = []
  ) throws -> (table: FleetTable, comparison: FleetComparison) {
    var question = options.question
    question.metrics = metrics
    do {
      if let server = try server() { return try server.comparison(narrowed(question), options) }
      let table = try read(question)
      return (table, try FleetComparison(table, options))
    } catch let error as FleetError where error.code == .badFilter {
      throw fail(error, status: CommandStatus.usage)
    }
  }

  /// Checks that some record has the columns of a question whose answer is empty. The answer itself may not tell, because
  /// records are read only as far as it needs them.
  ///
  /// - Throws: `ExitCode`, after telling which columns the records have; `FileError`, `FleetError`.
  func check(_ columns: [String], _ option: String) throws {
    guard try canReadAgain() else { return }
    try Self.check(columns, option, in: try allLabels())
  }

  /// `check` of a filter. Also tells which values the records have, if none has the filter's.
  func check(_ filter: FleetFilter, _ option: String) throws {
    guard try canReadAgain() else { return }
    let table = try allLabels()
    try Self.check(filter.columns, option, in: table)
    for entry in filter.entries where !entry.values.contains("") {
      let known = table.values(of: entry.name)
      guard !known.isEmpty, Set(known).isDisjoint(with: entry.values) else { continue }
      tell(
        "\(option)no record has \(entry.name)=\(entry.values.map(shown).joined(separator: ",")); known values: "
          + known.lazy.map(shown).listed(Self.mostValues))
    }
  }

  /// Values that a message lists.
  private static let mostValues = 12

  private static func check(_ columns: [String], _ option: String, in table: FleetTable) throws {
    let known = ["day"] + table.labelNames
    guard let missing = columns.first(where: { !known.contains($0) && !$0.hasPrefix("at.") }) else { return }
    throw fail("\(option)no record has \"\(missing)\"; known columns: \(known.joined(separator: ", "))")
  }

  /// A pipe cannot be read a second time.
  private func canReadAgain() throws -> Bool { try engine == nil && paths().allSatisfy(isRegular) }

  private func allLabels() throws -> FleetTable {
    var question = FleetQuestion()
    question.labels = .all
    return try FleetReader.read(paths(), question)
  }

  private func narrowed(_ question: FleetQuestion) throws -> FleetQuestion {
    var question = question
    question.filter = try filter()
    question.now = Int64(time(nil))
    if let mostLaunches { question.mostLaunches = mostLaunches }
    return question
  }

  private static let clickHouse = "clickhouse="

  private func server() throws(FleetError) -> ClickHouse? {
    guard let engine else { return nil }
    return try ClickHouse(String(engine.dropFirst(Self.clickHouse.utf8.count)), headers: ClickHouseUser.headers)
  }
}

/// The files of records that arguments name.
enum FleetFiles {
  private static let extensions = [
    ".jsonl", ".jsonl.gz", ".jsonl.zst", ".ndjson", ".ndjson.gz", ".ndjson.zst", ".json",
  ]

  /// A directory means the files of records in it, also one that matches a pattern.
  static func resolve(_ arguments: [String]) throws(FileError) -> [String] {
    var paths: [String] = []
    for argument in arguments {
      let matches = try TraceArguments.matches(of: argument)
      for name in matches ?? [argument] {
        let found =
          isDirectory(name) ? TraceArguments.files(in: name, extensions) : try TraceArguments.resolve([name])
        guard !found.isEmpty else {
          let advice = TraceArguments.files(in: name).isEmpty ? "" : ". \(FleetReader.adviceForTraces)"
          throw FileError(
            path: name, message: "the directory has no files of records (.jsonl, .jsonl.zst, …)\(advice)")
        }
        paths += found
      }
    }
    return paths
  }
}
