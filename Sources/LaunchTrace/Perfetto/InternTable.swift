// SPDX-License-Identifier: Apache-2.0

/// What a sequence has interned, by id: an array for the small ids that writers give, a dictionary for any other.
struct InternTable {
  private var dense: [UInt32] = []
  private var sparse: [UInt64: UInt32] = [:]

  static let absent = UInt32.max

  @inline(__always)
  subscript(id: UInt64) -> UInt32 {
    if id < UInt64(dense.count) { return dense[Int(truncatingIfNeeded: id)] }
    return sparse.isEmpty ? Self.absent : sparse[id] ?? Self.absent
  }

  /// The first value of an id stands, as for trace_processor.
  mutating func insert(_ value: UInt32, id: UInt64) {
    if self[id] != Self.absent { return }
    if id < UInt64(dense.count) {
      dense[Int(truncatingIfNeeded: id)] = value
    } else if id < UInt64(dense.count * 2 + 1024) {
      while UInt64(dense.count) < id { dense.append(Self.absent) }
      dense.append(value)
    } else {
      sparse[id] = value
    }
  }

  mutating func removeAll() {
    dense.removeAll()
    sparse.removeAll()
  }
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
