// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// When one thread had a processor, from the kernel's switches.
struct ThreadTurns {
  /// A time without a processor.
  struct Pause {
    var start: Int64
    var end: Int64
    /// `woken`; Int64.min for nil. A launch may have a million pauses, and an optional takes eight bytes more.
    private var wokenTime = Int64.min
    /// Who woke it; -1 for an interrupt, or if unknown.
    var waker: Int32 = -1
    var kind: SwitchKind

    /// Whether the thread left its processor by itself.
    var isWait: Bool { ![.preempted, .stopped].contains(kind) }

    init(start: Int64, end: Int64, kind: SwitchKind) { (self.start, self.end, self.kind) = (start, end, kind) }

    /// When it became runnable, if the trace says so.
    var woken: Int64? {
      get { wokenTime == .min ? nil : wokenTime }
      set { wokenTime = newValue ?? .min }
    }
  }

  /// In the order of time, within the bounds.
  private(set) var pauses: [Pause] = []
  /// The time for which the thread's state is known. Empty if it never appeared.
  private(set) var known: Range<Int64>
  /// The first record of the thread, ns; nil for none.
  private(set) var firstRecord: Int64?
  /// When another thread created it, and which one; nil if the trace does not say.
  private(set) var creation: (time: Int64, creator: Int32)?
  /// From then on, the thread surely existed, ns.
  var birth: Int64 { min(creation?.time ?? known.lowerBound, known.lowerBound) }
  /// The known time ends because the thread ended.
  private(set) var hasExited = false
  /// When the thread ended; nil if it did not.
  var exit: Int64? { hasExited ? known.upperBound : nil }

  /// - Parameters:
  ///   - rows: the thread's rows in `trace.switches`.
  ///   - wakeups: the thread's rows in `trace.wakeups`.
  ///   - bounds: the part of the trace to look at, ns.
  ///   - isWatched: the switches are recorded from the start of the bounds on. So a thread that leaves a processor
  ///     first had it until then.
  init(_ trace: Trace, rows: ArraySlice<Int32>, wakeups: ArraySlice<Int32>, bounds: Range<Int64>, isWatched: Bool) {
    let switches = trace.switches
    guard let first = rows.first.map(Int.init) else {
      known = bounds.lowerBound..<bounds.lowerBound
      return
    }
    let wasRunning = switches.kind[first] != .switchedIn
    firstRecord = switches.time[first]
    let watchedFrom = isWatched ? bounds.lowerBound : switches.time.first ?? bounds.lowerBound
    let from = wasRunning ? watchedFrom : switches.time[first]
    let to = isWatched ? bounds.upperBound : switches.time.last ?? bounds.upperBound
    known = (from..<max(from, to)).clamped(to: bounds)
    collect(switches, rows, end: to)
    addWakeups(trace.wakeups, wakeups)
    // A thread that was not seen before its first wake-up did not exist.
    if !wasRunning, let row = wakeups.first.map(Int.init), trace.wakeups.waker[row] >= 0,
      trace.wakeups.time[row] <= switches.time[first]
    {
      creation = (trace.wakeups.time[row], trace.wakeups.waker[row])
    }
  }

  private mutating func collect(_ switches: SwitchTable, _ rows: ArraySlice<Int32>, end: Int64) {
    // An array that grows is there twice.
    pauses.reserveCapacity(rows.count / 2 + 1)
    var out: (time: Int64, kind: SwitchKind)?
    for row in rows.lazy.map(Int.init) {
      let (time, kind) = (switches.time[row], switches.kind[row])
      if kind == .switchedIn {
        if let left = out { add(left.time, time, left.kind) }
        out = nil
      } else if out == nil {
        out = (time, kind)
      }
    }
    guard let out else { return }
    if out.kind == .exited {
      hasExited = true
      known = known.clamped(to: known.lowerBound..<max(known.lowerBound, out.time))
    } else {
      add(out.time, end, out.kind)
    }
  }

  private mutating func add(_ start: Int64, _ end: Int64, _ kind: SwitchKind) {
    if start < end, end > known.lowerBound, start < known.upperBound {
      pauses.append(Pause(start: start, end: end, kind: kind))
    }
  }

  /// The first wake-up ends a wait. After it, the thread waits for a processor.
  private mutating func addWakeups(_ wakeups: WakeupTable, _ rows: ArraySlice<Int32>) {
    var pause = 0
    for row in rows.lazy.map(Int.init) {
      let time = wakeups.time[row]
      while pause < pauses.count, pauses[pause].end < time { pause += 1 }
      guard pause < pauses.count else { return }
      if pauses[pause].start <= time, pauses[pause].kind != .preempted, pauses[pause].woken == nil {
        pauses[pause].woken = time
        pauses[pause].waker = wakeups.waker[row]
      }
    }
  }

  /// When it had a processor, in the order of time.
  var running: [Range<Int64>] {
    let starts = [known.lowerBound] + pauses.map { max($0.end, known.lowerBound) }
    let ends = pauses.map { max($0.start, known.lowerBound) } + [known.upperBound]
    return zip(starts, ends).filter { $0 < $1 }.map { $0..<$1 }
  }

  /// Until when it had a processor before `time`, ns; nil if it had none.
  func lastRunning(before time: Int64) -> Int64? {
    guard known.lowerBound < time else { return nil }
    let end = min(time, known.upperBound)
    let place = firstPause(endingAfter: end - 1)
    return place < pauses.count ? min(end, max(pauses[place].start, known.lowerBound)) : end
  }

  /// How long it ran between two times, ns.
  ///
  /// - Parameter orPreempted: whether the time counts in which another thread had taken its processor, and it had work.
  func running(from lower: Int64, to upper: Int64, orPreempted: Bool = false) -> Int64 {
    let range = known.clamped(to: lower..<max(lower, upper))
    var time = range.upperBound - range.lowerBound
    for pause in pauses(in: range) where !orPreempted || pause.kind != .preempted {
      time -= max(0, min(pause.end, range.upperBound) - max(pause.start, range.lowerBound))
    }
    return max(0, time)
  }

  /// The first pause that ends after `time`.
  func firstPause(endingAfter time: Int64) -> Int { pauses.partitioningIndex { $0.end > time } }

  /// The pauses that overlap a range.
  func pauses(in range: Range<Int64>) -> ArraySlice<Pause> {
    let first = firstPause(endingAfter: range.lowerBound)
    return pauses[first..<max(first, pauses.partitioningIndex { $0.start >= range.upperBound })]
  }
}
