// SPDX-License-Identifier: Apache-2.0

/// An event that is put into the trace when all are known and sorted by time.
struct DeferredEvent {
  enum Kind: UInt8 {
    case begin, end, instant
    // Events of ftrace: `track` is the thread's id, `thread` the process's, for which the tracks are found when it is its
    // turn. `annotation` is the number of rows of switches that the file has before it.
    case atrace, threadName, threadStart, threadEnd
  }

  var time: Int64
  /// A slice's duration in ns, or a cookie.
  var value: Int64 = SliceTable.unfinished
  var track: Int32
  /// The thread that an async slice begins or ends on.
  var thread: Int32 = -1
  var name: UInt32 = 0
  var category: UInt32 = 0
  var annotation: UInt32 = 0
  var kind: Kind
  /// The letter of an atrace event.
  var phase: UInt8 = 0
}

extension DeferredEvent {
  @inline(__always)
  init(
    _ kind: Kind, _ time: Int64, _ track: TrackID, thread: TrackID?, name: StringID, category: StringID,
    annotation: UInt32
  ) {
    self.init(
      time: time, value: SliceTable.unfinished, track: track.rawValue, thread: thread?.rawValue ?? -1,
      name: name.rawValue, category: category.rawValue, annotation: annotation, kind: kind)
  }
}

extension PerfettoReader {
  // MARK: Into the builder, now or later

  @inline(__always)
  mutating func add(_ event: DeferredEvent) {
    if mustDefer(event.track, event.time) { deferred.append(event) } else { apply(event) }
  }

  @inline(__always)
  private mutating func mustDefer(_ track: Int32, _ time: Int64) -> Bool {
    let row = Int(track)
    if isSorting || builder.lanes[row].isUnordered { return true }
    if time < builder.lanes[row].time { mustSort = true }
    return mustSort
  }

  // MARK: When all are known

  mutating func applyDeferred() {
    var events = deferred.sorted()
    deferred = DeferredEvents()
    var scheduled = ScheduledRows(builder.trace)
    while let event = events.next() {
      scheduled.findThreads(before: event, &builder)
      apply(event)
    }
    scheduled.findThreads(before: nil, &builder)
    scheduled.sort(&builder.trace)
  }

  private mutating func apply(_ event: DeferredEvent) {
    let track = TrackID(rawValue: event.track)
    let name = StringID(rawValue: event.name)
    let category = StringID(rawValue: event.category)
    let thread = event.thread < 0 ? nil : TrackID(rawValue: event.thread)
    switch event.kind {
    case .begin:
      builder.begin(
        track: track, time: event.time, duration: event.value, name: name, category: category, thread: thread,
        annotation: event.annotation)
    case .end:
      builder.end(
        track: track, time: event.time, name: name, category: category, thread: thread, annotation: event.annotation)
    case .instant:
      builder.instant(track: track, time: event.time, name: name, category: category, annotation: event.annotation)
    case .atrace: apply(atrace: event)
    case .threadName:
      names.name(builder.thread(event.track), name, from: .ftrace, &builder)
    case .threadStart:
      // Descriptors are read before the kernel's events have their turn: what they made is this thread.
      if !startedThreads.insert(event.track).inserted { builder.endThread(event.track) }
      names.name(builder.thread(event.track), name, from: .ftrace, &builder)
    case .threadEnd:
      startedThreads.insert(event.track)
      builder.endThread(event.track)
    }
  }
}
