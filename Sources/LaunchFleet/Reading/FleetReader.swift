// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem
internal import LaunchTrace

/// Reads launch records: JSON Lines, plain or compressed, and MetricKit's payloads.
///
/// Lines that are not records are counted and skipped, so that one broken upload does not hide a million launches.
package struct FleetReader {
  private var builder: FleetTableBuilder
  private var keys = InternedTexts(most: Self.mostKeys)
  /// nil for a key that no record had until now.
  private var targets: [FleetTableBuilder.Target?] = []
  /// For each place of a field in a record, the key that was there last. Records of one program have one order.
  private var expected: [Int] = []

  private static let mostKeys = 4096
  private static let longestLine = 1 << 20
  private static let longestPayload = 1 << 24

  package init(_ question: FleetQuestion) {
    builder = FleetTableBuilder(question)
    // These keys have a place, however many others come before them.
    let known = FleetTableBuilder.fields.keys.sorted() + ClickHouseQuery.columns.sorted() + question.keys
    for key in known { _ = Array(key.utf8).withUnsafeBytes { keys.number($0) } }
    targets = Array(repeating: nil, count: keys.texts.count)
  }

  package var table: FleetTable { builder.table.withOneLoading(for: builder.question) }

  /// - Throws: `FleetError` when a file cannot be opened or read.
  package static func read(_ paths: [String], _ question: FleetQuestion) throws(FleetError) -> FleetTable {
    var reader = FleetReader(question)
    for path in paths { try reader.read(path) }
    let census = reader.builder.census
    let reasons = census.sentences.isEmpty ? "" : ": " + census.sentences.joined(separator: "; ")
    guard census.lines > 0 else {
      let message = "no file has a record" + (reasons.isEmpty ? "; did the program launch?" : reasons)
      throw FleetError(.noRecords, path: paths.first ?? "", message: message)
    }
    // A question that leaves out all records is answered, and files without any are a mistake.
    guard census.launches + census.filtered > 0 else {
      if let trace = paths.first(where: { isRegular($0) && TraceReader.isRecording(path: $0) }) {
        throw FleetError(.noRecords, path: trace, message: "is a trace. \(adviceForTraces)")
      }
      throw FleetError(.noRecords, path: paths.first ?? "", message: "no record counts" + reasons)
    }
    return reader.table
  }

  /// For people who name traces instead of launch records.
  package static let adviceForTraces = "Make launch records of traces: launchprof extract TRACE… -o launches.jsonl.zst"

  package mutating func read(_ path: String) throws(FleetError) {
    do throws(TraceError) { try readLines(path) } catch {
      // A program that was stopped before its first record leaves an empty file. So does damage before the first record.
      if error.code == .empty {
        builder.census.files += 1
        if !CompressedFile.isReallyEmpty(path: path) {
          builder.census.damagedFiles += 1
          notePlace(path, line: nil)
        }
        return
      }
      throw FleetError(.cannotRead, path: path, message: error.message)
    }
  }

  private mutating func readLines(_ path: String) throws(TraceError) {
    var lines = try FileLines(path: path, longest: Self.longestLine)
    builder.census.files += 1
    var (isFirst, number) = (true, 0)
    while let line = try lines.next() {
      number += 1
      defer { notePlace(path, line: number) }
      if line.isTooLong {
        builder.census.lines += 1
        builder.census.garbage += 1
        continue
      }
      if line.bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
      defer { isFirst = false }
      if take(line.bytes) { continue }
      // Payloads are often written on many lines: then the whole file is one.
      if isFirst, line.bytes.elementsEqual("{".utf8), let rest = try lines.rest(limit: Self.longestPayload),
        takeWhole(rest)
      {
        lines.skipRest()
        continue
      }
      if line.hasEnd { builder.census.garbage += 1 } else { builder.census.torn += 1 }
    }
    if lines.isDamaged { builder.census.damagedFiles += 1 }
    notePlace(path, line: nil)
  }

  /// False for a file that is neither a payload nor a report of launchprof.
  private mutating func takeWhole(_ file: UnsafeRawBufferPointer) -> Bool {
    if let payload = MetricKitPayload(file) {
      payload.add(to: &builder)
      return true
    }
    // `rest` begins with the line that was read.
    let isReport = file.drop { $0 <= 0x20 || $0 == UInt8(ascii: "{") }.starts(with: "\"schemaVersion\"".utf8)
    if isReport { builder.census.reports += 1 }
    return isReport
  }

  /// Keeps where something was that is not a record, if it is the first.
  private mutating func notePlace(_ path: String, line: Int?) {
    guard builder.census.firstUnread == nil, builder.census.unread > 0 else { return }
    builder.census.firstUnread = path + (line.map { ", line \($0)" } ?? "")
  }

  /// A record in memory.
  package mutating func read(line: UnsafeRawBufferPointer) {
    if !take(line) { builder.census.garbage += 1 }
  }

  /// False for a line that is neither a record nor a payload.
  private mutating func take(_ line: UnsafeRawBufferPointer) -> Bool {
    builder.census.lines += 1
    switch scan(line) {
    case .record: builder.commit()
    case .payload:
      guard let payload = MetricKitPayload(line) else { return false }
      payload.add(to: &builder)
    case .broken:
      builder.clear()
      return false
    }
    return true
  }

  private enum Content { case record, payload, broken }

  private mutating func scan(_ line: UnsafeRawBufferPointer) -> Content {
    guard var scanner = FlatObjectScanner(line) else { return .broken }
    var place = 0
    while true {
      switch scanner.next() {
      case .member:
        if case .nested = scanner.value, scanner.key.elementsEqual(MetricKitPayload.key.description.utf8) {
          builder.clear()
          return .payload
        }
        builder.set(target(scanner, place), scanner.value)
        place += 1
      case .end: return .record
      case .broken: return .broken
      }
    }
  }

  @inline(__always)
  private mutating func target(_ scanner: FlatObjectScanner, _ place: Int) -> FleetTableBuilder.Target {
    guard place < expected.count, keys.isEqual(expected[place], scanner.key), let target = targets[expected[place]]
    else { return lookUp(scanner, place) }
    return target
  }

  private mutating func lookUp(_ scanner: FlatObjectScanner, _ place: Int) -> FleetTableBuilder.Target {
    guard let number = keys.number(scanner.key) else {
      builder.census.droppedFields += 1
      return .ignored
    }
    if number == targets.count { targets.append(nil) }
    let target =
      targets[number] ?? builder.target(ofKey: JSONEscapes.text(scanner.key, hasEscapes: scanner.keyHasEscapes))
    targets[number] = target
    if place < 256 {
      while expected.count <= place { expected.append(number) }
      expected[place] = number
    }
    return target
  }
}
