// SPDX-License-Identifier: Apache-2.0

/// Distinct values, numbered in the order in which they came.
struct NumberedRows<Value: Hashable> {
  private(set) var values: [Value] = []
  private var rows: [Value: Int64] = [:]

  mutating func row(of value: Value) -> Int64 {
    if let row = rows[value] { return row }
    rows[value] = Int64(values.count)
    values.append(value)
    return Int64(values.count - 1)
  }
}
