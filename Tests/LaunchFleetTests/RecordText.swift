// SPDX-License-Identifier: Apache-2.0

@testable import LaunchFleet

/// A launch record as its program writes it.
struct RecordText {
  var fields: [(String, String)] = [("record", "1")]

  init(id: Int, version: String = "2.0", total: Int? = 400_000_000, phases: [(String, Int)] = []) {
    let digits = String(id, radix: 16)
    set("id", "\"" + String(repeating: "0", count: 32 - digits.count) + digits + "\"")
    set("time", "\"2026-11-22T10:00:00.123Z\"")
    set("program", "\"notes\"")
    set("version", "\"\(version)\"")
    if total != nil { set("end", "\"ready\"") }
    set("outcome", total == nil ? "\"failed\"" : "\"completed\"")
    for (name, time) in phases { set("phase." + name, "\(time)") }
    if let total { set("total", "\(total)") }
  }

  mutating func set(_ key: String, _ json: String) {
    fields.removeAll { $0.0 == key }
    fields.append((key, json))
  }

  func with(_ key: String, _ json: String) -> RecordText {
    var copy = self
    copy.set(key, json)
    return copy
  }

  var line: String { "{" + fields.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}" }
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
