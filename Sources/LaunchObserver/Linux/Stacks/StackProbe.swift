// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSymbols
internal import LaunchSystem

/// Copies the stack of the first thread of an attached process from time to time, where perf events are not allowed (D312).
///
/// Each copy stops the thread for some 30 microseconds. While it runs, it is stopped at the sample rate. In a wait it is
/// stopped once, if the wait is one that a stop does not end.
struct StackProbe {
  /// A stop that the launcher has asked for. From `time` on, CLOCK_MONOTONIC ns, the thread executes nothing of its own.
  struct Request {
    var isInWait: Bool
    var time: Int64
  }

  /// A thread that runs stops sooner, ns.
  private static let patience: Int64 = 100_000

  private let processID: Int32
  private let period: Int64
  private let stackBytes: Int
  private(set) var nextTime: Int64
  private(set) var samples: [PerfEvents.Sample] = []
  private(set) var waits: [PerfEvents.Sample] = []
  private(set) var code: MappedCode
  private var asked: Request?
  /// Where the thread was at the last stop.
  private var address: UInt64?
  /// When the largest number of stacks was reached, CLOCK_MONOTONIC ns; nil if it was not.
  private(set) var endTime: Int64?
  /// Why no stacks could be copied, for people; empty if they could.
  private(set) var shortcoming = ""
  /// Bytes of stacks that may still be kept.
  private var room = 64 << 20
  /// A server may run for days.
  private static let most = 60_000

  init(processID: Int32, start: Int64, period: Int64, stackBytes: Int) {
    self.processID = processID
    self.stackBytes = stackBytes > 0 ? stackBytes : ObservationOptions.standardStackBytes
    self.period = period
    nextTime = start + period
    code = MappedCode(processID: processID, start: start)
  }

  /// The process has executed another program.
  mutating func begin(at time: Int64) { code.begin(at: time) }

  /// Whether the thread has stopped as it was asked to. Otherwise the stop comes later.
  var hasStopped: Bool { asked != nil && lo_trace_stops_soon(processID, Self.patience) }

  /// Call it at `nextTime`.
  mutating func look(at now: Int64, isRunning: Bool) {
    // Not from now on: each look is a little late, and there would be fewer samples than the rate says.
    nextTime = endTime == nil ? max(nextTime + period, now + period / 2) : .max
    if isRunning { ask(isInWait: false) }
  }

  /// The first thread has begun a wait that a stop does not end.
  mutating func lookAtWait() { ask(isInWait: true) }

  private mutating func ask(isInWait: Bool) {
    guard asked == nil, endTime == nil, shortcoming.isEmpty, lo_trace_ask_to_stop(processID) == 0 else { return }
    asked = Request(isInWait: isInWait, time: Int64(lo_now()))
  }

  /// The process has stopped for another reason. A stop that the launcher has asked for does not follow then.
  mutating func forgetRequest() { asked = nil }

  /// The process has stopped because a tracer asked for it. Copies its stack.
  ///
  /// - Returns: the launcher's request; nil if it was not the launcher that asked.
  mutating func take() -> Request? {
    guard let request = asked else { return nil }
    defer { asked = nil }
    if let copy = copy() {
      let address = copy.registers.programCounter
      let place = PerfEvents.Occurrence(time: request.time, processID: processID, threadID: processID)
      let sample = PerfEvents.Sample(place: place, addresses: [address], copy: copy)
      if request.isInWait { waits.append(sample) } else { samples.append(sample) }
      self.address = address
      if samples.count + waits.count >= Self.most { endTime = request.time }
    }
    return request
  }

  /// The process runs again. Reads what it has mapped, if that may have changed.
  mutating func readCode(at now: Int64) {
    if let address { code.look(at: now, for: address) }
  }

  /// Whether a signal is about to arrive, which may have ended a call.
  private var hasSignal: Bool {
    let signals = PendingSignals(of: processID)
    return signals.thread | signals.process != 0
  }

  private mutating func copy() -> (registers: UnwindRegisters, stack: StackCopy)? {
    var found = lo_registers()
    let error = lo_trace_get_registers(processID, &found)
    if error != 0 {
      shortcoming =
        error == ENOTSUP ? "a 32-bit program" : "the registers cannot be read: \(systemMessage(error))"
      return nil
    }
    // Its wait has ended meanwhile.
    if asked?.isInWait == true, lo_trace_left_call(&found) { return nil }
    if lo_trace_ended_call(&found), !hasSignal { _ = lo_trace_call_again(processID) }
    var registers = UnwindRegisters(programCounter: found.program_counter)
    withUnsafeBytes(of: found.numbered) { bytes in
      for (number, value) in bytes.bindMemory(to: UInt64.self).prefix(Int(found.count)).enumerated() {
        registers[number] = value
      }
    }
    let address = registers[UnwindRegisters.stackPointer] ?? 0
    let bytes = [UInt8](unsafeUninitializedCapacity: min(stackBytes, room)) { buffer, count in
      count = lo_read_memory_part(processID, address, buffer.baseAddress, buffer.count)
    }
    room -= bytes.count
    return (registers, StackCopy(address: address, bytes: bytes[...]))
  }
}

extension WaitProbe.Finding {
  /// Whether the kernel continues the call after a stop as if nothing had happened. Other calls may end early: signal(7),
  /// "Interruption of system calls and library functions by stop signals".
  var survivesStop: Bool {
    guard state == "S", !path.hasPrefix("socket:"), path != "anon_inode:inotify" else { return false }
    return Self.surviving.contains(systemCall)
  }

  private static let surviving: Set<String> = [
    "clock_nanosleep", "flock", "futex", "nanosleep", "pause", "poll", "ppoll", "pselect6", "read", "readv",
    "rt_sigsuspend", "select", "wait4", "waitid",
  ]
}
