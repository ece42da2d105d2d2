// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
internal import Glibc
internal import LaunchSystem

/// One connection for one request and its answer; all of it has a deadline.
struct WebConnection {
  private let socket: Int32
  private let limit: Limit

  /// When to give up, and after how many seconds that is.
  private struct Limit {
    let seconds: Double
    var deadline: ContinuousClock.Instant
  }

  /// - Throws: `WebFailure`: `noName`, `noConnection`, `timeOut`.
  init(to address: WebAddress, timeout: Double) throws(WebFailure) {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(address.host, String(address.port), &hints, &found)
    guard code == 0, let found else {
      throw WebFailure(.noName, "\(address.host): \(String(cString: gai_strerror(code)))")
    }
    defer { freeaddrinfo(found) }
    try self.init(toOneOf: Array(sequence(first: found.pointee) { $0.ai_next?.pointee }), timeout: timeout)
  }

  /// Connects to the first address that answers. One that swallows packets leaves the others their share of the time.
  init(toOneOf addresses: [addrinfo], timeout: Double) throws(WebFailure) {
    limit = Limit(seconds: timeout, deadline: .now + .seconds(timeout))
    var failure = WebFailure(.noConnection, "there is no address")
    for (place, address) in addresses.enumerated() {
      let now = ContinuousClock.now
      var share = limit
      share.deadline = now + now.duration(to: limit.deadline) / (addresses.count - place)
      do throws(WebFailure) {
        socket = try Self.connect(address, share)
        return
      } catch { failure = error }
    }
    throw failure
  }

  func close() { Glibc.close(socket) }

  /// Sends all of a request and reads until its answer is whole.
  func exchange(_ request: WebRequest) throws(WebFailure) -> WebResponse {
    let (largestBody, request) = (request.largestAnswer, request.bytes)
    var (sent, answer) = (0, [UInt8]())
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      // The other side may answer, and close, before it has read all.
      let isWriting = sent < request.count
      try Self.wait(socket, Int16(isWriting ? POLLIN | POLLOUT : POLLIN), limit)
      let got = recv(socket, &chunk, chunk.count, Int32(MSG_DONTWAIT))
      if got > 0 {
        answer += chunk[..<got]
        if let response = try WebResponse.read(answer[...], isAtEnd: false, largestBody: largestBody) {
          return response
        }
        if answer.count > WebResponse.largest(largestBody) { throw WebFailure(.broken, "the answer has no end") }
      } else if got == 0 {
        if let response = try WebResponse.read(answer[...], isAtEnd: true, largestBody: largestBody) { return response }
        throw WebFailure(.broken, "the other side closed the connection")
      } else if errno != EAGAIN, errno != EINTR {
        throw Self.failure(.broken, "the connection broke")
      }
      guard isWriting else { continue }
      let count = request.withUnsafeBytes { bytes in
        Glibc.send(socket, bytes.baseAddress! + sent, bytes.count - sent, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        sent += count
      } else if errno == EPIPE || errno == ECONNRESET {
        // Its answer may lie there.
        sent = request.count
      } else if count < 0, errno != EAGAIN, errno != EINTR {
        throw Self.failure(.broken, "the connection broke")
      }
    }
  }

  private static func connect(_ info: addrinfo, _ limit: Limit) throws(WebFailure) -> Int32 {
    let type = info.ai_socktype | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let socket = Glibc.socket(info.ai_family, type, info.ai_protocol)
    guard socket >= 0 else { throw failure(.noConnection, "no socket") }
    do throws(WebFailure) {
      if Glibc.connect(socket, info.ai_addr, info.ai_addrlen) != 0 {
        guard errno == EINPROGRESS || errno == EINTR else { throw failure(.noConnection, "cannot connect") }
        try wait(socket, Int16(POLLOUT), limit)
        var (error, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size)
        errno = error
        if error != 0 { throw failure(.noConnection, "cannot connect") }
      }
    } catch {
      Glibc.close(socket)
      throw error
    }
    return socket
  }

  private static func wait(_ socket: Int32, _ events: Int16, _ limit: Limit) throws(WebFailure) {
    while true {
      let left = ContinuousClock.now.duration(to: limit.deadline)
      guard left > .zero else { throw WebFailure.timeOut(after: limit.seconds) }
      var polled = pollfd(fd: socket, events: events, revents: 0)
      let milliseconds = left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000 + 1
      let count = poll(&polled, 1, Int32(clamping: milliseconds))
      if count > 0 { return }
      if count < 0, errno != EINTR { throw failure(.broken, "the connection broke") }
    }
  }

  private static func failure(_ code: WebFailure.Code, _ what: String) -> WebFailure {
    WebFailure(code, "\(what): \(systemMessage(errno))")
  }
}
#endif
