// SPDX-License-Identifier: Apache-2.0

/// The strings of a profile. One becomes a string of the trace when it is used first: a file can list a string in two bytes, and
/// use none.
struct PprofStrings {
  private let profile: UnsafeRawBufferPointer
  /// By row: the place of its field in the profile, or its id in the trace. A profile has at most 256 MiB, so both leave the
  /// upper bit free.
  private var entries: [UInt32] = []
  private static let isUsed: UInt32 = 1 << 31
  /// The number of the field.
  private static let field = 6

  init(_ profile: UnsafeRawBufferPointer) {
    self.profile = profile
    var fields = ProtobufFields(profile)
    var place = 0
    while fields.next() {
      if fields.number == Self.field, fields.wire == 2 { entries.append(UInt32(truncatingIfNeeded: place)) }
      place = profile.count - fields.rest
    }
  }

  /// Empty for a row that there is not.
  mutating func string(_ row: UInt64, _ table: inout StringTable) -> StringID {
    guard row < UInt64(entries.count) else { return .empty }
    let entry = entries[Int(row)]
    if entry & Self.isUsed != 0 { return StringID(rawValue: entry & ~Self.isUsed) }
    var fields = ProtobufFields(profile.from(Int(entry)))
    guard fields.next() else { return .empty }
    let id = table.intern(utf8: fields.bytes)
    entries[Int(row)] = id.rawValue | Self.isUsed
    return id
  }
}
