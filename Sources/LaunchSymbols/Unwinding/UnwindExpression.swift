// SPDX-License-Identifier: Apache-2.0

/// A DWARF expression (version 5, 2.5) that gives an address. Mostly linker stubs and signal frames have them.
struct UnwindExpression: Sendable {
  let code: [UInt8]

  /// Compilers do not write longer ones.
  static let longest: UInt64 = 1024
  private static let deepest = 64

  /// - Parameter frame: the first value on the expression's stack; nil for an empty stack.
  /// - Returns: the value; nil if the expression has an unknown operation, or needs memory that was not copied.
  func value(_ registers: UnwindRegisters, _ memory: StackCopy, _ frame: UInt64?) -> UInt64? {
    code.withUnsafeBytes { bytes in
      var cursor = ByteCursor(ByteRange(bytes))
      var stack = frame.map { [$0] } ?? []
      while !cursor.isAtEnd {
        guard step(cursor.read(), &cursor, &stack, registers, memory), stack.count <= Self.deepest else { return nil }
      }
      return cursor.isBroken ? nil : stack.last
    }
  }

  private func step(
    _ operation: UInt8, _ cursor: inout ByteCursor, _ stack: inout [UInt64], _ registers: UnwindRegisters,
    _ memory: StackCopy
  ) -> Bool {
    switch operation {
    case 0x06:  // deref
      guard let value = stack.popLast().flatMap(memory.word) else { return false }
      stack.append(value)
    case 0x12:  // dup
      guard let top = stack.last else { return false }
      stack.append(top)
    case 0x13: return stack.popLast() != nil  // drop
    case 0x1f, 0x20:  // neg, not
      guard let top = stack.popLast() else { return false }
      stack.append(operation == 0x1f ? 0 &- top : ~top)
    case 0x23:  // plus_uconst
      guard let top = stack.popLast() else { return false }
      stack.append(top &+ cursor.unsigned())
    case 0x1a, 0x1c, 0x1e, 0x21, 0x22, 0x24...0x27, 0x29...0x2e:
      guard let right = stack.popLast(), let left = stack.popLast() else { return false }
      stack.append(Self.combine(operation, left, right))
    case 0x70...0x8f, 0x92:  // breg0 to breg31, bregx
      let register = operation == 0x92 ? cursor.unsigned() : UInt64(operation - 0x70)
      guard let value = Self.value(of: Int(clamping: register), registers) else { return false }
      stack.append(value &+ UInt64(bitPattern: cursor.signed()))
    case 0x96: break  // nop
    default:
      guard let value = Self.constant(operation, &cursor) else { return false }
      stack.append(value)
    }
    return true
  }

  private static func constant(_ operation: UInt8, _ cursor: inout ByteCursor) -> UInt64? {
    switch operation {
    case 0x03, 0x0e, 0x0f: cursor.read(UInt64.self)
    case 0x08: UInt64(cursor.read(UInt8.self))
    case 0x09: UInt64(bitPattern: Int64(cursor.read(Int8.self)))
    case 0x0a: UInt64(cursor.read(UInt16.self))
    case 0x0b: UInt64(bitPattern: Int64(cursor.read(Int16.self)))
    case 0x0c: UInt64(cursor.read(UInt32.self))
    case 0x0d: UInt64(bitPattern: Int64(cursor.read(Int32.self)))
    case 0x10: cursor.unsigned()
    case 0x11: UInt64(bitPattern: cursor.signed())
    case 0x30...0x4f: UInt64(operation - 0x30)
    default: nil
    }
  }

  private static func combine(_ operation: UInt8, _ left: UInt64, _ right: UInt64) -> UInt64 {
    let (signedLeft, signedRight) = (Int64(bitPattern: left), Int64(bitPattern: right))
    return switch operation {
    case 0x1a: left & right
    case 0x1c: left &- right
    case 0x1e: left &* right
    case 0x21: left | right
    case 0x22: left &+ right
    case 0x24: right < 64 ? left << right : 0
    case 0x25: right < 64 ? left >> right : 0
    case 0x26: UInt64(bitPattern: signedLeft >> Int64(min(right, 63)))
    case 0x27: left ^ right
    case 0x29: left == right ? 1 : 0
    case 0x2a: signedLeft >= signedRight ? 1 : 0
    case 0x2b: signedLeft > signedRight ? 1 : 0
    case 0x2c: signedLeft <= signedRight ? 1 : 0
    case 0x2d: signedLeft < signedRight ? 1 : 0
    default: left != right ? 1 : 0
    }
  }

  /// On x86-64 the linker's stubs ask for the program counter by its number, too.
  private static func value(of register: Int, _ registers: UnwindRegisters) -> UInt64? {
    #if arch(x86_64)
    if register == 16 { return registers.programCounter }
    #endif
    return registers[register]
  }
}
