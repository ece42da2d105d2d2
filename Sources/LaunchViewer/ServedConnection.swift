// SPDX-License-Identifier: Apache-2.0

import Glibc

/// One connection: the request comes in, the answer goes out, the connection is closed.
struct ServedConnection {
  enum State {
    case reading
    case writing
    /// Everything is sent. The client closes next.
    case draining
    case done
  }

  let descriptor: Int32
  private(set) var state = State.reading
  /// The whole file was sent.
  private(set) var hasFetched = false
  /// When the connection is given up, ns.
  private(set) var deadline: Int64

  private var request: [UInt8] = []
  private var head: [UInt8] = []
  private var sent = 0
  /// The remaining bytes of the file, after the head.
  private var body: Range<Int> = 0..<0

  /// The time limit for the request, and for each step of the answer, ns.
  static let patience: Int64 = 10_000_000_000
  /// Bytes of the file that are sent at once.
  static let piece = 1 << 16
  /// The time limit for the client to close, ns.
  private static let farewell: Int64 = 1_000_000_000

  init(descriptor: Int32, now: Int64) {
    self.descriptor = descriptor
    deadline = now + Self.patience
  }

  /// The viewer loses nothing if this connection ends: it has not asked for anything, or has its answer.
  var isReplaceable: Bool { state == .reading || state == .draining && !hasFetched }

  var events: Int16 { state == .writing ? Int16(POLLOUT) : Int16(POLLIN) }

  /// Takes the next step: reads what has come, or sends one piece of the file. So no client waits for the whole file of
  /// another one.
  mutating func proceed(_ answer: (HTTPRequest) -> HTTPAnswer, file: ServedFile, now: Int64) {
    switch state {
    case .reading: read(answer, file: file, now: now)
    case .writing: write(file, now: now)
    case .draining: drain()
    case .done: break
    }
  }

  // MARK: Request

  private mutating func read(_ answer: (HTTPRequest) -> HTTPAnswer, file: ServedFile, now: Int64) {
    var chunk = [UInt8](repeating: 0, count: 4096)
    let got = recv(descriptor, &chunk, chunk.count, 0)
    if got < 0, errno == EAGAIN || errno == EINTR { return }
    guard got > 0 else { return finish() }
    request += chunk[..<got]
    do throws(HTTPRequest.Failure) {
      guard let parsed = try HTTPRequest.parse(request) else { return }
      begin(answer(parsed), file, now: now)
    } catch {
      begin(HTTPAnswer(error == .tooLong ? .headTooLong : .badRequest), file, now: now)
    }
  }

  private mutating func begin(_ answer: HTTPAnswer, _ file: ServedFile, now: Int64) {
    head = answer.head(of: file)
    body = answer.hasBody ? 0..<file.size : 0..<0
    isWhole = answer.hasBody
    state = .writing
    deadline = now + Self.patience
    write(file, now: now)
  }

  /// Whether the answer is the whole file.
  private var isWhole = false

  // MARK: Answer

  private mutating func write(_ file: ServedFile, now: Int64) {
    while sent < head.count {
      let count = head.withUnsafeBytes {
        send(descriptor, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
      }
      if !took(count, now: now) { return }
      sent += count
    }
    if !body.isEmpty {
      var chunk = [UInt8](repeating: 0, count: Self.piece)
      let got = pread(file.descriptor, &chunk, min(chunk.count, body.count), off_t(body.lowerBound))
      // The file has become shorter. The client sees that bytes are missing.
      guard got > 0 else { return finish() }
      let count = send(descriptor, chunk, got, Int32(MSG_NOSIGNAL))
      if !took(count, now: now) { return }
      body = (body.lowerBound + count)..<body.upperBound
      if !body.isEmpty { return }
    }
    hasFetched = isWhole
    // Closing at once could reset the connection before the client has read everything.
    shutdown(descriptor, Int32(SHUT_WR))
    state = .draining
    deadline = now + Self.farewell
  }

  /// False if the socket accepts no more, for now or for good.
  private mutating func took(_ count: Int, now: Int64) -> Bool {
    if count < 0, errno == EINTR || errno == EAGAIN { return false }
    guard count > 0 else {
      finish()
      return false
    }
    deadline = now + Self.patience
    return true
  }

  private mutating func drain() {
    var chunk = [UInt8](repeating: 0, count: 4096)
    let got = recv(descriptor, &chunk, chunk.count, 0)
    if got < 0, errno == EAGAIN || errno == EINTR { return }
    if got <= 0 { finish() }
  }

  mutating func finish() {
    guard state != .done else { return }
    state = .done
    close(descriptor)
  }
}
