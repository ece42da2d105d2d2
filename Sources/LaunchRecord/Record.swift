// SPDX-License-Identifier: Apache-2.0

/// One launch as a flat row: docs/launch-record.md.
///
/// Both the program that records itself and the command that reads traces use it. It needs only the standard library.
package struct Record: Sendable, Equatable {
  package enum Value: Sendable, Equatable {
    case text(String)
    /// A whole number; a time is in ns.
    case number(Int64)
    case flag(Bool)
  }

  package struct Field: Sendable, Equatable {
    package let key: String
    package let value: Value

    package init(_ key: String, _ value: Value) { (self.key, self.value) = (key, value) }
  }

  /// The version of the format.
  package static var format: Int64 { 1 }

  /// The fields in the order in which they were added. Each key occurs once.
  package private(set) var fields: [Field]

  /// A record from the fields that a reader found.
  package init(fields: [Field]) { self.fields = fields }

  /// An empty record of a launch.
  package init(id: LaunchID, time: WallTime?) {
    fields = []
    add(.record, Record.format)
    add(.id, id.text)
    add(.time, time?.text)
  }

  package subscript(key: RecordKey) -> Value? { fields.first { $0.key == key.rawValue }?.value }

  package func text(_ key: RecordKey) -> String? { if case .text(let text)? = self[key] { text } else { nil } }
  package func number(_ key: RecordKey) -> Int64? { if case .number(let number)? = self[key] { number } else { nil } }
  package func flag(_ key: RecordKey) -> Bool? { if case .flag(let flag)? = self[key] { flag } else { nil } }

  // MARK: Making a record

  /// The most bytes of a text or a name. Longer ones are cut before a character.
  private static let longestText = 256
  private static let longestName = 64
  /// The most fields with one prefix. If there are more, the record keeps those with the largest numbers.
  private static let mostOfAPrefix = 48

  /// Adds a text. Omits one that is unknown or empty.
  package mutating func add(_ key: RecordKey, _ value: String?) { add(key.rawValue, value) }

  private mutating func add(_ key: String, _ value: String?) {
    guard let value, !value.isEmpty else { return }
    fields.append(Field(key, .text(value.cut(to: Self.longestText))))
  }

  package mutating func add(_ key: RecordKey, _ value: Int64?) {
    if let value { fields.append(Field(key.rawValue, .number(value))) }
  }

  package mutating func add(_ key: RecordKey, _ value: Bool?) {
    if let value { fields.append(Field(key.rawValue, .flag(value))) }
  }

  /// Adds a field for each name, in the order of the names.
  package mutating func add(_ prefix: RecordKey, _ numbers: some Sequence<(key: String, value: Int64)>) {
    var kept: [(key: String, value: Int64)] = []
    func keepLargest() {
      kept.sort { ($1.value, $0.key) < ($0.value, $1.key) }
      kept.removeLast(max(0, kept.count - Self.mostOfAPrefix))
    }
    for number in numbers {
      kept.append(number)
      // A crafted trace has half a million names.
      if kept.count == 20 * Self.mostOfAPrefix { keepLargest() }
    }
    keepLargest()
    for (name, number) in kept.sorted(by: { $0.key < $1.key }) {
      let key = prefix.rawValue + name.cut(to: Self.longestName)
      if !fields.contains(where: { $0.key == key }) { fields.append(Field(key, .number(number))) }
    }
  }

  /// Adds the program's own metadata that has an allowed key.
  package mutating func add(metadata: [String: String], allowed: [String]) {
    for key in Set(allowed).sorted().prefix(Self.mostOfAPrefix) {
      add(RecordKey.metadata.rawValue + key.cut(to: Self.longestName), metadata[key])
    }
  }

  /// Adds what ended the launch, and whether it ended in time.
  package mutating func addEnd(_ outcome: RecordOutcome, at milestone: String?, total: Int64, budget: Int64?) {
    add(.outcome, outcome.rawValue)
    guard outcome == .completed else { return }
    add(.end, milestone)
    add(.total, total)
    add(.budget, budget)
    add(.withinBudget, budget.map { total <= $0 })
  }

  package mutating func add(_ machine: RecordMachine) {
    add(.os, machine.os)
    add(.osVersion, machine.osVersion)
    add(.arch, machine.arch)
    add(.cpu, machine.cpu)
    add(.cores, machine.cores)
    add(.memoryMiB, machine.memory.map { $0 >> 20 })
    add(.machine, machine.className)
  }

  /// Adds how many launches this one represents. Omits 1.
  package mutating func weigh(_ launches: Int64) {
    if launches > 1 { add(.sample, launches) }
  }

  /// True if something in the launch took longer than its budget.
  package var isOverBudget: Bool {
    flag(.withinBudget) == false || fields.contains { $0.key.hasPrefix(RecordKey.overBudget.rawValue) }
  }
}

extension String {
  /// The first `bytes` bytes at most, cut before a character.
  fileprivate func cut(to bytes: Int) -> String {
    guard utf8.count > bytes else { return self }
    var (length, kept) = (0, "")
    for scalar in unicodeScalars {
      length += UTF8.width(scalar)
      if length > bytes { break }
      kept.unicodeScalars.append(scalar)
    }
    return kept
  }
}
