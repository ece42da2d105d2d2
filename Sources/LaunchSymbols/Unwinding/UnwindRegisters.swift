// SPDX-License-Identifier: Apache-2.0

/// A thread's registers, by DWARF's numbers for this machine.
package struct UnwindRegisters: Sendable {
  package var programCounter: UInt64
  private var values = [UInt64](repeating: 0, count: UnwindRule.registerCount)
  private var known: UInt64 = 0

  package init(programCounter: UInt64) { self.programCounter = programCounter }

  #if arch(arm64)
  package static let stackPointer = 31
  package static let framePointer = 29
  #else
  package static let stackPointer = 7
  package static let framePointer = 6
  #endif

  /// nil for one whose value is not known.
  package subscript(register: Int) -> UInt64? {
    get { values.indices.contains(register) && known & 1 << UInt64(register) != 0 ? values[register] : nil }
    set {
      guard values.indices.contains(register) else { return }
      known = newValue == nil ? known & ~(1 << UInt64(register)) : known | 1 << UInt64(register)
      values[register] = newValue ?? 0
    }
  }

  /// Replaces the registers by those of the caller, in a function that has set up its frame pointer. False if no frame is there.
  package mutating func stepByFramePointer(_ stack: StackCopy) -> Bool {
    guard let frame = self[Self.framePointer], let pointer = self[Self.stackPointer], frame >= pointer,
      let outer = stack.word(at: frame), let address = stack.word(at: frame &+ 8), address != 0
    else { return false }
    self[Self.framePointer] = outer
    self[Self.stackPointer] = frame &+ 16
    programCounter = Self.withoutSignature(address)
    return true
  }

  /// Whether the function has set up its frame pointer, but its frame lies beyond the copy of the stack.
  package func hasFrame(beyond stack: StackCopy) -> Bool {
    guard let frame = self[Self.framePointer], let pointer = self[Self.stackPointer] else { return false }
    return frame >= pointer && frame % 8 == 0 && stack.ends(before: frame &+ 16)
  }

  /// A return address without the signature that programs for arm64 may put into the bits above their 48 bits of address.
  static func withoutSignature(_ address: UInt64) -> UInt64 {
    #if arch(arm64)
    address & (1 << 48 - 1)
    #else
    address
    #endif
  }
}

/// The innermost part of a thread's stack at an instant.
package struct StackCopy: Sendable {
  /// The address of the first byte.
  private let address: UInt64
  private let bytes: ArraySlice<UInt8>

  package init(address: UInt64, bytes: ArraySlice<UInt8>) {
    self.address = address
    self.bytes = bytes
  }

  package var isEmpty: Bool { bytes.isEmpty }

  /// Whether what was copied ends before an address.
  func ends(before address: UInt64) -> Bool { address > self.address && address - self.address > UInt64(bytes.count) }

  /// The eight bytes at an address; nil where they were not copied.
  package func word(at address: UInt64) -> UInt64? {
    guard address >= self.address, bytes.count >= 8, address - self.address <= UInt64(bytes.count - 8) else {
      return nil
    }
    let offset = Int(address - self.address)
    return bytes.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) }
  }
}
