// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Follows waits from thread to thread: whom one waited for, whom that one waited for in turn, and so on.
///
/// It uses wake-ups and locks where the trace has them, otherwise the thread that ran the most meanwhile. No thread
/// appears twice in a chain.
struct WaitFollower {
  private let histories: ThreadHistories
  private var culprits: Culprits

  /// The most threads in a chain.
  static let deepest = 8
  /// A thread is added to a chain only if the preceding one waited for it for at least this share of its wait.
  private static let leastShare = 0.5

  /// A stretch in which a thread did one thing.
  private struct Piece {
    var start: Int64
    var end: Int64
    var state: ThreadState
    var culprit: Int32?
    var link: Wait.Link?
  }

  init(_ context: AnalysisContext) {
    histories = context.histories
    culprits = Culprits(histories, processID: context.processID)
  }

  // MARK: Time

  /// Adds the threads for whose work `track` waited between two times.
  mutating func follow(
    _ culprit: Int32, link: Wait.Link, from start: Int64, to end: Int64, behind waiting: [Int32],
    into path: inout CriticalPath
  ) {
    for piece in pieces(of: culprit, from: start, to: end, behind: waiting) {
      if let next = piece.culprit, let nextLink = piece.link, waiting.count < Self.deepest {
        follow(
          next, link: link == .overlap ? .overlap : nextLink, from: piece.start, to: piece.end,
          behind: waiting + [culprit], into: &path)
      } else {
        path.append(
          CriticalPath.Step(
            start: piece.start, end: piece.end, track: culprit, state: piece.state, link: link, depth: waiting.count))
      }
    }
  }

  // MARK: Chains

  /// The thread that a wait was for, the thread that this one waited for most of that time, and so on.
  mutating func chain(of wait: Wait) -> [WaitCause.Awaited] {
    guard let culprit = wait.culprit, let link = wait.link else { return [] }
    var chain = [WaitCause.Awaited(track: culprit, link: link, time: wait.duration)]
    var waiting = [wait.track, culprit]
    var ranges = [wait.start..<wait.end]
    while chain.count < Self.deepest, let last = chain.last?.track {
      var found: [Int32: (time: Int64, link: Wait.Link, ranges: [Range<Int64>])] = [:]
      for piece in ranges.flatMap({ pieces(of: last, from: $0.lowerBound, to: $0.upperBound, behind: waiting) }) {
        guard let next = piece.culprit, let link = piece.link else { continue }
        var sum = found[next] ?? (0, link, [])
        sum.time += piece.end - piece.start
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
    let known = histories.turns(of: track).known.clamped(to: lower..<max(lower, upper))
    var pieces = [Piece(start: lower, end: known.lowerBound, state: .unknown)]
    histories.forEachStretch(of: track, in: known) { state, start, end, wait in
      // Culprits are looked for only so often.
      if start == end { return }
      pieces.append(wait.map { piece($0, behind: waiting + [track]) } ?? Piece(start: start, end: end, state: state))
    }
    pieces.append(Piece(start: max(known.upperBound, lower), end: upper, state: .unknown))
    return pieces.filter { $0.start < $0.end }
  }

  private mutating func piece(_ wait: Wait, behind waiting: [Int32]) -> Piece {
    var piece = Piece(start: wait.start, end: wait.end, state: wait.state, culprit: wait.culprit, link: wait.link)
    if Culprits.isOpen(wait), let culprit = culprits.busiest(during: wait, except: waiting) {
      (piece.culprit, piece.link) = (culprit, .overlap)
    }
    if let culprit = piece.culprit, waiting.contains(culprit) { piece.culprit = nil }
    return piece
  }
}
