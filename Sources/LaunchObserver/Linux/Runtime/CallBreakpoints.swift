// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc

/// Breakpoint instructions in functions of Swift's runtime, for users who may set no probes (uprobes).
///
/// The launcher stays attached to the process and to all its threads. A call stops its thread twice. The first stop is at
/// the function's first instruction, `push %rbp`, which the launcher carries out for the thread. The second stop is where the
/// call returns to: an address in the program's start that is never executed again. So the launcher never removes a
/// breakpoint while other threads run.
final class CallBreakpoints {
  private enum Kind: Equatable {
    case thread
    /// A forked child: it has a copy of the memory, with our breakpoints in it.
    case copy(calls: [OpenCalls.Call])
    /// A child of vfork: it runs in the same memory until it executes a program.
    case borrower
  }

  private let processID: Int32
  /// Paths of files with the code, and where in the file it is.
  private let offsets: [String: [RuntimeProbes.FunctionOffset]]
  private let addresses: LoadAddresses
  private(set) var traps: CallTraps
  private var calls = OpenCalls()
  private var threads: [Int32: Kind] = [:]
  private var notifications = 0
  private(set) var passages: [PerfEvents.Passage] = []
  /// Called for a stopped child with a copy of the memory, before it continues.
  var leavesCopy: (Int32) -> Void = { _ in }
  /// ns that the launcher took at each stop.
  private var stops: [Int64] = []

  /// How long the program's threads and children may take to stop when they are left, ns.
  private static let patience: Int64 = 1_000_000_000

  /// Breakpoints of a process that has stopped at execve; nil if this processor's calls are not known.
  ///
  /// - Parameter tellsExits: the process also stops before its memory is released.
  init?(
    processID: Int32, offsets: [String: [RuntimeProbes.FunctionOffset]], addresses: LoadAddresses, tellsExits: Bool
  ) {
    // Each call stops the program. Calls that are only counted are too many for that.
    self.offsets = offsets.mapValues { $0.filter { !$0.isCounted } }.filter { !$0.value.isEmpty }
    guard lo_trace_knows_calls(), !self.offsets.isEmpty, lo_trace_follow(processID, tellsExits) == 0 else { return nil }
    self.processID = processID
    self.addresses = addresses
    traps = CallTraps(processID: processID)
  }

  /// Where to stop the process: the code is mapped there, and none of it has run. This is the loader's notification, or the
  /// entry of a static program.
  var points: LoadAddresses {
    var points = addresses
    (points.main, points.loader) = (nil, nil)
    return points
  }

  var watched: RuntimeProbes.Watched {
    let (functions, cost) = (traps.functions, traps.roundTrip + stops.median)
    return RuntimeProbes.Watched(
      means: .ptrace, copies: functions.count,
      functions: Set(functions.values.compactMap(RuntimeFunction.init(place:))), callCost: 2 * cost, insideCost: cost)
  }

  /// Call it when the process has stopped at one of the points. It continues from there.
  ///
  /// - Returns: a signal that came meanwhile, to be delivered; 0 for none.
  func reached(_ address: UInt64) -> Int32 {
    guard traps.landing == nil else { return 0 }
    if let loader = addresses.loader {
      if address == addresses.notification { notifications += 1 }
      // At the first notification nothing is mapped yet. A program whose loader does not notify stops at its entry.
      if notifications > 1 || address == addresses.entry { return traps.insert(offsets, landing: loader) }
    } else if address == addresses.entry {
      // The first instruction has then run, and does not run again.
      var signal: Int32 = 0
      return lo_trace_step(processID, &signal) ? traps.insert(offsets, landing: address) : signal
    }
    return 0
  }

  // MARK: Stops

  /// Handles the stops of all threads but the first. True if there may be more to handle at once.
  ///
  /// - Parameter isLeaving: only those of children, which are asked to stop and then released.
  func look(isLeaving: Bool = false) -> Bool {
    var hasSeen = false
    for (thread, kind) in threads where !isLeaving || kind != .thread {
      if isLeaving { _ = lo_trace_ask_to_stop(thread) }
      var status = lo_status()
      guard lo_poll_thread(thread, &status) else { continue }
      hasSeen = true
      if status.state == LO_GONE {
        forget(thread)
      } else if isLeaving, status.event == 128, kind == .borrower {
        release(thread, calls[thread])
      } else {
        take(status, of: thread)
      }
    }
    return hasSeen
  }

  /// Handles a stop of the first thread.
  ///
  /// - Returns: when the thread continued, CLOCK_MONOTONIC ns; nil if the stop is not one of our breakpoints.
  func takeFirst(_ status: lo_status) -> Int64? {
    switch Int32(status.event) {
    case 0 where status.code == SIGTRAP: return pass(processID)
    // PTRACE_EVENT_FORK, …_VFORK, …_CLONE
    case 1...3:
      made(by: processID, event: Int32(status.event))
      let end = Int64(lo_now())
      _ = lo_trace_continue(processID, 0)
      return end
    default: return nil
    }
  }

  private func take(_ status: lo_status, of thread: Int32) {
    switch (Int32(status.event), threads[thread]) {
    case (128, .copy(let calls)): release(thread, calls)
    // PTRACE_EVENT_EXEC: the child of vfork no longer runs in the program's memory.
    case (4, .borrower): letGo(thread)
    case (0, _) where status.code == SIGTRAP && pass(thread) != nil: break
    case (0, _): _ = lo_trace_continue(thread, status.code)
    case (1...3, _):
      made(by: thread, event: Int32(status.event))
      _ = lo_trace_continue(thread, 0)
    case (128, _) where [SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU].contains(status.code): _ = lo_trace_listen(thread)
    default: _ = lo_trace_continue(thread, 0)
    }
  }

  private func letGo(_ thread: Int32) {
    _ = lo_trace_detach(thread, 0)
    forget(thread)
  }

  private func forget(_ thread: Int32) {
    threads[thread] = nil
    calls.forget(thread)
  }

  /// Returns the new thread or process.
  @discardableResult
  private func made(by thread: Int32, event: Int32) -> Int32? {
    let new = lo_trace_made(thread)
    guard new > 0 else { return nil }
    threads[new] = event == 1 ? .copy(calls: calls[thread]) : event == 2 ? .borrower : .thread
    return new
  }

  /// A child that continues with a copy of the memory must not reach our breakpoints, nor return to one. The same for a child
  /// that keeps the memory which the program has left.
  private func release(_ child: Int32, _ calls: [OpenCalls.Call]) {
    traps.remove(from: child)
    leavesCopy(child)
    OpenCalls.restore(calls, in: child)
    letGo(child)
  }

  /// Detaches from children that have not executed a program yet. Call it before the process is left: otherwise they would stay
  /// stopped until the launcher ends.
  func leaveChildren() {
    let giveUpTime = Int64(lo_now()) + Self.patience
    while threads.contains(where: { $0.value != .thread }), Int64(lo_now()) < giveUpTime {
      if !look(isLeaving: true) { usleep(100) }
    }
  }

  /// Handles a thread that stopped by SIGTRAP.
  ///
  /// - Returns: when it continued; nil if it was not one of our breakpoints, and the thread stays stopped.
  private func pass(_ thread: Int32) -> Int64? {
    let time = Int64(lo_now())
    var call = lo_call()
    guard lo_trace_get_call(thread, &call) == 0 else { return nil }
    let place = PerfEvents.Occurrence(time: time, processID: processID, threadID: thread)
    let address = Self.address(of: call)
    if let function = traps.functions[address], let landing = traps.landing {
      var passage = PerfEvents.Passage(place: place, function: function, isReturn: false)
      passage.arguments = (call.first, call.second, call.third)
      passage.addresses = [address] + calls.enter(function, thread, call, landing: landing)
      passages.append(passage)
    } else if address == traps.landing, let function = calls.leave(thread, call) {
      passages.append(PerfEvents.Passage(place: place, function: function, isReturn: true))
    } else {
      return nil
    }
    let end = Int64(lo_now())
    stops.append(end - time)
    _ = lo_trace_continue(thread, 0)
    return end
  }

  /// The breakpoint that a thread has reached. After int3, the program counter is the next instruction.
  private static func address(of call: lo_call) -> UInt64 { call.program_counter &- 1 }

  // MARK: The end

  /// Removes all breakpoints from the process, and detaches from its threads.
  ///
  /// - Parameter others: removes other breakpoints, while the process is stopped.
  func letGo(_ others: () -> Void) {
    let giveUpTime = Int64(lo_now()) + Self.patience
    // A thread in vfork(2) stops only after its child has executed a program.
    while threads.contains(where: { $0.value == .borrower }), Int64(lo_now()) < giveUpTime {
      if !look() { usleep(100) }
    }
    var left = threads.keys + [processID]
    var signals: [Int32: Int32] = [:]
    while let thread = left.popLast() {
      guard lo_trace_ask_to_stop(thread) == 0, var status = stop(of: thread, before: giveUpTime) else { continue }
      // It executes another program by now, which has no breakpoints.
      if status.event == 4, threads[thread] == .borrower {
        letGo(thread)
        continue
      }
      if status.event != 0, awaitsTrap(thread) {
        _ = lo_trace_continue(thread, 0)
        guard let next = stop(of: thread, before: giveUpTime) else { continue }
        status = next
      }
      signals[thread] = 0
      if (1...3).contains(status.event), let new = made(by: thread, event: status.event) { left.append(new) }
      if status.event == 0, status.code == SIGTRAP {
        // The thread is at one of our breakpoints: move it back, as if it had not reached it.
        var call = lo_call()
        guard lo_trace_get_call(thread, &call) == 0 else { continue }
        let address = Self.address(of: call)
        if address == traps.landing {
          _ = calls.leave(thread, call)
        } else if traps.functions[address] != nil {
          _ = lo_trace_set_place(thread, address, call.stack_pointer)
        }
      } else if status.event == 0 {
        signals[thread] = status.code
      }
    }
    for thread in signals.keys {
      traps.remove(from: thread)
      let open = if case .copy(let calls)? = threads[thread] { calls } else { calls[thread] }
      OpenCalls.restore(open, in: thread)
    }
    if signals[processID] != nil { others() }
    for (thread, signal) in signals { _ = lo_trace_detach(thread, signal) }
    threads = [:]
    calls = OpenCalls()
  }

  /// The next stop of a thread; nil if it has ended, or does not stop in time.
  private func stop(of thread: Int32, before giveUpTime: Int64) -> lo_status? {
    var status = lo_status()
    while !lo_poll_thread(thread, &status) {
      if Int64(lo_now()) >= giveUpTime { return nil }
      usleep(100)
    }
    return status.state == LO_STOPPED ? status : nil
  }

  /// Whether a stopped thread has just executed one of our breakpoints. Its signal would end the program after we detach.
  private func awaitsTrap(_ thread: Int32) -> Bool { PendingSignals(of: thread).thread >> (SIGTRAP - 1) & 1 == 1 }
}
