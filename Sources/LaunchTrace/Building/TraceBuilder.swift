// SPDX-License-Identifier: Apache-2.0

/// Builds a `Trace` event by event, with the nesting rules of Perfetto's trace_processor (`slice_tracker.cc`).
///
/// The events of one track must come in the order of time. Tracks may be mixed in any way. Times that break this
/// order are clamped.
package struct TraceBuilder: Sendable {
  package var trace: Trace
  var threads: [Int64: TrackID] = [:]
  /// The latest thread with an id, in any process.
  var threadsByID: [Int32: TrackID] = [:]
  /// Threads whose process is not known yet.
  var orphans: Set<TrackID> = []
  var processes: [Int32: Int] = [:]
  /// How many threads and processes there are, and how much of the file was read: `TraceLimits.threads`.
  var threadCount = 0
  var bytes = 0
  /// The track that stands for the threads and processes beyond this limit. What is on it is left out.
  var beyond = TrackID(rawValue: -1)
  var lanes: [Lane] = []
  /// Of the rows of `trace.stacks`, and of its frames.
  var stackRows = RowIndex()
  var frames = RowIndex()
  /// The largest number of rows that the stacks may have together. Formats that list frames in a byte or two need a
  /// limit: `TraceLimits.frames`.
  var mostFrames = Int.max
  /// The largest number of different frames, and of strings when a frame is named: `TraceLimits.names`.
  var mostNames = Int.max
  /// How many slices and instants there may be until their limits are looked at: `TraceLimits.events`. Only Perfetto has them.
  private var room = Int.max
  /// How much later than the slice around it a complete slice may end, ns: times are rounded.
  var endTolerance: Int64 = 0
  /// The overflow tracks of each track, for complete slices that overlap others without nesting.
  var overflows: [Int32: TrackID] = [:]

  /// The open slices of a track.
  struct Lane {
    /// The innermost slice; -1 if there is none. The slices around it are its parents.
    var top: Int32 = -1
    /// Its events may come in any order; the reader sorts them first.
    var isUnordered = false
    /// It is the overflow track of another one.
    var isOverflow = false
    /// A slice around another one may have ended before it. Otherwise, known ends never get earlier from the innermost slice outwards.
    var hasEarlyEnd = false
    /// The earliest known end of a slice on the stack.
    var nextEnd = Int64.max
    /// The latest time seen.
    var time = Int64.min
  }

  /// How deep an end event searches the stack. It limits the work that a hostile file can cause.
  static let searchDepth = 1024
  /// The largest number of overflow tracks of a track.
  static let overflowLimit = 64

  package init(format: TraceFormat) { trace = Trace(format: format) }

  /// Reserves room for `slices` rows. Unused room costs only address space.
  package mutating func reserve(slices: Int) {
    trace.slices.start.reserveCapacity(slices)
    trace.slices.duration.reserveCapacity(slices)
    trace.slices.track.reserveCapacity(slices)
    trace.slices.name.reserveCapacity(slices)
    trace.slices.category.reserveCapacity(slices)
    trace.slices.parent.reserveCapacity(slices)
    trace.slices.depth.reserveCapacity(slices)
    trace.slices.annotation.reserveCapacity(slices)
  }

  /// Reserves room for `observed` rows of samples, of switches and of frames.
  mutating func reserve(observed: Int) {
    trace.samples.time.reserveCapacity(observed)
    trace.samples.track.reserveCapacity(observed)
    trace.samples.stack.reserveCapacity(observed)
    trace.samples.weight.reserveCapacity(observed)
    trace.switches.time.reserveCapacity(observed)
    trace.switches.track.reserveCapacity(observed)
    trace.switches.kind.reserveCapacity(observed)
    trace.switches.cpu.reserveCapacity(observed)
    trace.stacks.caller.reserveCapacity(observed)
    trace.stacks.frame.reserveCapacity(observed)
  }

  package mutating func string(_ string: String) -> StringID { trace.strings.intern(string) }

  /// The id of a string that a file has. All new ones beyond `TraceLimits.strings` are one.
  mutating func string(utf8 bytes: UnsafeRawBufferPointer) -> StringID {
    if trace.strings.size < TraceLimits.strings(bytes: self.bytes) { return trace.strings.intern(utf8: bytes) }
    if let known = trace.strings.id(utf8: bytes) { return known }
    ignored("more names than a file of its size has")
    return trace.strings.intern("…")
  }

  /// The id of a string that was joined from several.
  mutating func string(joined string: String) -> StringID {
    var string = string
    return string.withUTF8 { self.string(utf8: UnsafeRawBufferPointer($0)) }
  }

  // MARK: Slices

  /// Begins a slice, or adds a complete one when it has a `duration` (ns).
  ///
  /// `thread` is the thread on which an async slice begins. A complete slice that would overlap the end of the one
  /// around it goes to an overflow track.
  ///
  /// - Returns: its row, valid until `finish`; nil if too many tracks would be needed (counted in
  ///   `statistics.ignored` or `untracked`).
  @discardableResult
  package mutating func begin(
    track: TrackID, time: Int64, duration: Int64 = SliceTable.unfinished, name: StringID, category: StringID = .empty,
    thread: TrackID? = nil, annotation: UInt32 = 0
  ) -> SliceIndex? {
    if isBeyond(track) || !hasRoom(forSlice: true) { return nil }
    var (track, duration) = (track, duration)
    var lane = Int(track.rawValue)
    var overflowed = 0
    while true {
      if lanes[lane].nextEnd <= time { closeEnded(lane, at: time, isInstant: duration == 0) }
      let late = time.addingSaturated(duration).subtractingSaturated(lanes[lane].nextEnd)
      if duration <= 0 || late <= 0 { break }
      if late <= endTolerance {
        duration -= late
        break
      }
      if overflowed == Self.overflowLimit {
        ignored("events that overlap too many others")
        return nil
      }
      track = overflow(of: track)
      lane = Int(track.rawValue)
      overflowed += 1
    }
    let row = trace.slices.start.count
    let parent = lanes[lane].top
    trace.slices.start.append(time)
    trace.slices.duration.append(duration)
    trace.slices.track.append(track.rawValue)
    trace.slices.name.append(name.rawValue)
    trace.slices.category.append(category.rawValue)
    trace.slices.parent.append(parent)
    trace.slices.depth.append(
      parent < 0 ? 0 : max(trace.slices.depth[Int(parent)], trace.slices.depth[Int(parent)] &+ 1))
    trace.slices.annotation.append(annotation)
    lanes[lane].top = Int32(truncatingIfNeeded: row)
    lanes[lane].time = time
    if duration >= 0 { lanes[lane].nextEnd = min(lanes[lane].nextEnd, time.addingSaturated(duration)) }
    if let thread, thread != beyond { trace.slices.asyncThreads.begin(row, on: thread) }
    return row
  }

  /// Ends the innermost open slice of `track` that matches `name` and `category`. Empty ones match all slices.
  ///
  /// - Returns: the slice; nil if none was open (counted in `statistics.unmatchedEnds`).
  @discardableResult
  package mutating func end(
    track: TrackID, time: Int64, name: StringID = .empty, category: StringID = .empty, thread: TrackID? = nil,
    annotation: UInt32 = 0
  ) -> SliceIndex? {
    if isBeyond(track) { return nil }
    let lane = Int(track.rawValue)
    if lanes[lane].nextEnd <= time { closeEnded(lane, at: time, isInstant: false) }
    lanes[lane].time = time
    guard let row = openSlice(lane, name: name, category: category) else {
      trace.statistics.unmatchedEnds += 1
      return nil
    }
    let duration = max(0, time.subtractingSaturated(trace.slices.start[row]))
    trace.slices.duration[row] = duration
    if annotation != 0 {
      trace.slices.annotation[row] = trace.annotations.join(trace.slices.annotation[row], annotation)
    }
    if let thread, thread != beyond { trace.slices.asyncThreads.end(row, on: thread) }
    if row == Int(lanes[lane].top) {
      lanes[lane].top = trace.slices.parent[row]
    } else {
      lanes[lane].nextEnd = min(lanes[lane].nextEnd, time)
      lanes[lane].hasEarlyEnd = true
    }
    return row
  }

  /// Adds an instant.
  package mutating func instant(
    track: TrackID, time: Int64, name: StringID, category: StringID = .empty, annotation: UInt32 = 0
  ) {
    if isBeyond(track) || !hasRoom(forSlice: false) { return }
    let lane = Int(track.rawValue)
    if lanes[lane].nextEnd <= time { closeEnded(lane, at: time, isInstant: true) }
    lanes[lane].time = time
    trace.instants.time.append(time)
    trace.instants.track.append(track.rawValue)
    trace.instants.name.append(name.rawValue)
    trace.instants.category.append(category.rawValue)
    trace.instants.annotation.append(annotation)
  }

  /// Limits slices and instants by how much of the file was read, `bytes`.
  mutating func limitEvents() { room = 0 }

  @inline(__always)
  private mutating func hasRoom(forSlice isSlice: Bool) -> Bool {
    trace.slices.start.count + trace.instants.time.count < room || findRoom(forSlice: isSlice)
  }

  /// Counts an event for which there is no room.
  private mutating func findRoom(forSlice isSlice: Bool) -> Bool {
    let count = trace.slices.count + trace.instants.count
    let events = TraceLimits.events(bytes: bytes) - count
    let slices = min(events, TraceLimits.slices(bytes: bytes) - trace.slices.count)
    room = count + max(0, slices)
    if isSlice ? slices > 0 : events > 0 { return true }
    ignored("more events than a file of its size has")
    return false
  }

  private func openSlice(_ lane: Int, name: StringID, category: StringID) -> Int? {
    var row = Int(lanes[lane].top)
    var steps = 0
    while row >= 0, steps < Self.searchDepth {
      if trace.slices.duration[row] == SliceTable.unfinished,
        category == .empty || trace.slices.category[row] == category.rawValue,
        name == .empty || trace.slices.name[row] == 0 || trace.slices.name[row] == name.rawValue
      {
        return row
      }
      row = Int(trace.slices.parent[row])
      steps += 1
    }
    return nil
  }

  /// Removes the slices that ended before `time` from the stack. Open slices inside an ended one end with it.
  private mutating func closeEnded(_ lane: Int, at time: Int64, isInstant: Bool) {
    var row = lanes[lane].top
    var (isOpenInside, hasEarlyEnd) = (false, false)
    var nextEnd = Int64.max
    var steps = 0
    while row >= 0, steps < Self.searchDepth {
      let parent = trace.slices.parent[Int(row)]
      let duration = trace.slices.duration[Int(row)]
      if duration == SliceTable.unfinished {
        isOpenInside = true
      } else {
        let end = trace.slices.start[Int(row)].addingSaturated(duration)
        if isOpenInside, end < time {
          truncate(from: lanes[lane].top, to: row, at: end)
          lanes[lane].top = parent
          isOpenInside = false
        } else if !isOpenInside, end < time || (end == time && !(duration == 0 && isInstant)) {
          lanes[lane].top = parent
        } else {
          hasEarlyEnd = hasEarlyEnd || end < nextEnd
          nextEnd = min(nextEnd, end)
          if !lanes[lane].hasEarlyEnd { break }
        }
      }
      row = parent
      steps += 1
    }
    lanes[lane].nextEnd = nextEnd
    if row < 0 { lanes[lane].hasEarlyEnd = hasEarlyEnd }
  }

  private mutating func truncate(from top: Int32, to outer: Int32, at end: Int64) {
    var row = top
    while row != outer, row >= 0 {
      if trace.slices.duration[Int(row)] == SliceTable.unfinished {
        trace.slices.duration[Int(row)] = max(0, end.subtractingSaturated(trace.slices.start[Int(row)]))
      }
      row = trace.slices.parent[Int(row)]
    }
  }
}

extension AsyncThreads {
  mutating func begin(_ slice: SliceIndex, on thread: TrackID) {
    slices.append(Int32(truncatingIfNeeded: slice))
    begins.append(thread.rawValue)
    ends.append(-1)
  }

  mutating func end(_ slice: SliceIndex, on thread: TrackID) {
    if let row = row(of: slice) { ends[row] = thread.rawValue }
  }
}

extension Int64 {
  func addingSaturated(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  func subtractingSaturated(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }
}
