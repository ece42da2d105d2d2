// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem
internal import LaunchWire

/// One GET, over a connection of its own that never blocks.
///
/// The server should not be the one that closes: the kernel would keep its port for a minute (TIME_WAIT), and a later launch
/// could not listen there. So the connection is asked to stay, and is closed here when the answer is whole.
final class WebQuestion {
  enum Answer: Equatable {
    case status(Int)
    /// No socket takes connections there.
    case refused(Int32)
    /// In words.
    case failed(String)
  }

  /// CLOCK_MONOTONIC, ns.
  let began: Int64
  private var socket: Int32
  private var unsent: ArraySlice<UInt8>
  private var isConnected: Bool
  private var bytes: [UInt8] = []
  private var isAnswered = false
  private var failure: Int32 = 0
  /// When the last bytes came, CLOCK_MONOTONIC ns.
  private(set) var received: Int64 = 0

  /// More of an answer is not read.
  private static let largestBody = 1 << 20

  init(_ address: WebAddress, at place: WebPlace, began: Int64) {
    self.began = began
    // As HTTP/1.1 has it.
    let lines = [
      "GET \(address.target) HTTP/1.1", "Host: \(address.authority)", "User-Agent: launchprof", "Accept: */*", "", "",
    ]
    unsent = Array(lines.joined(separator: "\r\n").utf8)[...]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    socket = Glibc.socket(place.family, type, 0)
    failure = socket < 0 ? errno : place.connect(socket)
    isConnected = failure == 0
    if failure == EINPROGRESS { failure = 0 }
  }

  deinit { close() }

  func close() {
    if socket >= 0 { Glibc.close(socket) }
    socket = -1
  }

  /// What to wait for; nil if the connection is closed.
  var polled: pollfd? {
    guard socket >= 0 else { return nil }
    return pollfd(fd: socket, events: Int16(unsent.isEmpty ? POLLIN : POLLIN | POLLOUT), revents: 0)
  }

  /// Sends and reads as far as possible now. Returns the answer once, when its status is there; then nil. Closes the
  /// connection when the answer is whole.
  func advance() -> Answer? {
    if failure == 0, !isConnected { connectFurther() }
    if failure != 0 { return end(failure == ECONNREFUSED ? .refused(failure) : .failed(systemMessage(failure))) }
    guard socket >= 0, isConnected else { return nil }
    send()
    let isAtEnd = receive()
    let status = Self.status(of: bytes[...])
    let isWhole = Self.isWhole(bytes, isAtEnd: isAtEnd)
    defer { if isWhole || isAtEnd { close() } }
    if isAnswered { return nil }
    switch status {
    case .known(let status):
      isAnswered = true
      return .status(status)
    case .open: return isAtEnd ? end(.failed("the connection was closed without one")) : nil
    case .notHTTP: return end(.failed("it is not HTTP/1.1"))
    }
  }

  private func end(_ answer: Answer) -> Answer? {
    close()
    if isAnswered { return nil }
    isAnswered = true
    return answer
  }

  private func connectFurther() {
    var polled = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
    guard poll(&polled, 1, 0) > 0 else { return }
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(socket, SOL_SOCKET, SO_ERROR, &failure, &size)
    isConnected = failure == 0
  }

  private func send() {
    guard !unsent.isEmpty else { return }
    let count = unsent.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    if count > 0 { unsent = unsent.dropFirst(count) }
    // A connection that broke is seen when it is read. There may be an answer before that.
    if count < 0, errno != EAGAIN, errno != EINTR { unsent = [] }
  }

  /// Returns whether the connection has ended.
  private func receive() -> Bool {
    var block = [UInt8](repeating: 0, count: 1 << 14)
    while bytes.count <= Self.largestBody {
      let count = recv(socket, &block, block.count, 0)
      if count > 0 {
        received = Int64(lo_now())
        bytes += block[..<count]
      } else if count == 0 || errno != EINTR {
        return count == 0 || errno != EAGAIN
      }
    }
    return true
  }

  private static func isWhole(_ bytes: [UInt8], isAtEnd: Bool) -> Bool {
    do throws(WebFailure) {
      return try WebResponse.read(bytes[...], isAtEnd: isAtEnd, largestBody: largestBody) != nil
    } catch {
      return true
    }
  }

  enum Status: Equatable {
    case open
    case known(Int)
    case notHTTP
  }

  /// The status in the first line of an answer: RFC 9112, section 4. Those below 200 come before the answer.
  static func status(of bytes: ArraySlice<UInt8>) -> Status {
    let start = Array("HTTP/1.".utf8)
    var rest = bytes
    for _ in 0...mostInterim {
      guard rest.prefix(start.count).elementsEqual(start.prefix(rest.count)) else { return .notHTTP }
      // `HTTP/1.1 200 `
      guard rest.count > 12 else { return .open }
      let digits = String(decoding: rest.dropFirst(9).prefix(3), as: UTF8.self)
      guard let status = Int(digits), status >= 100 else { return .notHTTP }
      if status >= 200 { return .known(status) }
      guard let end = rest.firstRange(of: [0x0d, 0x0a, 0x0d, 0x0a])?.upperBound else { return .open }
      rest = rest[end...]
    }
    return .notHTTP
  }

  /// Most answers with a status below 200 that may come before the answer.
  private static let mostInterim = 32
}
