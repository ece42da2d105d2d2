// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import LaunchSystem

/// Serves one file to one viewer, on this machine only, until the viewer has read it.
///
/// One thread serves all connections, and none can block it. Sockets do not block, heads have a size limit, and slow
/// clients are dropped.
package struct TraceServer: ~Copyable {
  package enum Outcome: Sendable, Equatable {
    case fetched, timedOut
    /// Only programs of other users asked for the file.
    case refused
  }

  private let listener: Int32
  private let file: ServedFile
  private let rules: ServingRules
  /// The next client of a listening socket; below 0 with an errno.
  var nextClient: (Int32) -> Int32 = { accept($0, nil, nil) }
  /// Whether the client at the other end of a connection may have the file.
  var mayRead: (Int32) -> Bool = { OwnClients.include($0) }
  /// Beyond that, a new client takes the place of the oldest one that has not sent its request.
  private static let mostConnections = 16
  /// So many clients wait in the kernel's queue. It refuses others.
  private static let queue: Int32 = 128
  /// How long the server accepts no client after it could not, ns. A process without a free descriptor cannot take a
  /// client from the queue, so `poll` would return at once each time. Also the time between two looks meanwhile.
  private static let rest: Int64 = 100_000_000

  /// Listens on 127.0.0.1.
  ///
  /// - Throws: `ServingError` if the port is taken, or if listening is not possible here.
  package init(_ file: ServedFile, origin: String, port: UInt16) throws(ServingError) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard listener >= 0 else { throw Self.failure(errno, port) }
    var isReused: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(listener, pointer, size) == 0 && listen(listener, Self.queue) == 0
          && getsockname(listener, pointer, &size) == 0
      }
    }
    guard isBound else {
      let code = errno
      close(listener)
      throw Self.failure(code, port)
    }
    self.listener = listener
    self.file = file
    rules = ServingRules(
      path: "/\(Self.token())/\(file.name)", origin: origin, port: UInt16(bigEndian: address.sin_port))
  }

  deinit { close(listener) }

  /// The file's address. It contains a secret token, so it cannot be guessed.
  package var address: String { "http://127.0.0.1:\(rules.port)\(rules.path)" }

  /// 128 bits.
  private static func token() -> String {
    (0..<4).map { _ in
      let digits = String(UInt32.random(in: .min ... .max), radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  private static func failure(_ code: Int32, _ port: UInt16) -> ServingError {
    let text = systemMessage(code)
    if code == EADDRINUSE {
      return ServingError(
        .portTaken,
        message:
          "port \(port) is in use, and the viewer fetches only from this port; end the program that uses it, then try again"
      )
    }
    return ServingError(.cannotListen, message: "cannot listen on 127.0.0.1: \(text)")
  }

  // MARK: Serving

  /// Serves until the file was read, or for `seconds`.
  ///
  /// - Parameter meanwhile: called now and again, until it returns false.
  /// - Throws: what `meanwhile` throws.
  package func serve(seconds: Double, meanwhile: () throws -> Bool) rethrows -> Outcome {
    var connections: [ServedConnection] = []
    defer { for place in connections.indices { connections[place].finish() } }
    let end = Self.now() + Int64(min(seconds, 1e6) * 1e9)
    var (isFetched, hasRefused) = (false, false)
    // After an error, no client is accepted until then.
    var restsUntil: Int64 = 0
    var looks = true
    while true {
      looks = try looks && meanwhile()
      let now = Self.now()
      for place in connections.indices where connections[place].deadline <= now { connections[place].finish() }
      connections.removeAll { $0.state == .done }
      if isFetched, connections.allSatisfy({ !$0.hasFetched }) { return .fetched }
      if now >= end { return isFetched ? .fetched : hasRefused ? .refused : .timedOut }
      let nextLook = looks ? now + Self.rest : end
      let next = (connections.map(\.deadline) + [end, nextLook, restsUntil]).filter { $0 > now }.min() ?? end
      var polled = connections.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
      if Self.hasRoom(connections), restsUntil <= now {
        polled.append(pollfd(fd: listener, events: Int16(POLLIN), revents: 0))
      }
      _ = poll(&polled, nfds_t(polled.count), Int32(clamping: (next - now) / 1_000_000 + 1))
      for place in connections.indices where polled[place].revents != 0 {
        let client = connections[place].descriptor
        connections[place].proceed(
          { request in
            let answer = answer(request, to: client)
            if answer.isOfOtherUser { hasRefused = true }
            return answer
          }, file: file, now: Self.now())
        if connections[place].hasFetched { isFetched = true }
      }
      if polled.count > connections.count, polled[connections.count].revents != 0, !addClients(to: &connections) {
        restsUntil = Self.now() + Self.rest
      }
    }
  }

  private func answer(_ request: HTTPRequest, to client: Int32) -> HTTPAnswer {
    let answer = rules.answer(request)
    return answer.status != .ok || mayRead(client) ? answer : .toOtherUser(answer.origin)
  }

  private static func hasRoom(_ connections: [ServedConnection]) -> Bool {
    connections.count < mostConnections || connections.contains(where: \.isReplaceable)
  }

  /// False after an error, which does not end the server.
  private func addClients(to connections: inout [ServedConnection]) -> Bool {
    // A new client keeps its place for a while, so that its request is read.
    for _ in 0..<Self.mostConnections / 2 where Self.hasRoom(connections) {
      let descriptor = nextClient(listener)
      guard descriptor >= 0 else { return errno == EAGAIN }
      if connections.count == Self.mostConnections, let place = connections.firstIndex(where: \.isReplaceable) {
        connections[place].finish()
        connections.remove(at: place)
      }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      connections.append(ServedConnection(descriptor: descriptor, now: Self.now()))
    }
    return true
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
