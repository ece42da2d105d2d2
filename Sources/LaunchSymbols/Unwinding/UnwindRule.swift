// SPDX-License-Identifier: Apache-2.0

/// How to find the caller of a function from one of its instructions: a row of the table that DWARF describes (version 5, 6.4.1).
/// Registers have DWARF's numbers.
package struct UnwindRule: Sendable {
  /// Where the frame begins: the stack pointer of the caller, where the function was called.
  enum Frame: Sendable {
    case unknown
    case register(Int, offset: Int64)
    case expression(UnwindExpression)
  }

  /// What a register held in the caller.
  enum Saved: Sendable {
    /// The same as here.
    case same
    /// Not known. For the return address: there is no caller.
    case undefined
    /// The value in memory at this distance from the frame, in bytes.
    case inFrame(Int64)
    /// The frame's address plus this number of bytes.
    case frame(Int64)
    case register(Int)
    /// The value in memory at the address that an expression gives.
    case inMemory(UnwindExpression)
    case expression(UnwindExpression)
  }

  var frame = Frame.unknown
  /// For each register, as far as one is named.
  var saved: [Saved] = []
  var returnRegister = 0
  /// The kernel made this frame: it interrupted the caller, which did not call.
  package var isOfSignal = false
  /// The return address is signed (arm64).
  var isReturnSigned = false

  /// Registers of this and higher numbers are none of those that lead to a caller.
  static let registerCount = 34

  package enum Step: Sendable {
    /// The registers are those of the caller.
    case caller
    /// There is no caller: a thread or a program begins here.
    case outermost
    /// The copy of the stack is too short, or the table is wrong.
    case unknown
  }

  /// Replaces the registers by those of the caller.
  package func step(_ registers: inout UnwindRegisters, _ stack: StackCopy) -> Step {
    guard let frame = frameAddress(registers, stack) else { return .unknown }
    if saved.indices.contains(returnRegister), case .undefined = saved[returnRegister] { return .outermost }
    var caller = registers
    let pointer = registers[UnwindRegisters.stackPointer]
    caller[UnwindRegisters.stackPointer] = frame
    for register in saved.indices {
      switch saved[register] {
      case .same: continue
      case .undefined: caller[register] = nil
      case .inFrame(let offset):
        let place = frame &+ UInt64(bitPattern: offset)
        // At a function's end, compilers do not say that a register has its value back, off the stack.
        if let pointer, place < pointer, pointer - place <= 4096 { continue }
        caller[register] = stack.word(at: place)
      case .frame(let offset): caller[register] = frame &+ UInt64(bitPattern: offset)
      case .register(let other): caller[register] = registers[other]
      case .inMemory(let expression):
        caller[register] = expression.value(registers, stack, frame).flatMap(stack.word)
      case .expression(let expression): caller[register] = expression.value(registers, stack, frame)
      }
    }
    guard var address = caller[returnRegister] else { return .unknown }
    // Addresses of programs have 48 bits; the signature is in the bits above.
    if isReturnSigned { address &= 1 << 48 - 1 }
    caller.programCounter = address
    registers = caller
    return address == 0 ? .outermost : .caller
  }

  private func frameAddress(_ registers: UnwindRegisters, _ stack: StackCopy) -> UInt64? {
    switch frame {
    case .unknown: nil
    case .register(let register, let offset): registers[register].map { $0 &+ UInt64(bitPattern: offset) }
    case .expression(let expression): expression.value(registers, stack, nil)
    }
  }
}
