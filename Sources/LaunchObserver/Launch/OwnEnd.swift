// SPDX-License-Identifier: Apache-2.0

/// What a launched program's own trace says about the end of its launch: `mark(.ready)` and the like.
package enum OwnEnd: Sendable, Equatable {
  /// The program does not record itself.
  case notRecorded
  /// The trace has no end so far.
  case open
  /// CLOCK_MONOTONIC, ns.
  case reached(Int64)

  /// What to tell a person meanwhile.
  package enum Wait: Sendable, Equatable {
    /// The launcher waits for at most this many ns more.
    case awaited(patience: Int64)
    /// The program did not mark the end.
    case missed
  }
}

/// Lets a program that records itself reach the end of its launch before the launcher ends the program (D293).
///
/// A server may listen long before it says that it is ready. If it were ended by then, its launch would last only until it
/// listened, so a slower launch would look faster.
struct OwnEndWait {
  /// Gets the process's id, and whether it has ended.
  typealias Question = @Sendable (_ processID: Int32, _ hasEnded: Bool) -> OwnEnd

  private let ask: Question
  private let tell: (@Sendable (OwnEnd.Wait) -> Void)?
  private let settle: Int64
  private var isDecided = false
  private var isTold = false
  /// When to ask again, or to end the program, CLOCK_MONOTONIC ns; nil before the first question.
  private(set) var next: Int64?
  /// The program recorded, and did not mark an end in time.
  private(set) var isMissed = false

  /// How long a program may take from meeting the rule to its mark, ns.
  private static let patience: Int64 = 10_000_000_000
  /// After this time, the launcher says what it waits for, ns.
  private static let quietPatience: Int64 = 2_000_000_000
  private static let leastPause: Int64 = 20_000_000

  init(_ ask: @escaping Question, settle: Int64, tell: (@Sendable (OwnEnd.Wait) -> Void)?) {
    (self.ask, self.settle, self.tell) = (ask, settle, tell)
  }

  /// True if the program must not be ended yet. Then `next` says when to call this again.
  ///
  /// - Parameters:
  ///   - met: when the program met the rule of `--ready`.
  ///   - clock: the time, CLOCK_MONOTONIC ns.
  mutating func holds(_ processID: Int32, hasEnded: Bool, since met: Int64, clock: () -> Int64) -> Bool {
    guard !isDecided else { return false }
    let now = clock()
    switch ask(processID, hasEnded) {
    case .notRecorded:
      isDecided = true
      return false
    case .reached(let time):
      isDecided = true
      // A time from a damaged trace must not make the launcher wait for ever.
      let end = min(time, now).addingReportingOverflow(settle)
      next = end.overflow ? .max : end.partialValue
      return next ?? now > now
    case .open:
      let waited = now - met
      guard waited < max(Self.patience, settle) else {
        (isDecided, isMissed) = (true, true)
        tell?(.missed)
        return false
      }
      if waited >= Self.quietPatience, !isTold {
        isTold = true
        tell?(.awaited(patience: Self.patience - waited))
      }
      // Reading the trace takes time, of which the program gets the most.
      let end = clock()
      next = end + max(Self.leastPause, waited / 20, 10 * (end - now))
      return true
    }
  }
}
