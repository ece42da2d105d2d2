// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem

/// Breakpoint instructions in functions of Swift's runtime, for users who may set no probes (uprobes).
///
/// The launcher stays attached to the process and to all its threads. A call stops its thread twice. The first stop is at
/// the function's first instruction, `push %rbp`, which the launcher carries out for the thread. The second stop is where the
/// call returns to: an address in the program's start that is never executed again. So the launcher never removes a
/// breakpoint while other threads run.
final class CallBreakpoints {
  /// A call that has not returned.
  private struct Call: Equatable {
    var function: UInt64
    /// The place of the return address on the stack, and its value.
    var slot: UInt64
    var returnAddress: UInt64
  }

  private enum Kind: Equatable {
    case thread
    /// A forked child: it has a copy of the memory, with our breakpoints in it.
    case copy(calls: [Call])
    /// A child of vfork: it runs in the same memory until it executes a program.
    case borrower
  }

  private let processID: Int32
  /// Paths of files with the code, and where in the file it is.
  private let offsets: [String: [RuntimeProbes.FunctionOffset]]
  private let addresses: LoadAddresses
  private var inserted: [lo_software_breakpoint] = []
  /// Addresses of the functions, and the place of their records.
  private var functions: [UInt64: UInt64] = [:]
  /// Where calls return to.
  private(set) var landing: UInt64?
  private var threads: [Int32: Kind] = [:]
  private var calls: [Int32: [Call]] = [:]
  private var notifications = 0
  private(set) var passages: [PerfEvents.Passage] = []
  /// What is mapped from files, as it was when the breakpoints were set.
  private(set) var mappings: [PerfEvents.Mapping] = []
  /// ns: the time from continuing a thread until its next stop is seen, and the launcher's time at each stop.
  private var roundTrip: Int64 = 0
  private var stops: [Int64] = []

  /// The code has a probe of another program.
  private(set) var isProbed = false

  /// push %rbp; int3
  private static let push: UInt8 = 0x55
  private static let trap: UInt8 = 0xcc
  private static let mostCallers = 24

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
  }

  /// Where to stop the process: the code is mapped there, and none of it has run. This is the loader's notification, or the
  /// entry of a static program.
  var points: LoadAddresses {
    var points = addresses
    (points.main, points.loader) = (nil, nil)
    return points
  }

  var watched: RuntimeProbes.Watched {
    let (stop, copies) = (stops.median, functions.count)
    return RuntimeProbes.Watched(
      means: .ptrace, copies: copies, functions: Set(functions.values.compactMap(RuntimeFunction.init(place:))),
      callCost: 2 * (roundTrip + stop), insideCost: roundTrip + stop)
  }

  // MARK: Setting

  /// Call it when the process has stopped at one of the points. It continues from there.
  ///
  /// - Returns: a signal that came meanwhile, to be delivered; 0 for none.
  func reached(_ address: UInt64) -> Int32 {
    guard landing == nil else { return 0 }
    if let loader = addresses.loader {
      if address == addresses.notification { notifications += 1 }
      // At the first notification nothing is mapped yet. A program whose loader does not notify stops at its entry.
      if notifications > 1 || address == addresses.entry { return insert(landing: loader) }
    } else if address == addresses.entry {
      // The first instruction has then run, and does not run again.
      var signal: Int32 = 0
      return lo_trace_step(processID, &signal) ? insert(landing: address) : signal
    }
    return 0
  }

  private func insert(landing address: UInt64) -> Int32 {
    let signal = measureRoundTrip()
    for mapping in ProcessMaps.code(of: processID) {
      mappings.append(mapping)
      for function in offsets[mapping.path] ?? []
      where function.offset >= mapping.offset && function.offset - mapping.offset < mapping.length {
        let address = mapping.address + (function.offset - mapping.offset)
        var first: UInt8 = 0
        guard lo_read_memory(processID, address, &first, 1) == 0 else { continue }
        // If another program has a probe there, the kernel handles it before a tracer, and later removes our breakpoint with it.
        if first == Self.trap { isProbed = true }
        guard first == Self.push, add(address) else { continue }
        functions[address] = function.place
      }
    }
    if !functions.isEmpty, add(address) { landing = address } else { removeAll(of: processID) }
    return signal
  }

  private func add(_ address: UInt64) -> Bool {
    var breakpoint = lo_software_breakpoint()
    guard lo_trace_insert(processID, address, &breakpoint) == 0 else { return false }
    inserted.append(breakpoint)
    return true
  }

  private func removeAll(of process: Int32) {
    for var breakpoint in inserted { _ = lo_trace_remove(process, &breakpoint) }
  }

  /// Steps through the program's next instructions. Each step is a round trip like that of a breakpoint.
  private func measureRoundTrip() -> Int32 {
    var times: [Int64] = []
    var signal: Int32 = 0
    for _ in 0..<Self.measuredSteps where signal == 0 {
      let start = Int64(lo_now())
      guard lo_trace_step(processID, &signal) else { break }
      times.append(Int64(lo_now()) - start)
    }
    // A busy machine makes steps longer, so the shortest one counts. If the cost is too small, times stay too long. If it is
    // too large, times would lose the program's own work.
    roundTrip = times.min() ?? 0
    return signal
  }

  private static let measuredSteps = 8

  // MARK: Stops

  /// Handles the stops of all threads but the first. True if there may be more to handle at once.
  func look() -> Bool { look(isLeaving: false) }

  /// - Parameter isLeaving: only those of children, which are asked to stop and then released.
  private func look(isLeaving: Bool) -> Bool {
    var hasSeen = false
    for (thread, kind) in threads where !isLeaving || kind != .thread {
      if isLeaving { _ = lo_trace_ask_to_stop(thread) }
      var status = lo_status()
      guard lo_poll_thread(thread, &status) else { continue }
      hasSeen = true
      if status.state == LO_GONE {
        (threads[thread], calls[thread]) = (nil, nil)
      } else if isLeaving, status.event == 128, kind == .borrower {
        release(thread, calls[thread] ?? [])
      } else {
        take(status, of: thread)
      }
    }
    return hasSeen
  }

  /// Handles a stop of the first thread. False if the stop is not one of our breakpoints.
  func takeFirst(_ status: lo_status) -> Bool {
    switch Int32(status.event) {
    case 0 where status.code == SIGTRAP: return pass(processID)
    // PTRACE_EVENT_FORK, …_VFORK, …_CLONE
    case 1...3:
      made(by: processID, event: Int32(status.event))
      _ = lo_trace_continue(processID, 0)
      return true
    default: return false
    }
  }

  private func take(_ status: lo_status, of thread: Int32) {
    switch (Int32(status.event), threads[thread]) {
    case (128, .copy(let calls)): release(thread, calls)
    // PTRACE_EVENT_EXEC: the child of vfork no longer runs in the program's memory.
    case (4, .borrower): letGo(thread)
    case (0, _) where status.code == SIGTRAP && pass(thread): break
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
    (threads[thread], calls[thread]) = (nil, nil)
  }

  /// Returns the new thread or process.
  @discardableResult
  private func made(by thread: Int32, event: Int32) -> Int32? {
    let new = lo_trace_made(thread)
    guard new > 0 else { return nil }
    threads[new] = event == 1 ? .copy(calls: calls[thread] ?? []) : event == 2 ? .borrower : .thread
    return new
  }

  /// A child that continues with a copy of the memory must not reach our breakpoints, nor return to one. The same for a child
  /// that keeps the memory which the program has left.
  private func release(_ child: Int32, _ calls: [Call]) {
    removeAll(of: child)
    restore(calls, in: child)
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

  /// How long the program's threads and children may take to stop when they are left, ns.
  private static let patience: Int64 = 1_000_000_000

  private func restore(_ calls: [Call], in process: Int32) {
    for call in calls {
      var address = call.returnAddress
      _ = lo_write_memory(process, call.slot, &address, 8)
    }
  }

  // MARK: Calls

  /// Handles a thread that stopped by SIGTRAP. False if it was not one of our breakpoints; the thread then stays stopped.
  private func pass(_ thread: Int32) -> Bool {
    let time = Int64(lo_now())
    var call = lo_call()
    guard lo_trace_get_call(thread, &call) == 0 else { return false }
    // After int3, the program counter is the next instruction.
    let address = call.program_counter - 1
    if let function = functions[address] {
      enter(function, thread, call, time)
    } else if address == landing {
      guard leave(thread, call, time) else { return false }
    } else {
      return false
    }
    stops.append(Int64(lo_now()) - time)
    _ = lo_trace_continue(thread, 0)
    return true
  }

  private func enter(_ function: UInt64, _ thread: Int32, _ call: lo_call, _ time: Int64) {
    var (returnAddress, frame) = (UInt64(0), call.frame_pointer)
    _ = lo_read_memory(thread, call.stack_pointer, &returnAddress, 8)
    var passage = PerfEvents.Passage(place: place(thread, time), function: function, isReturn: false)
    passage.arguments = (call.first, call.second, call.third)
    passage.addresses = [call.program_counter - 1] + callers(thread, returnAddress, frame)
    passages.append(passage)
    if var target = landing, lo_write_memory(thread, call.stack_pointer, &target, 8) == 0 {
      calls[thread, default: []].append(
        Call(function: function, slot: call.stack_pointer, returnAddress: returnAddress))
    }
    // Carries out the instruction that the breakpoint replaced.
    _ = lo_write_memory(thread, call.stack_pointer - 8, &frame, 8)
    _ = lo_trace_set_place(thread, call.program_counter, call.stack_pointer - 8)
  }

  /// Handles a return. The thread has already popped the return address from the stack.
  private func leave(_ thread: Int32, _ call: lo_call, _ time: Int64) -> Bool {
    guard let place = calls[thread]?.lastIndex(where: { $0.slot == call.stack_pointer - 8 }),
      let own = calls[thread]?[place]
    else { return false }
    calls[thread]?.removeSubrange(place...)
    passages.append(PerfEvents.Passage(place: self.place(thread, time), function: own.function, isReturn: true))
    _ = lo_trace_set_place(thread, own.returnAddress, call.stack_pointer)
    return true
  }

  private func place(_ thread: Int32, _ time: Int64) -> PerfEvents.Occurrence {
    PerfEvents.Occurrence(time: time, processID: processID, threadID: thread)
  }

  /// The callers, by frame pointers. A return address of ours is replaced by the original one.
  private func callers(_ thread: Int32, _ first: UInt64, _ frame: UInt64) -> [UInt64] {
    var callers = [first]
    var frame = frame
    while callers.count < Self.mostCallers {
      var words: [UInt64] = [0, 0]
      guard frame & 7 == 0, lo_read_memory(thread, frame, &words, 16) == 0 else { break }
      let own = words[1] == landing ? calls[thread]?.first { $0.slot == frame + 8 }?.returnAddress : nil
      callers.append(own ?? words[1])
      // A caller without a frame of its own is the last one that is known.
      guard words[0] > frame else { break }
      frame = words[0]
    }
    return callers
  }

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
        let address = call.program_counter - 1
        if let own = calls[thread]?.last(where: { $0.slot == call.stack_pointer - 8 }), address == landing {
          _ = lo_trace_set_place(thread, own.returnAddress, call.stack_pointer)
        } else if functions[address] != nil {
          _ = lo_trace_set_place(thread, address, call.stack_pointer)
        }
      } else if status.event == 0 {
        signals[thread] = status.code
      }
    }
    for thread in signals.keys {
      removeAll(of: thread)
      let open = if case .copy(let calls)? = threads[thread] { calls } else { calls[thread] ?? [] }
      restore(open, in: thread)
    }
    if signals[processID] != nil { others() }
    for (thread, signal) in signals { _ = lo_trace_detach(thread, signal) }
    threads = [:]
    calls = [:]
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
  private func awaitsTrap(_ thread: Int32) -> Bool {
    let pending = fileText("/proc/\(thread)/status")?.split(separator: "\n").first { $0.hasPrefix("SigPnd:") }
    let signals = pending.flatMap { UInt64($0.drop { $0 != "\t" }.dropFirst(), radix: 16) } ?? 0
    return signals >> (SIGTRAP - 1) & 1 == 1
  }
}
