// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Follows waits from thread to thread: whom one waited for, whom that one waited for in turn, and so on.
///
/// It uses wake-ups and locks where the trace has them, otherwise the thread that ran the most meanwhile. No thread
/// appears twice in a chain.
///
/// Where no record says when a thread was woken, the threads of the launch tell it for waits that they end: a thread wakes
/// another one while it has a processor. So when the last one of them has left its processor, the waiting thread waits
/// for a processor, too (D268, D269).
struct WaitFollower {
  private let histories: ThreadHistories
  private var culprits: Culprits
  /// When any thread of the launch had a processor; empty if the trace does not have all of these times.
  private lazy var active = Time.union(
    histories.isWatched ? culprits.candidates.flatMap { [histories] in histories.turns(of: $0).running } : [])

  /// The most threads in a chain that reports name, and on the critical path: a program may create a thread for each step.
  static let deepest = 8
  private static let deepestPath = 32
  /// A thread that wakes another one runs meanwhile. The woken one has a processor this soon, or later, ns.
  private static let wakeReach: Int64 = 200_000
  /// A thread is added to a chain only if the preceding one waited for it for at least this share of its wait.
  private static let leastShare = 0.5

  /// A stretch in which a thread did one thing.
  private struct Piece {
    var start: Int64
    var end: Int64
    var state: ThreadState
    var culprit: Int32?
    var link: Wait.Link?
    var needsThread = false
  }

  init(_ context: AnalysisContext) {
    histories = context.histories
    culprits = Culprits(histories, processID: context.processID)
  }

  // MARK: Time

  /// Adds a part of what the main thread did, or the threads for whose work it waited then.
  mutating func follow(
    _ state: ThreadState, _ wait: Wait?, from start: Int64, to end: Int64, of track: Int32,
    into path: inout CriticalPath
  ) {
    var piece = Piece(start: start, end: end, state: state)
    if let wait {
      (piece.culprit, piece.link, piece.needsThread) = (wait.culprit, wait.link, wait.needsThread)
      if wait.needsThread { addLast(to: &piece, wait, behind: [track]) }
    }
    follow(piece, of: track, link: nil, behind: [], into: &path)
  }

  /// - Parameters:
  ///   - link: the least certain one on the way to `track`; nil for the main thread.
  ///   - waiting: the threads that wait for `track`.
  private mutating func follow(
    _ piece: Piece, of track: Int32, link: Wait.Link?, behind waiting: [Int32], into path: inout CriticalPath
  ) {
    func add(_ state: ThreadState, _ start: Int64, _ end: Int64) {
      path.steps.append(
        CriticalPath.Step(
          start: start, end: end, track: track, state: state, link: link, depth: UInt16(clamping: waiting.count)))
    }
    guard let next = piece.culprit, next != track, let nextLink = piece.link, waiting.count < Self.deepestPath else {
      return add(piece.state, piece.start, piece.end)
    }
    let ready = piece.needsThread && nextLink != .wakeup ? ready(from: piece.start, to: piece.end) : piece.end
    let waiting = waiting + [track]
    for further in pieces(of: next, from: piece.start, to: ready, behind: waiting) {
      follow(further, of: next, link: link?.isLikely == true ? link : nextLink, behind: waiting, into: &path)
    }
    add(.runnable, ready, piece.end)
  }

  /// When a thread that only threads of the launch could wake was ready to run: not later than this.
  private mutating func ready(from start: Int64, to end: Int64) -> Int64 {
    let next = active.partitioningIndex { $0.lowerBound >= end }
    return next == 0 ? end : max(start, min(end, active[next - 1].upperBound))
  }

  // MARK: Chains

  /// The thread that a wait was for, the thread that this one waited for most of that time, and so on.
  mutating func chain(of wait: Wait) -> [WaitCause.Awaited] {
    guard let culprit = wait.culprit, let link = wait.link else { return [] }
    var chain = [WaitCause.Awaited(track: culprit, link: link, time: wait.duration)]
    var waiting = [wait.track, culprit]
    var ranges = [wait.start..<wait.end]
    while chain.count < Self.deepest, let last = chain.last?.track {
      var found: [Int32: (time: Int64, longest: Int64, link: Wait.Link, ranges: [Range<Int64>])] = [:]
      for piece in ranges.flatMap({ pieces(of: last, from: $0.lowerBound, to: $0.upperBound, behind: waiting) }) {
        guard let next = piece.culprit, let link = piece.link else { continue }
        let duration = piece.end - piece.start
        var sum = found[next] ?? (0, 0, link, [])
        sum.time += duration
        // The observer cannot look at a short wait, which may come first.
        if duration > sum.longest { (sum.longest, sum.link) = (duration, link) }
        sum.ranges.append(piece.start..<piece.end)
        found[next] = sum
      }
      guard let next = found.max(by: { ($0.value.time, $1.key) < ($1.value.time, $0.key) }),
        Double(next.value.time) >= Double(wait.duration) * Self.leastShare
      else { break }
      chain.append(WaitCause.Awaited(track: next.key, link: next.value.link, time: next.value.time))
      waiting.append(next.key)
      ranges = next.value.ranges
    }
    return chain
  }

  // MARK: What one thread did

  /// The pieces have no gap. A culprit, which was waited for, is a thread that is not in `waiting`.
  private mutating func pieces(of track: Int32, from lower: Int64, to upper: Int64, behind waiting: [Int32]) -> [Piece]
  {
    let histories = histories
    let turns = histories.turns(of: track)
    let known = turns.known.clamped(to: lower..<max(lower, upper))
    var pieces = beforeFirst(turns, from: lower, to: known.lowerBound, behind: waiting + [track])
    histories.forEachStretch(of: track, in: known) { state, start, end, wait in
      // Culprits are looked for only so often.
      if start == end { return }
      pieces.append(wait.map { piece($0, behind: waiting + [track]) } ?? Piece(start: start, end: end, state: state))
    }
    pieces.append(Piece(start: max(known.upperBound, lower), end: upper, state: .unknown))
    return pieces.filter { $0.start < $0.end }
  }

  /// Before its first turn, a new thread waits for a processor. Before that it did not exist: the launch waited for the
  /// thread that created it.
  private func beforeFirst(_ turns: ThreadTurns, from lower: Int64, to upper: Int64, behind waiting: [Int32]) -> [Piece]
  {
    let created = histories.isWatched ? min(max(turns.creation?.time ?? lower, lower), upper) : upper
    var unborn = Piece(start: lower, end: created, state: .unknown)
    if let creation = turns.creation, !waiting.contains(creation.creator) {
      (unborn.culprit, unborn.link) = (creation.creator, .creation)
    }
    return [unborn, Piece(start: created, end: upper, state: .runnable)]
  }

  private mutating func piece(_ wait: Wait, behind waiting: [Int32]) -> Piece {
    var piece = Piece(
      start: wait.start, end: wait.end, state: wait.state, culprit: wait.culprit, link: wait.link,
      needsThread: wait.needsThread)
    if Culprits.isOpen(wait), let culprit = culprits.busiest(during: wait, except: waiting) {
      (piece.culprit, piece.link) = (culprit, .overlap)
    }
    if wait.needsThread {
      addLast(to: &piece, wait, behind: waiting)
    } else if histories.isWatched, !wait.isEndRecorded, wait.state != .blocked, !Culprits.isTimer(wait) {
      addLast(to: &piece, wait, within: Self.wakeReach, behind: waiting)
    }
    if let culprit = piece.culprit, waiting.contains(culprit) { piece.culprit = nil }
    return piece
  }

  /// A wait that a thread ended, and during which no thread ran for long, ended with the thread that ran last.
  private mutating func addLast(
    to piece: inout Piece, _ wait: Wait, within reach: Int64 = .max, behind waiting: [Int32]
  ) {
    guard piece.culprit == nil, let last = culprits.last(during: wait, within: reach, except: waiting) else { return }
    (piece.culprit, piece.link) = (last, .last)
  }
}
