// SPDX-License-Identifier: Apache-2.0

/// What has to be remembered of the scheduler's events.
struct SchedulingState {
  /// The thread that was last switched in, by processor: compact switches name the next thread only.
  var running: [UInt32: Int32] = [:]
  /// The thread of the event before.
  var lastThread: Int32 = 0
  /// The name that a thread was last seen with, and the latest time of that.
  var names: [Int32: (name: StringID, time: Int64)] = [:]
}

/// The scheduler's events (`sched.proto`, and `FtraceEventBundle.CompactSched`).
extension PerfettoReader {
  mutating func read(schedSwitch message: UnsafeRawBufferPointer, _ time: Int64, cpu: UInt32) {
    var previous: Int32 = 0
    var previousName = StringID.empty
    var state: Int64 = 0
    var next: Int32 = 0
    var nextName = StringID.empty
    for field in ProtobufFields(message) {
      switch (field.number, field.wire) {
      case (1, 2): previousName = builder.string(utf8: field.bytes)
      case (2, 0): previous = field.int32
      case (4, 0): state = field.signed
      case (5, 2): nextName = builder.string(utf8: field.bytes)
      case (6, 0): next = field.int32
      default: break
      }
    }
    scheduledName(time, previous, previousName)
    scheduledName(time, next, nextName)
    scheduling.running[cpu] = next
    later(switch: time, cpu: cpu, from: previous, state: state, to: next)
  }

  /// Switches and wakings of one processor as columns.
  mutating func read(compactSched message: UnsafeRawBufferPointer, _ bundle: FtraceBundle) {
    var names: [StringID] = []
    for field in ProtobufFields(message) where field.number == 5 && field.wire == 2 {
      names.append(builder.string(utf8: field.bytes))
    }
    var switches = CompactEvents(message, times: 1, threads: 3, names: 6, values: 2)
    var wakings = CompactEvents(message, times: 7, threads: 8, names: 11, values: 12)
    // A waking's waker is who runs on this processor then: both go forward in time side by side.
    var waking = wakings.next()
    while let event = switches.next() {
      while let before = waking, before.time < event.time {
        read(compactWaking: before, names, bundle)
        waking = wakings.next()
      }
      read(compactSwitch: event, names, bundle)
    }
    while let last = waking {
      read(compactWaking: last, names, bundle)
      waking = wakings.next()
    }
  }

  private mutating func read(compactSwitch event: CompactEvents.Event, _ names: [StringID], _ bundle: FtraceBundle) {
    guard let time = convert(event.time, bundle.clock) else { return }
    let next = event.thread
    if let name = event.name(in: names) { scheduledName(time, next, name) }
    let previous = scheduling.running.updateValue(next, forKey: bundle.cpu)
    // Who leaves is known from the processor's second event on, as for trace_processor.
    guard let previous else { return skipped("first compact switches of a processor") }
    later(switch: time, cpu: bundle.cpu, from: previous, state: Int64(bitPattern: event.value), to: next)
  }

  private mutating func read(compactWaking event: CompactEvents.Event, _ names: [StringID], _ bundle: FtraceBundle) {
    guard let time = convert(event.time, bundle.clock) else { return }
    if let name = event.name(in: names) { scheduledName(time, event.thread, name) }
    guard let waker = scheduling.running[bundle.cpu] else {
      return skipped("compact wakings before a processor's first switch")
    }
    later(wakeup: time, of: event.thread, by: isInterrupt(event.value) ? 0 : waker)
  }

  /// `common_flags` of an event that an interrupt caused (TRACE_FLAG_HARDIRQ, TRACE_FLAG_SOFTIRQ): the thread that ran
  /// then has nothing to do with it.
  func isInterrupt(_ flags: UInt64) -> Bool { flags & 0x18 != 0 }

  // MARK: When it is their turn

  /// Names a thread, unless it already has this name: every switch contains the names of two threads.
  mutating func scheduledName(_ time: Int64, _ threadID: Int32, _ name: StringID) {
    if threadID == 0 { return }
    if let place = scheduling.names.index(forKey: threadID) {
      let known = scheduling.names.values[place]
      if known.name == name {
        if time > known.time { scheduling.names.values[place].time = time }
        return
      }
      // Another processor's events lie behind those of later ones.
      if time < known.time {
        later(known.time, .threadName, threadID, known.name)
        return later(time, .threadName, threadID, name)
      }
    }
    scheduling.names[threadID] = (name, time)
    later(time, .threadName, threadID, name)
  }

  /// Thread 0 is a processor that idles. Rows have the ids of threads until `ScheduledRows` finds their tracks.
  private mutating func later(switch time: Int64, cpu: UInt32, from previous: Int32, state: Int64, to next: Int32) {
    guard hasRoomForSwitch() else { return }
    if previous != 0 {
      builder.switched(
        track: TrackID(rawValue: previous), time: time, kind: SwitchKind(taskState: state), cpu: Int(cpu))
    }
    if next != 0 { builder.switched(track: TrackID(rawValue: next), time: time, kind: .switchedIn, cpu: Int(cpu)) }
  }

  mutating func later(wakeup time: Int64, of threadID: Int32, by waker: Int32) {
    if threadID == 0 || !hasRoomForSwitch() { return }
    builder.wakeup(track: TrackID(rawValue: threadID), time: time, by: TrackID(rawValue: waker))
  }

  private mutating func hasRoomForSwitch() -> Bool {
    let count = builder.trace.switches.count + builder.trace.wakeups.count
    if count < TraceLimits.switches(bytes: builder.bytes) { return true }
    ignored("more switches of threads than a file of its size has")
    return false
  }
}

extension SwitchKind {
  /// `prev_state` of a switch: bits of the kernel's `TASK_…` (include/linux/sched.h). The lower ones have kept their
  /// meaning. The bits above 0x80 say that a thread was preempted, or what can wake a sleeping thread.
  init(taskState: Int64) {
    switch taskState {
    case _ where taskState & 0x2 != 0: self = .uninterruptible
    case _ where taskState & 0x1 != 0: self = .sleeping
    case _ where taskState & 0xc != 0: self = .stopped
    case _ where taskState & 0x30 != 0: self = .exited
    // Parked and idle threads are the kernel's own.
    case _ where taskState & 0xc0 != 0: self = .sleeping
    default: self = .preempted
    }
  }
}

/// Columns of compact switches or wakings; the shortest one says how many there are.
private struct CompactEvents {
  struct Event {
    /// ns of the bundle's clock.
    var time: Int64
    var thread: Int32
    fileprivate var name: UInt64?
    /// The state of the one that leaves, or flags; 0 where there are none.
    var value: UInt64

    func name(in table: [StringID]) -> StringID? {
      name.flatMap { $0 < UInt64(table.count) ? table[Int($0)] : nil }
    }
  }

  private var time: UInt64 = 0
  private var times: ProtobufVarints
  private var threads: ProtobufVarints
  private var names: ProtobufVarints
  private var values: ProtobufVarints

  /// - Parameters: the numbers of the fields of `message`. A time is the distance to the one before.
  init(_ message: UnsafeRawBufferPointer, times: Int, threads: Int, names: Int, values: Int) {
    self.times = ProtobufVarints(field: times, of: message)
    self.threads = ProtobufVarints(field: threads, of: message)
    self.names = ProtobufVarints(field: names, of: message)
    self.values = ProtobufVarints(field: values, of: message)
  }

  mutating func next() -> Event? {
    guard let distance = times.next(), let thread = threads.next() else { return nil }
    time &+= distance
    return Event(
      time: Int64(bitPattern: time), thread: Int32(truncatingIfNeeded: thread), name: names.next(),
      value: values.next() ?? 0)
  }
}
