// SPDX-License-Identifier: Apache-2.0

@testable import LaunchFleet

/// A launch record as its program writes it.
struct RecordText {
  var fields: [(String, String)] = [("record", "1")]

  init(id: Int, version: String = "2.0", total: Int? = 400_000_000, phases: [(String, Int)] = []) {
    let digits = String(id, radix: 16)
    add("id", "\"" + String(repeating: "0", count: 32 - digits.count) + digits + "\"")
    add("time", "\"2026-11-22T10:00:00.123Z\"")
    add("program", "\"notes\"")
    add("version", "\"\(version)\"")
    if total != nil { add("end", "\"ready\"") }
    add("outcome", total == nil ? "\"failed\"" : "\"completed\"")
    for (name, time) in phases { add("phase." + name, "\(time)") }
    if let total { add("total", "\(total)") }
  }

  /// For a key that the record does not have: it looks for none.
  mutating func add(_ key: String, _ json: String) { fields.append((key, json)) }

  mutating func set(_ key: String, _ json: String) {
    if let place = fields.firstIndex(where: { $0.0 == key }) { fields.remove(at: place) }
    add(key, json)
  }

  func with(_ key: String, _ json: String) -> RecordText {
    var copy = self
    copy.set(key, json)
    return copy
  }

  var line: String {
    var line = "{"
    for (key, json) in fields { line += (line.utf8.count > 1 ? ",\"" : "\"") + key + "\":" + json }
    return line + "}"
  }
}

extension FleetReader {
  /// The table of these lines.
  static func table(_ lines: [String], _ question: FleetQuestion = FleetQuestion()) -> FleetTable {
    var reader = FleetReader(question)
    for line in lines { Array(line.utf8).withUnsafeBytes { reader.read(line: $0) } }
    return reader.table
  }
}

extension FleetQuestion {
  init(labels: Labels) {
    self.init()
    self.labels = labels
  }
}
