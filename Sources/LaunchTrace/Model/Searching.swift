// SPDX-License-Identifier: Apache-2.0

extension RandomAccessCollection where Index == Int {
  /// The first index whose element satisfies `predicate`, where the elements that do come last; the end if none does.
  @inlinable
  package func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension Dictionary {
  /// The value of a key. It is made on the first request, and is kept also if it is nil.
  @inlinable
  package mutating func value(of key: Key, making make: () -> Value) -> Value {
    if let known = self[key] { return known }
    let value = make()
    self[key] = value
    return value
  }
}

extension [Int64] {
  /// The first place whose time is `time` or later, in times that ascend.
  @inlinable
  package func firstPlace(notBefore time: Int64) -> Int { partitioningIndex { $0 >= time } }

  /// The places of the times from `lower` on that are before `upper`, in times that ascend.
  @inlinable
  package func places(from lower: Int64, to upper: Int64) -> Range<Int> {
    let first = firstPlace(notBefore: lower)
    return first..<Swift.max(first, firstPlace(notBefore: upper))
  }

  /// The same with those at `upper`.
  @inlinable
  package func places(from lower: Int64, through upper: Int64) -> Range<Int> {
    let first = firstPlace(notBefore: lower)
    return first..<Swift.max(first, partitioningIndex { $0 > upper })
  }
}
