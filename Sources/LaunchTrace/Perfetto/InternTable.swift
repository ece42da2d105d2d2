// SPDX-License-Identifier: Apache-2.0

/// What a sequence has interned, by id: an array for ids close to each other, as writers give them, a dictionary for
/// others.
struct InternTable {
  private var dense: [UInt32] = []
  private var sparse: [UInt64: UInt32] = [:]
  private var count = 0

  static let absent = UInt32.max

  @inline(__always)
  subscript(id: UInt64) -> UInt32 {
    if id < UInt64(dense.count) {
      let value = dense[Int(truncatingIfNeeded: id)]
      if value != Self.absent { return value }
    }
    return sparse.isEmpty ? Self.absent : sparse[id] ?? Self.absent
  }

  /// The string of an id; nil if there is none.
  @inline(__always)
  func string(_ id: UInt64) -> StringID? {
    let value = self[id]
    return value == Self.absent ? nil : StringID(rawValue: value)
  }

  /// The first value of an id stands, as for trace_processor.
  mutating func insert(_ value: UInt32, id: UInt64) {
    if self[id] != Self.absent { return }
    count += 1
    if id < UInt64(dense.count) {
      dense[Int(truncatingIfNeeded: id)] = value
    } else if id < UInt64(count * 8 + 64) {
      // The array has at most eight places for each value, whatever ids a file gives.
      while UInt64(dense.count) < id { dense.append(Self.absent) }
      dense.append(value)
    } else {
      sparse[id] = value
    }
  }

  mutating func insert(_ entry: (id: UInt64, string: StringID)) { insert(entry.string.rawValue, id: entry.id) }
}

/// What a sequence has interned that is more than a number, by id.
struct InternList<Value> {
  private var places = InternTable()
  private var values: [Value] = []

  subscript(id: UInt64) -> Value? {
    let place = places[id]
    return place == InternTable.absent ? nil : values[Int(place)]
  }

  /// The first value of an id stands: false for another one.
  @discardableResult
  mutating func insert(_ value: Value, id: UInt64) -> Bool {
    guard places[id] == InternTable.absent else { return false }
    places.insert(UInt32(truncatingIfNeeded: values.count), id: id)
    values.append(value)
    return true
  }

  mutating func update(id: UInt64, _ change: (inout Value) -> Void) {
    let place = places[id]
    if place != InternTable.absent { change(&values[Int(place)]) }
  }
}
