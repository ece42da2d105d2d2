// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem

/// Asks the program's server with GET until it answers with a status of 200 to 299 (D301).
///
/// A question costs the server time of its launch. So nothing is asked before a socket listens at the address, and the pause
/// between two questions grows with the launch. A question stays open until it is answered: a server may listen long before
/// it takes connections.
final class AnswerWatch: ReadySource {
  private let address: WebAddress
  private let places: [WebPlace]
  private let reader = ListenerReader()
  /// Sockets of other programs, which listened on the port before the launch.
  private let strangers: Set<UInt64>
  /// The oldest first.
  private var pending: [Pending] = []
  private var last: WebQuestion?
  /// Those whose answer is known, and has yet to be read to its end.
  private var answered: [WebQuestion] = []
  /// Which place to ask next, and how many to ask without a pause.
  private var (next, left) = (0, 0)
  private var launched: Int64 = 0
  private var isMet = false
  /// When to ask or look again if no question is open, CLOCK_MONOTONIC ns.
  private var nextTime: Int64 = 0
  /// Until then, the server would not have answered as it must, CLOCK_MONOTONIC ns.
  private var lastNegative: Int64 = 0
  /// `lastNegative` before this round of the places.
  private var since: Int64 = 0
  /// How long the last question may stay alone, ns.
  private var limit: Int64 = 1_000_000_000
  /// In words: what became of the last question, or why there was none.
  private var state: State = .nothingListens

  private enum State {
    case nothingListens, stranger
    case said(String)
  }

  private struct Pending {
    var question: WebQuestion
    /// Until then, the server would not have answered, CLOCK_MONOTONIC ns.
    var since: Int64
  }

  /// ns
  private static let (longestLimit, longestPause): (Int64, Int64) = (32_000_000_000, 100_000_000)
  private static let mostPending = 6

  /// - Throws: `LaunchError.cannotLaunch` if the name is not known.
  init(_ address: WebAddress) throws(LaunchError) {
    self.address = address
    places = try WebPlace.all(of: address)
    let before = Set(reader.listeners().filter { $0.port == address.port }.map(\.inode))
    // Those that this process holds are for the program, which inherits them: socket activation.
    let owners = before.isEmpty ? [:] : ProcessTree(root: getpid(), descendants: nil).sockets(among: before)
    strangers = before.filter { owners[$0]?.contains(getpid()) != true }
  }

  var polled: [pollfd] { (pending.map(\.question) + answered).compactMap(\.polled) }
  // The answer is read to its end, because a server that cannot send it may fail.
  var goesOn: Bool { true }

  func begin(_ program: lo_launched) {
    launched = Int64(program.exec_ns)
    (lastNegative, nextTime) = (launched, launched)
  }

  func pause(after elapsed: Int64) -> Int64? { isMet ? nil : max(0, dueTime - launched - elapsed) }

  /// When to ask again, CLOCK_MONOTONIC ns.
  private var dueTime: Int64 { unanswered.map { $0.began + limit } ?? nextTime }

  /// The last question, if it is pending.
  private var unanswered: WebQuestion? { pending.last.flatMap { $0.question === last ? $0.question : nil } }

  func look() -> ReadySignal? {
    if let signal = finish() { return signal }
    let now = Int64(lo_now())
    guard !isMet, now >= dueTime else { return nil }
    if unanswered != nil {
      state = .said("none within \(limit / 1_000_000_000) s")
      limit = min(2 * limit, Self.longestLimit)
      (next, left) = (next + 1, 0)
    }
    ask(now)
    return readAnswers()
  }

  /// The program has ended. An answer may have come before that.
  func finish() -> ReadySignal? {
    for question in answered { _ = question.advance() }
    answered.removeAll { $0.polled == nil }
    return isMet ? nil : readAnswers()
  }

  private func ask(_ now: Int64) {
    let places = openPlaces()
    guard !places.isEmpty else {
      (lastNegative, next, left) = (now, 0, 0)
      pending = []
      nextTime = now + ReadyWatch.interval(after: now - launched, isAsked: true)
      return
    }
    // An answer that has not ended by now is not read further.
    answered = []
    if pending.count == Self.mostPending { pending.removeFirst() }
    if left == 0 {
      left = places.count
      // Unless this round has success.
      (since, lastNegative) = (lastNegative, now)
    }
    let question = WebQuestion(address, at: places[next % places.count], began: now)
    pending.append(Pending(question: question, since: since))
    last = question
  }

  /// The places at which a socket of the launch takes connections, as far as that can be seen.
  private func openPlaces() -> [WebPlace] {
    guard places.contains(where: \.isLocal) else { return places }
    let listeners = reader.listeners().filter { $0.port == address.port }
    var isTaken = false
    let reachable = places.filter { place in
      guard place.isLocal else { return true }
      func best(_ isStranger: Bool) -> Int {
        listeners.filter { strangers.contains($0.inode) == isStranger }.map(place.fit).max() ?? 0
      }
      isTaken = isTaken || best(true) > 0
      return best(false) > best(true)
    }
    // An answer from before says more.
    if case .said = state { return reachable }
    if reachable.isEmpty { state = isTaken ? .stranger : .nothingListens }
    return reachable
  }

  private func readAnswers() -> ReadySignal? {
    let asked = pending
    pending = []
    for (place, one) in asked.enumerated() {
      guard let answer = one.question.advance() else {
        pending.append(one)
        continue
      }
      if one.question.polled != nil { answered.append(one.question) }
      guard let status = take(answer, of: one.question) else { continue }
      isMet = true
      // Those that are still open get their answers, too.
      answered += pending.map(\.question) + asked[(place + 1)...].map(\.question)
      pending = []
      return ReadySignal(
        kind: .answered, time: one.question.received, error: max(0, one.question.began - one.since),
        detail: status == 200 ? "" : "status \(status)")
    }
    return nil
  }

  /// Returns the status of a success. After anything else, sets when to ask again.
  private func take(_ answer: WebQuestion.Answer, of question: WebQuestion) -> Int? {
    let now = Int64(lo_now())
    switch answer {
    case .status(let status):
      if (200...299).contains(status) { return status }
      state = .said("status \(status)")
      left = 0
    case .refused:
      state = .said("the connection was refused")
      // Another address may be served.
      (next, left) = (next + 1, max(0, left - 1))
      if left > 0 {
        nextTime = now
        return nil
      }
    case .failed(let words):
      state = .said(words)
      (next, left) = (next + 1, 0)
    }
    wait(from: now, since: question.began)
    return nil
  }

  /// Sets when to ask again: a fiftieth of the launch later, so that the time is exact to 2 %. The longer an answer takes, the
  /// more it may cost the server. So the server gets 20 times as long for its own work, up to a tenth of the launch.
  private func wait(from now: Int64, since began: Int64) {
    let elapsed = now - launched
    nextTime = now + min(Self.longestPause, max(2_000_000, elapsed / 50, min(20 * (now - began), elapsed / 10)))
  }

  var evidence: ReadyGap.Evidence? {
    switch state {
    case .nothingListens: .init("Nothing listened on port \(address.port).")
    case .stranger:
      .init(
        "Another program has listened on port \(address.port) since before the launch, so launchprof did not ask. End that program first."
      )
    case .said(let words): .init("Last answer: \(words).")
    }
  }
}
