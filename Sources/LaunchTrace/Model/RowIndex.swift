// SPDX-License-Identifier: Apache-2.0

/// Finds the row of something in a table by its hash: an open hash table of row numbers. The table itself has the keys.
///
/// A `Dictionary` would take the greater part of a report's time and memory.
package struct RowIndex: Sendable {
  /// Row + 1 in the lower half, the hash in the upper half; 0 if free. Entries are in the order of their hashes, as far as
  /// they do not collide.
  @usableFromInline var slots = [UInt64](repeating: 0, count: 64)
  @usableFromInline var count = 0

  /// The size from which on it grows by a quarter, in slots.
  @usableFromInline static let large = 1 << 20

  package init() {}

  /// The row with this hash for which `isSame` is true; nil if there is none.
  @inlinable @inline(__always)
  package func row(hash: UInt32, isSame: (Int) -> Bool) -> Int? {
    var slot = place(of: hash)
    while slots[slot] != 0 {
      let row = Int(slots[slot] & 0xffff_ffff) &- 1
      if slots[slot] >> 32 == UInt64(hash), isSame(row) { return row }
      slot = place(after: slot)
    }
    return nil
  }

  /// Adds a row that is not in the index.
  @inlinable @inline(__always)
  package mutating func add(_ row: Int, hash: UInt32) {
    put(UInt64(hash) << 32 | UInt64(UInt32(truncatingIfNeeded: row &+ 1)))
    count += 1
    if count * 4 > slots.count * 3 { grow() }
  }

  /// Puts an entry into the first free place.
  @inlinable @inline(__always)
  mutating func put(_ entry: UInt64) {
    var slot = place(of: UInt32(truncatingIfNeeded: entry >> 32))
    while slots[slot] != 0 { slot = place(after: slot) }
    slots[slot] = entry
  }

  @inlinable @inline(__always)
  func place(of hash: UInt32) -> Int { Int((UInt64(hash) &* UInt64(truncatingIfNeeded: slots.count)) >> 32) }

  @inlinable @inline(__always)
  func place(after slot: Int) -> Int { slot + 1 == slots.count ? 0 : slot + 1 }

  @usableFromInline
  mutating func grow() {
    let old = slots
    // Of a large index, half would be free after it doubled.
    let count = old.count < Self.large ? old.count * 2 : old.count / 4 * 5
    slots = [UInt64](repeating: 0, count: count)
    for entry in old where entry != 0 { put(entry) }
  }
}

/// Hashes for a `RowIndex`. The seed differs in each process, so that a file cannot be crafted to collide.
package enum RowHash {
  @usableFromInline static let seed = UInt64.random(in: .min ... .max)

  @inlinable @inline(__always)
  package static func of(_ word: UInt64) -> UInt32 { UInt32(mix(word ^ seed) >> 32) }

  @inlinable @inline(__always)
  package static func of(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) -> UInt32 {
    UInt32(mix(mix(mix(mix(first ^ seed) ^ second) ^ third) ^ fourth) >> 32)
  }

  /// The hash of bytes, eight at a time.
  package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var state = seed ^ UInt64(truncatingIfNeeded: bytes.count)
    var offset = 0
    while offset + 8 <= bytes.count {
      state = mix(state ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    return UInt32(mix(state ^ rest) >> 32)
  }

  /// Multiplies, and folds both halves of the product.
  @inlinable @inline(__always)
  static func mix(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
    return product.high ^ product.low
  }
}
