// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing

@testable import LaunchObserver

/// How long a program that records itself may go on until it says that its launch is over.
struct OwnEndTests {
  private static let second: Int64 = 1_000_000_000

  /// What the launcher's loop does, on a clock that jumps to the next time.
  private func run(
    settle: Int64 = 0, hasEnded: Bool = false, _ answer: @escaping @Sendable (_ now: Int64) -> OwnEnd
  ) -> (ended: Int64, questions: Int, told: [OwnEnd.Wait], isMissed: Bool) {
    let (now, questions, told) = (Time(), Time(), Told())
    var wait = OwnEndWait(
      { _, _ in
        questions.value += 1
        return answer(now.value)
      }, settle: settle, tell: { told.add($0) })
    now.value = settle
    while wait.holds(1, hasEnded: hasEnded, since: 0, clock: { now.value }) { now.value = wait.next ?? .max }
    return (now.value, Int(questions.value), told.all, wait.isMissed)
  }

  private final class Time: Sendable {
    private let stored = Mutex<Int64>(0)
    var value: Int64 {
      get { stored.withLock(\.self) }
      set { stored.withLock { $0 = newValue } }
    }
  }

  private final class Told: Sendable {
    private let stored = Mutex<[OwnEnd.Wait]>([])
    var all: [OwnEnd.Wait] { stored.withLock(\.self) }
    func add(_ wait: OwnEnd.Wait) { stored.withLock { $0.append(wait) } }
  }

  @Test func aProgramThatDoesNotRecordIsEndedAtOnce() {
    let (ended, questions, told, isMissed) = run(settle: 5) { _ in .notRecorded }
    #expect(ended == 5 && questions == 1 && told.isEmpty && !isMissed)
  }

  @Test func aProgramThatHasSaidItIsEndedAtOnce() {
    #expect(run(settle: 5) { _ in .reached(-3) }.ended == 5)
  }

  @Test func itHasItsTimeAfterTheMark() {
    let mark = Self.second
    let (ended, _, told, isMissed) = run(settle: 100_000_000) { $0 < mark ? .open : .reached(mark) }
    #expect(ended == mark + 100_000_000)
    #expect(told.isEmpty && !isMissed)
  }

  @Test func itGivesUpAfterTenSeconds() {
    let (ended, questions, told, isMissed) = run { _ in .open }
    #expect(ended >= 10 * Self.second && ended < 11 * Self.second && isMissed)
    #expect(questions < 200)
    guard case .awaited(let patience)? = told.first else {
      Issue.record("\(told)")
      return
    }
    #expect(patience > 7 * Self.second && patience <= 8 * Self.second)
    #expect(told.dropFirst() == [.missed])
  }

  /// A settle time may be longer than the launcher's patience.
  @Test func whoeverSettlesLongerGetsThat() {
    let (ended, questions, told, isMissed) = run(settle: 60 * Self.second) { _ in .open }
    #expect(ended == 60 * Self.second && questions == 1 && told == [.missed] && isMissed)
  }

  @Test func aMarkInTheFutureIsNotAwaited() {
    #expect(run(settle: 7) { _ in .reached(.max) }.ended == 14)
  }
}
