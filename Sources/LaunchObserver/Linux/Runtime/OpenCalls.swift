// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver

/// Calls of watched functions that have not returned. On the stack, each has another return address than its own: that of a
/// breakpoint, so that the return stops the thread.
struct OpenCalls {
  struct Call: Equatable {
    var function: UInt64
    /// The place of the return address on the stack, and its value.
    var slot: UInt64
    var returnAddress: UInt64
  }

  private var calls: [Int32: [Call]] = [:]

  private static let mostCallers = 24

  /// Those of a thread.
  subscript(thread: Int32) -> [Call] { calls[thread] ?? [] }

  mutating func forget(_ thread: Int32) { calls[thread] = nil }

  /// Handles a thread that has stopped at the function's first instruction, `push %rbp`, and carries this out for it.
  ///
  /// - Parameter landing: where the call is to return to.
  /// - Returns: the callers, innermost first.
  mutating func enter(_ function: UInt64, _ thread: Int32, _ call: lo_call, landing: UInt64) -> [UInt64] {
    var (returnAddress, frame, target) = (UInt64(0), call.frame_pointer, landing)
    _ = lo_read_memory(thread, call.stack_pointer, &returnAddress, 8)
    let callers = callers(thread, returnAddress, frame, landing)
    if lo_write_memory(thread, call.stack_pointer, &target, 8) == 0 {
      calls[thread, default: []].append(
        Call(function: function, slot: call.stack_pointer, returnAddress: returnAddress))
    }
    _ = lo_write_memory(thread, call.stack_pointer &- 8, &frame, 8)
    _ = lo_trace_set_place(thread, call.program_counter, call.stack_pointer &- 8)
    return callers
  }

  /// The callers, by frame pointers. A return address of ours is replaced by the original one.
  private func callers(_ thread: Int32, _ first: UInt64, _ frame: UInt64, _ landing: UInt64) -> [UInt64] {
    var callers = [first]
    var frame = frame
    while callers.count < Self.mostCallers {
      var words: [UInt64] = [0, 0]
      guard frame & 7 == 0, lo_read_memory(thread, frame, &words, 16) == 0 else { break }
      let own = words[1] == landing ? self[thread].first { $0.slot == frame + 8 }?.returnAddress : nil
      callers.append(own ?? words[1])
      // A caller without a frame of its own is the last one that is known.
      guard words[0] > frame else { break }
      frame = words[0]
    }
    return callers
  }

  /// Handles a thread that has returned from a call, and lets it continue behind that.
  ///
  /// - Returns: the call's function; nil if the thread has made no such call, and stays stopped.
  mutating func leave(_ thread: Int32, _ call: lo_call) -> UInt64? {
    // It has already popped the return address from the stack.
    guard let place = calls[thread]?.lastIndex(where: { $0.slot == call.stack_pointer &- 8 }) else { return nil }
    let own = self[thread][place]
    calls[thread]?.removeSubrange(place...)
    _ = lo_trace_set_place(thread, own.returnAddress, call.stack_pointer)
    return own.function
  }

  /// Gives the calls their own return addresses again.
  static func restore(_ calls: [Call], in process: Int32) {
    for call in calls {
      var address = call.returnAddress
      _ = lo_write_memory(process, call.slot, &address, 8)
    }
  }
}
