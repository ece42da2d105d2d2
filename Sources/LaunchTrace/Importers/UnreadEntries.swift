// SPDX-License-Identifier: Apache-2.0

/// What a profile lists, such as its strings. An entry is read when it is used first: a file can list a string in two bytes, and
/// use none.
///
/// An entry takes four bytes: its place in the file until then, and what it has become after that. A profile has at most 256 MiB,
/// so both leave the upper bit free.
struct UnreadEntries {
  private var entries: [UInt32] = []
  private static let isRead: UInt32 = 1 << 31

  /// - Parameter most: how many there may be. Room that is not used costs address space only.
  init(most: Int = 0) { entries.reserveCapacity(most) }

  var count: Int { entries.count }

  mutating func append(place: Int) { entries.append(UInt32(truncatingIfNeeded: place)) }

  enum Entry {
    /// Its place in the file.
    case unread(Int)
    /// What it has become.
    case read(UInt32)
  }

  /// Nil for a row that there is not.
  subscript(row: UInt64) -> Entry? {
    guard row < UInt64(entries.count) else { return nil }
    let entry = entries[Int(row)]
    return entry & Self.isRead == 0 ? .unread(Int(entry)) : .read(entry & ~Self.isRead)
  }

  /// Says what a row has become.
  mutating func set(_ row: UInt64, _ value: UInt32) { entries[Int(row)] = value | Self.isRead }
}
