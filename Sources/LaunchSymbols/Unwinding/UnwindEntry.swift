// SPDX-License-Identifier: Apache-2.0

/// The entry of an unwind table for one function: DWARF's FDE and its CIE, in the form of `.eh_frame` (Linux Standard
/// Base, 10.6.1).
struct UnwindEntry {
  /// What entries have in common.
  struct Common {
    var codeAlignment: UInt64 = 1
    var dataAlignment: Int64 = 1
    var returnRegister = 0
    var isOfSignal = false
    var hasAugmentation = false
    /// How code addresses are written.
    var encoding: UInt8 = 0
    var instructions: ByteRange
    /// Reads an address among instructions, which is never relative to its place.
    var readAddress: ((inout ByteCursor) -> UInt64)?
  }

  var common: Common
  /// Virtual addresses of the function.
  var start: UInt64
  var end: UInt64
  var instructions: ByteRange

  /// Larger ones are not plausible.
  private static let mostBytes: UInt64 = 1 << 20

  /// Reads the entry at an offset of a section; nil if there is no entry.
  init?(_ section: UnwindSection, at offset: UInt64) {
    guard let (body, place) = Self.body(section, at: offset), let link = body.read(UInt32.self, at: 0), link != 0,
      link <= place, let common = Self.common(section, at: place - UInt64(link))
    else { return nil }
    self.common = common
    var cursor = ByteCursor(body, at: 4)
    guard let start = section.readAddress(common.encoding, &cursor, at: place) else { return nil }
    // How many bytes: as wide as an address, and relative to nothing.
    guard let count = section.readAddress(common.encoding & 0x07, &cursor, at: place) else { return nil }
    self.start = start
    end = start.addingReportingOverflow(count).overflow ? .max : start + count
    if common.hasAugmentation { _ = cursor.range(cursor.unsigned()) }
    guard !cursor.isBroken, cursor.offset <= body.count else { return nil }
    instructions = cursor.range(body.count - cursor.offset)
  }

  /// What follows the length, and its offset in the section.
  private static func body(_ section: UnwindSection, at offset: UInt64) -> (ByteRange, UInt64)? {
    guard let count: UInt32 = section.bytes.read(at: offset), count >= 4, count <= mostBytes,
      let body = section.bytes[offset + 4, UInt64(count)]
    else { return nil }
    return (body, offset + 4)
  }

  private static func common(_ section: UnwindSection, at offset: UInt64) -> Common? {
    guard let (body, place) = body(section, at: offset), body.read(UInt32.self, at: 0) == 0 else { return nil }
    var cursor = ByteCursor(body, at: 4)
    let version = cursor.read(UInt8.self)
    guard version == 1 || version == 3 else { return nil }
    let augmentation = cursor.string()
    var common = Common(instructions: body)
    common.codeAlignment = cursor.unsigned()
    common.dataAlignment = cursor.signed()
    common.returnRegister = Int(clamping: version == 1 ? UInt64(cursor.read(UInt8.self)) : cursor.unsigned())
    if augmentation.hasPrefix("z") {
      let size = cursor.unsigned()
      let end = cursor.offset.addingReportingOverflow(size)
      guard !end.overflow, end.partialValue <= body.count else { return nil }
      guard read(augmentation.dropFirst(), &cursor, section, place, &common) else { return nil }
      common.hasAugmentation = true
      cursor = ByteCursor(body, at: end.partialValue)
    } else if !augmentation.isEmpty {
      return nil
    }
    guard !cursor.isBroken, cursor.offset <= body.count else { return nil }
    common.instructions = cursor.range(body.count - cursor.offset)
    let encoding = common.encoding
    common.readAddress = { section.readAddress(encoding & 0x0f, &$0, at: 0) ?? 0 }
    return common
  }

  private static func read(
    _ augmentation: Substring, _ cursor: inout ByteCursor, _ section: UnwindSection, _ place: UInt64,
    _ common: inout Common
  ) -> Bool {
    for letter in augmentation {
      switch letter {
      case "R": common.encoding = cursor.read()
      case "L": _ = cursor.read(UInt8.self)
      case "P":
        // Whose code it is does not matter here, only how long its address is.
        let encoding = cursor.read(UInt8.self)
        guard section.readAddress(encoding & 0x0f, &cursor, at: place) != nil else { return false }
      case "S": common.isOfSignal = true
      // Signed with the other key of arm64; tagged stack of arm64.
      case "B", "G": continue
      default: return false
      }
    }
    return true
  }
}
