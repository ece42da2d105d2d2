// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem
internal import LaunchWire

/// Asks the program's server with GET until it answers with a status of 200 to 299 (D301-h48).
///
/// A question costs the server time of its launch. So nothing is asked before a socket listens at the address, one question
/// is open at a time, and the pause between two grows with the launch.
final class AnswerWatch: ReadySource {
  private let address: WebAddress
  private let places: [WebPlace]
  private let reader = ListenerReader()
  /// Sockets of other programs, which listened on the port before the launch.
  private let strangers: Set<UInt64>
  private var question: WebQuestion?
  /// The one whose answer is known, and has yet to be read to its end.
  private var answered: WebQuestion?
  /// Which place to ask next, and how many to ask without a pause.
  private var (next, left) = (0, 0)
  private var launched: Int64 = 0
  private var isMet = false
  /// When to ask or look again, CLOCK_MONOTONIC ns.
  private var nextTime: Int64 = 0
  /// Until then, the server would not have answered as it must, CLOCK_MONOTONIC ns.
  private var lastNegative: Int64 = 0
  /// How long an answer may take, ns.
  private var limit: Int64 = 1_000_000_000
  /// In words: what became of the last question, or why there was none.
  private var state: State = .nothingListens

  private enum State {
    case nothingListens, stranger
    case said(String)
  }

  /// ns
  private static let (longestLimit, longestPause): (Int64, Int64) = (32_000_000_000, 100_000_000)

  /// - Throws: `LaunchError.cannotLaunch` if the name is not known.
  init(_ address: WebAddress) throws(LaunchError) {
    self.address = address
    places = try WebPlace.all(of: address)
    let before = Set(reader.listeners().filter { $0.port == address.port }.map(\.inode))
    // Those that this process holds are for the program, which inherits them: socket activation.
    let owners = before.isEmpty ? [:] : ProcessTree(root: getpid(), descendants: nil).sockets(among: before)
    strangers = before.filter { owners[$0]?.contains(getpid()) != true }
  }

  var polled: [pollfd] { [question?.polled, answered?.polled].compactMap(\.self) }
  // The answer is read to its end, because a server that cannot send it may fail.
  var goesOn: Bool { true }

  func begin(_ program: lo_launched) {
    launched = Int64(program.exec_ns)
    (lastNegative, nextTime) = (launched, launched)
  }

  func pause(after elapsed: Int64, isAsked: Bool) -> Int64? {
    if isMet { return nil }
    if let question { return max(0, question.began + limit - launched - elapsed) }
    return max(0, nextTime - launched - elapsed)
  }

  func look() -> ReadySignal? {
    readToTheEnd()
    if isMet { return nil }
    if question == nil, Int64(lo_now()) >= nextTime { ask() }
    return readAnswer()
  }

  /// The program has ended. An answer may have come before that.
  func finish() -> ReadySignal? {
    readToTheEnd()
    return isMet ? nil : readAnswer()
  }

  private func readToTheEnd() {
    _ = answered?.advance()
    if answered?.polled == nil { answered = nil }
  }

  private func ask() {
    let now = Int64(lo_now())
    let open = openPlaces()
    guard !open.isEmpty else {
      (lastNegative, next, left) = (now, 0, 0)
      nextTime = now + Int64(ReadyWatch.interval(after: now - launched, isAsked: true)) * 1_000_000
      return
    }
    // An answer that has not ended by now is not read further.
    answered = nil
    question = WebQuestion(address, at: open[next % open.count], began: now)
    if left == 0 { left = open.count }
  }

  /// The places at which a socket of the launch takes connections, as far as that can be seen.
  private func openPlaces() -> [WebPlace] {
    guard places.contains(where: \.isLocal) else { return places }
    let listeners = reader.listeners().filter { $0.port == address.port }
    var isTaken = false
    let open = places.filter { place in
      guard place.isLocal else { return true }
      func best(_ isStranger: Bool) -> Int {
        listeners.filter { strangers.contains($0.inode) == isStranger }.map(place.fit).max() ?? 0
      }
      isTaken = isTaken || best(true) > 0
      return best(false) > best(true)
    }
    // An answer from before says more.
    if case .said = state { return open }
    if open.isEmpty { state = isTaken ? .stranger : .nothingListens }
    return open
  }

  private func readAnswer() -> ReadySignal? {
    guard let question else { return nil }
    let answer = question.advance()
    let now = Int64(lo_now())
    if answer == nil, now - question.began < limit { return nil }
    self.question = nil
    switch answer {
    case .status(let status):
      answered = question.polled == nil ? nil : question
      left = 0
      if (200...299).contains(status) {
        isMet = true
        return ReadySignal(
          kind: .answered, time: question.received, error: max(0, question.began - lastNegative),
          detail: status == 200 ? "" : "status \(status)")
      }
      state = .said("status \(status)")
    case .refused:
      state = .said("the connection was refused")
      // Another address may be served.
      (next, left) = (next + 1, left - 1)
      if left > 0 {
        nextTime = now
        return nil
      }
    case .failed(let words):
      state = .said(words)
      (next, left) = (next + 1, 0)
    case nil:
      state = .said("none within \(limit / 1_000_000_000) s")
      (next, left) = (next + 1, 0)
      limit = min(2 * limit, Self.longestLimit)
    }
    lastNegative = question.began
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
