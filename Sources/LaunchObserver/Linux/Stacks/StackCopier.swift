// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSymbols
internal import LaunchSystem

/// Copies the registers of stopped threads, and the tops of their stacks.
struct StackCopier {
  typealias Copy = (registers: UnwindRegisters, stack: StackCopy)

  let stackBytes: Int
  /// Why no stacks could be copied, for people; empty if they could.
  private(set) var shortcoming = ""
  /// The call that the last copy found interrupted, if the kernel continues it under another name.
  private(set) var continued: CurrentCall?
  /// Bytes of stacks that may still be kept.
  private var room = 64 << 20

  init(stackBytes: Int) { self.stackBytes = stackBytes }

  /// - Parameter isInWait: the thread was in a system call when it was asked to stop.
  /// - Returns: nil if this call has ended meanwhile, or if the registers cannot be read.
  mutating func copy(_ thread: Int32, isInWait: Bool) -> Copy? {
    continued = nil
    var found = lo_registers()
    let error = lo_trace_get_registers(thread, &found)
    // It has been killed.
    if error == ESRCH { return nil }
    if error != 0 {
      shortcoming =
        error == ENOTSUP ? "a 32-bit program" : "the registers cannot be read: \(systemMessage(error))"
      return nil
    }
    continued = CurrentCall(continuedBy: found)
    if isInWait, lo_trace_left_call(&found) { return nil }
    if lo_trace_ended_call(&found), !Self.hasSignal(thread) { _ = lo_trace_call_again(thread) }
    var registers = UnwindRegisters(programCounter: found.program_counter)
    withUnsafeBytes(of: found.numbered) { bytes in
      for (number, value) in bytes.bindMemory(to: UInt64.self).prefix(Int(found.count)).enumerated() {
        registers[number] = value
      }
    }
    let address = registers[UnwindRegisters.stackPointer] ?? 0
    let bytes = [UInt8](unsafeUninitializedCapacity: min(stackBytes, room)) { buffer, count in
      count = lo_read_memory_part(thread, address, buffer.baseAddress, buffer.count)
    }
    room -= bytes.count
    return (registers, StackCopy(address: address, bytes: bytes[...]))
  }

  /// Whether a signal is about to arrive, which may have ended a call.
  private static func hasSignal(_ thread: Int32) -> Bool {
    let signals = PendingSignals(of: thread)
    return signals.thread | signals.process != 0
  }
}
