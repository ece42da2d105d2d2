// SPDX-License-Identifier: Apache-2.0

/// The section `.eh_frame`, and its address.
struct UnwindSection {
  var bytes: ByteRange
  /// Virtual.
  var address: UInt64

  /// Reads an address; nil for an encoding (DW_EH_PE_…) that no compiler uses here.
  ///
  /// - Parameter place: the offset in the section of what the cursor reads.
  func readAddress(_ encoding: UInt8, _ cursor: inout ByteCursor, at place: UInt64) -> UInt64? {
    let here = address &+ place &+ cursor.offset
    let value: UInt64
    switch encoding & 0x0f {
    case 0x00, 0x04, 0x0c: value = cursor.read(UInt64.self)
    case 0x01: value = cursor.unsigned()
    case 0x02: value = UInt64(cursor.read(UInt16.self))
    case 0x03: value = UInt64(cursor.read(UInt32.self))
    case 0x09: value = UInt64(bitPattern: cursor.signed())
    case 0x0a: value = UInt64(bitPattern: Int64(cursor.read(Int16.self)))
    case 0x0b: value = UInt64(bitPattern: Int64(cursor.read(Int32.self)))
    default: return nil
    }
    switch encoding & 0xf0 {
    case 0x00: return value
    // pcrel
    case 0x10: return here &+ value
    default: return nil
    }
  }
}
