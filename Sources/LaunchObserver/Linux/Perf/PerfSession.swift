// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver

/// A perf session on one process: the kernel's raw records about it. Use it from one thread.
final class PerfSession {
  private let native: OpaquePointer
  /// The kernel writes there as long as the session lasts.
  private let rings: PerfRings
  /// The rings' bytes so far.
  private(set) var log = PerfLog()

  /// The largest number of bytes that are kept, because a server that runs for days must not fill the memory.
  static let mostBytes = 96 << 20

  private init(native: OpaquePointer, rings: PerfRings) {
    self.native = native
    self.rings = rings
  }

  deinit { lo_perf_close(native) }

  /// Opens a session on a process that waits to execute a program.
  ///
  /// - Parameters:
  ///   - samplePeriod: CPU time between two samples, ns; nil for none.
  ///   - stackBytes: of the stack, copied with each sample.
  /// - Returns: the session, or the errno that forbids it.
  static func open(
    _ rings: PerfRings, processID: Int32, samplePeriod: Int64?, stackBytes: Int
  ) -> Result<PerfSession, Refusal> {
    rings.open().flatMap { memory in
      var native: OpaquePointer?
      let period = UInt64(samplePeriod ?? 0)
      let error = lo_perf_open(memory, processID, period, UInt32(stackBytes), &native)
      guard error == 0, let native else { return .failure(Refusal(errno: error)) }
      return .success(PerfSession(native: native, rings: rings))
    }
  }

  struct Refusal: Error { var errno: Int32 }

  /// Readable when a ring is half full; the last one is that of `watchExec`.
  var descriptors: [Int32] { (0..<lo_perf_descriptor_count(native)).map { lo_perf_descriptor_at(native, $0) } }

  var watchesExec: Bool { lo_perf_watches_exec(native) }

  /// Makes the last of `descriptors` readable when the process executes another program, or its first thread ends. Call it
  /// again after each such event. Without it, later programs of the process get no breakpoints; nothing else is lost.
  func watchExec() { _ = lo_perf_watch_exec(native) }

  /// Records from the scheduler what threads wait for and who ends their waits, from execve on.
  ///
  /// - Returns: the errno that forbids it, 0 for none.
  func watchScheduling(_ tracepoints: SchedulerTracepoints) -> Int32 {
    let error = lo_perf_watch_scheduling(
      native, tracepoints.switchID, tracepoints.wakingID, SchedulerTracepoints.hasOwnNumbers)
    if error == 0 { log.scheduler = tracepoints }
    return error
  }

  /// From now on, records the probes' reports about this process, or about all processes for nil.
  func watchProbes(of process: Int32?) { lo_perf_watch_probes(native, process ?? 0) }

  /// From now on, records no reports of probes.
  func leaveProbes() { lo_perf_leave_probes(native) }

  /// Sets hardware breakpoints at these addresses, for the first thread. Each reports once. False if the hardware does not
  /// have room for all of them; then none is set.
  func setBreakpoints(_ addresses: [UInt64]) -> Bool {
    drain()
    lo_perf_remove_breakpoints(native)
    let isSet = addresses.allSatisfy { addBreakpoint($0, isInherited: false) }
    if !isSet { lo_perf_remove_breakpoints(native) }
    return isSet
  }

  /// Sets one more breakpoint. False if the hardware has no room for it.
  ///
  /// - Parameter isInherited: on threads that are made from now on, too. Such a breakpoint reports every time.
  func addBreakpoint(_ address: UInt64, isInherited: Bool) -> Bool {
    lo_perf_add_breakpoint(native, address, isInherited) == 0
  }

  /// Whether a thread has waited for anything since the last call; true if that is not known.
  func hasWaited() -> Bool { lo_perf_has_waited(native) }

  /// What was recorded so far.
  func recorded() -> PerfLog {
    drain()
    noteEvents()
    return log
  }

  /// When a thread last left its processor, CLOCK_MONOTONIC ns. For a stopped thread, that is when it stopped.
  ///
  /// - Returns: nil if it is not known, or if so much was recorded that finding it would make the stop much longer.
  func lastDeparture(of threadID: Int32) -> Int64? {
    let log = recorded()
    guard log.byteCount < 1 << 18 else { return nil }
    return PerfEvents(log).switches.last { $0.isOut && $0.place.threadID == threadID }?.place.time
  }

  private func noteEvents() {
    for index in 0..<lo_perf_event_count(native) {
      let event = lo_perf_event_at(native, index)
      log.events[event.id] = event
    }
  }

  /// Takes the records from the rings. When the limit is reached, recording stops for good.
  ///
  /// - Parameter isLast: there is nothing after it.
  func drain(isLast: Bool = false) {
    withUnsafeMutablePointer(to: &log) { log in
      lo_perf_drain(
        native, isLast,
        { context, ring, bytes, count in
          guard let bytes, let log = context?.assumingMemoryBound(to: PerfLog.self) else { return }
          log.pointee.append(UnsafeRawBufferPointer(start: bytes, count: count), ring: Int(ring))
        }, log)
    }
    if log.byteCount > Self.mostBytes, log.endTime == nil {
      log.endTime = Int64(lo_now())
      lo_perf_stop(native)
    }
  }

  /// Ends the recording and returns all of it.
  func finish() -> PerfLog {
    lo_perf_stop(native)
    drain(isLast: true)
    var (lost, lostSamples): (UInt64, UInt64) = (0, 0)
    lo_perf_lost(native, &lost, &lostSamples)
    (log.lost, log.lostSamples) = (lost, lostSamples)
    noteEvents()
    return log
  }
}

/// The raw records of a session.
struct PerfLog {
  /// Byte by byte as the kernel wrote them, by ring.
  private(set) var rings: [[UInt8]] = []
  private(set) var byteCount = 0
  /// By the identifier in their records.
  var events: [UInt64: lo_perf_event] = [:]
  /// The layout of the scheduler's records; nil if they were not requested.
  var scheduler: SchedulerTracepoints?
  /// The time at which recording ended before the program, because the limit was reached (CLOCK_MONOTONIC, ns).
  var endTime: Int64?
  /// Number of records for which there was no room, as the kernel counted them.
  var lost: UInt64 = 0
  var lostSamples: UInt64 = 0

  mutating func append(_ bytes: UnsafeRawBufferPointer, ring: Int) {
    while rings.count <= ring { rings.append([]) }
    rings[ring].append(contentsOf: bytes)
    byteCount += bytes.count
  }
}
