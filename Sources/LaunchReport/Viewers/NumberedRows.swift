// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Distinct values, numbered in the order in which they came.
struct NumberedRows<Value: Hashable> {
  private(set) var values: [Value] = []
  private var index = RowIndex()

  mutating func row(of value: Value) -> Int32 {
    let hash = UInt32(truncatingIfNeeded: value.hashValue)
    if let row = index.row(hash: hash, isSame: { values[$0] == value }) { return Int32(truncatingIfNeeded: row) }
    index.add(values.count, hash: hash)
    values.append(value)
    return Int32(truncatingIfNeeded: values.count - 1)
  }
}
