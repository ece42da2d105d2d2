// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
internal import LaunchSymbols

/// Copies the stacks of the threads of an attached process from time to time, where perf events are not allowed (D312).
///
/// Each copy stops a thread for some 30 microseconds. While it runs, it is stopped at the sample rate. The first thread is also
/// stopped once in each wait that a stop does not end. The launcher stays attached to that thread only, so it attaches to any
/// other one for each stop (D313).
struct StackProbe {
  /// A stop that the launcher has asked for. From `time` on, CLOCK_MONOTONIC ns, the thread executes nothing of its own, unless
  /// the stop is late.
  struct Request {
    var isInWait: Bool
    var time: Int64
    /// A thread stops when it leaves the kernel. Until then it goes on with its system call, or waits for a disk, and neither is
    /// the launcher's doing.
    var isLate = false
  }

  /// A thread that runs stops sooner, ns.
  private static let patience: Int64 = 100_000

  private let processID: Int32
  private let period: Int64
  private var copier: StackCopier
  private(set) var nextTime: Int64
  private(set) var samples: [PerfEvents.Sample] = []
  private(set) var waits: [PerfEvents.Sample] = []
  private(set) var code: MappedCode
  private var asked: Request?
  /// The other thread that was stopped last, and since when it has yet to stop.
  private var lastOther: Int32 = 0
  private var askedOther: Int64?
  /// Where a thread was at the last stop.
  private var address: UInt64?
  /// When the largest number of stacks was reached, CLOCK_MONOTONIC ns; nil if it was not.
  private(set) var endTime: Int64?
  /// Why no stacks could be copied, for people; empty if they could.
  var shortcoming: String { copier.shortcoming }
  /// The call in which the last stop found the thread, if the kernel continues it under another name.
  var continued: CurrentCall? { copier.continued }
  /// A server may run for days.
  private static let most = 60_000

  init(processID: Int32, start: Int64, period: Int64, stackBytes: Int) {
    self.processID = processID
    copier = StackCopier(stackBytes: stackBytes > 0 ? stackBytes : ObservationOptions.standardStackBytes)
    self.period = period
    nextTime = start + period
    code = MappedCode(processID: processID, start: start)
  }

  /// The process has executed another program.
  mutating func begin(at time: Int64) { code.begin(at: time) }

  /// Whether the thread has stopped as it was asked to. Otherwise the stop comes later.
  mutating func hasStopped() -> Bool {
    if asked == nil { return false }
    if lo_trace_stops_soon(processID, Self.patience) { return true }
    asked?.isLate = true
    return false
  }

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
    keep(copier.copy(processID, isInWait: request.isInWait), of: processID, request)
    return request
  }

  /// The thread runs again. Reads what it has mapped, if that may have changed.
  mutating func readCode(at now: Int64) {
    if let address { code.look(at: now, for: address) }
  }

  private mutating func keep(_ copy: StackCopier.Copy?, of thread: Int32, _ request: Request) {
    guard let copy else { return }
    let address = copy.registers.programCounter
    let place = PerfEvents.Occurrence(time: request.time, processID: processID, threadID: thread)
    let sample = PerfEvents.Sample(place: place, addresses: [address], copy: copy)
    if request.isInWait { waits.append(sample) } else { samples.append(sample) }
    self.address = address
    if samples.count + waits.count >= Self.most { endTime = request.time }
  }

  // MARK: Other threads

  /// Call it after `look`. Stops the other threads that run, and copies their stacks.
  ///
  /// Never attaches to a second thread before it has left the first one. If another thread executes a program, the kernel lets
  /// nothing attach until all its threads have ended, and the end of a thread that is attached waits for the launcher.
  mutating func take(_ threads: inout OtherThreads) {
    let running = threads.running
    let next = running.firstIndex { $0 > lastOther } ?? 0
    for thread in running[next...] + running[..<next] {
      guard askedOther == nil, endTime == nil, shortcoming.isEmpty else { return }
      // Another tracer has it, or it has ended.
      guard lo_trace_seize(thread) == 0 else { continue }
      threads.willHold(thread)
      _ = lo_trace_ask_to_stop(thread)
      askedOther = Int64(lo_now())
      lastOther = thread
      if lo_trace_stops_soon(thread, Self.patience) { releaseOther(0, isLate: false, &threads) }
    }
  }

  /// Releases the other thread that has stopped late, or for another reason.
  mutating func takeLate(_ threads: inout OtherThreads) {
    var status = lo_status()
    guard askedOther != nil, lo_poll_thread(lastOther, &status) else { return }
    if status.state == LO_GONE {
      askedOther = nil
    } else {
      // A signal has to arrive. The thread has not stopped as it was asked to.
      releaseOther(status.event == 0 ? status.code : 0, isLate: true, &threads)
    }
  }

  /// Whether the launcher is attached to another thread.
  var holdsOther: Bool { askedOther != nil }

  /// - Parameter signal: what the thread has stopped for; 0 if it was asked to.
  private mutating func releaseOther(_ signal: Int32, isLate: Bool, _ threads: inout OtherThreads) {
    guard let time = askedOther else { return }
    let began = Int64(lo_now())
    if signal == 0 {
      keep(copier.copy(lastOther, isInWait: false), of: lastOther, Request(isInWait: false, time: time))
    }
    let end = Int64(lo_now())
    // A thread that is killed while it is stopped stays attached until its end is collected.
    if lo_trace_detach(lastOther, signal) == 0 { askedOther = nil }
    threads.held(lastOther, from: isLate ? began : time, to: end, isLate: isLate)
    readCode(at: end)
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
