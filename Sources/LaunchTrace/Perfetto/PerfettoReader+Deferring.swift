// SPDX-License-Identifier: Apache-2.0

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
    let name = StringID(rawValue: event.name)
    switch event.kind {
    case .begin, .end, .instant, .slice: builder.add(event)
    case .atrace: apply(atrace: event)
    case .threadName: names.name(builder.thread(event.track), name, from: .ftrace, &builder)
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
