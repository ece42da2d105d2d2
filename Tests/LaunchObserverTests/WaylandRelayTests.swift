// SPDX-License-Identifier: Apache-2.0

import CLaunchObserver
import Glibc
import TestSupport
import Testing

/// What passes between a client and a compositor, here both of the test.
final class WaylandRelayTests {
  private let directory: TemporaryDirectory
  private let compositor: Int32
  private let relay: OpaquePointer
  private var path: String { directory.appending("ours") }

  init() throws {
    directory = try TemporaryDirectory()
    let original = directory.appending("compositor")
    compositor = try Self.unixSocket(at: original) { bind($0, $1, $2) }
    try #require(listen(compositor, 8) == 0)
    var error: Int32 = 0
    relay = try #require(lo_wayland_open(directory.appending("ours"), original, &error), "\(error)")
  }

  deinit { close(compositor) }

  private static func unixSocket(
    at path: String, _ join: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws -> Int32 {
    let made = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        join(made, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0, "\(path): \(errno)")
    return made
  }

  /// Both ends of a connection that passes the relay.
  private func connection() throws -> (client: Int32, server: Int32) {
    let client = try Self.unixSocket(at: path) { connect($0, $1, $2) }
    #expect(lo_wayland_pass_on(relay) == 0)
    let server = accept(compositor, nil, nil)
    _ = fcntl(server, F_SETFD, FD_CLOEXEC)
    return (client, server)
  }

  /// Ends one end of a connection. A process that another test has just forked may have a copy of the descriptor, so
  /// close(2) alone might end nothing yet.
  private func hangUp(_ socket: Int32) {
    shutdown(socket, Int32(SHUT_RDWR))
    close(socket)
  }

  /// A message of these bytes. `control` is a struct cmsghdr of cmsg(3) with one descriptor: its length, SOL_SOCKET and
  /// SCM_RIGHTS, then the descriptor.
  private func withMessage(
    _ bytes: inout [UInt8], _ control: inout [UInt64], _ body: (inout msghdr) -> Void
  ) {
    bytes.withUnsafeMutableBytes { bytes in
      control.withUnsafeMutableBytes { control in
        var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
        withUnsafeMutablePointer(to: &part) { part in
          var message = msghdr()
          (message.msg_iov, message.msg_iovlen) = (part, 1)
          (message.msg_control, message.msg_controllen) = (control.baseAddress, control.count)
          body(&message)
        }
      }
    }
  }

  private func send(_ bytes: [UInt8], on socket: Int32, with descriptor: Int32? = nil) {
    var bytes = bytes
    var control: [UInt64] = []
    if let descriptor { control = [20, UInt64(SOL_SOCKET) | 1 << 32, UInt64(descriptor)] }
    let count = bytes.count
    withMessage(&bytes, &control) { #expect(sendmsg(socket, &$0, 0) == count) }
  }

  /// What comes next, and the descriptor that comes along.
  private func receive(_ count: Int, from socket: Int32) -> (bytes: [UInt8], descriptor: Int32?) {
    var bytes = [UInt8](repeating: 0, count: count)
    var control = [UInt64](repeating: 0, count: 3)
    var (length, size) = (0, 0)
    withMessage(&bytes, &control) { message in
      length = recvmsg(socket, &message, 0)
      size = message.msg_controllen
    }
    return (Array(bytes.prefix(max(0, length))), size > 0 ? Int32(truncatingIfNeeded: control[2]) : nil)
  }

  private func hasEnded(_ socket: Int32) -> Bool { receive(1, from: socket).bytes.isEmpty }

  @Test func bytesAndDescriptorsArriveOnTheOtherSide() throws {
    let (client, server) = try connection()
    defer { for descriptor in [client, server] { close(descriptor) } }
    var (source, end): (Int32, Int32) = (-1, -1)
    #expect(lo_pipe(&source, &end) == 0)
    send(Array("to the compositor".utf8), on: client, with: source)
    #expect(lo_wayland_pass_on(relay) == 0)
    let arrived = receive(100, from: server)
    #expect(arrived.bytes == Array("to the compositor".utf8))
    close(source)
    // The descriptor that arrived is the same pipe, and the relay does not keep it.
    let passed = try #require(arrived.descriptor)
    #expect(write(end, "x", 1) == 1)
    var byte: UInt8 = 0
    #expect(read(passed, &byte, 1) == 1 && byte == UInt8(ascii: "x"))
    close(passed)
    signal(SIGPIPE, SIG_IGN)
    try waitUntil("no process has the descriptor any more") { write(end, "x", 1) == -1 && errno == EPIPE }
    close(end)
    send(Array("to the client".utf8), on: server)
    #expect(lo_wayland_pass_on(relay) == 0)
    #expect(receive(100, from: client).bytes == Array("to the client".utf8))
    lo_wayland_close(relay)
  }

  /// A side that does not read does not hold up the other direction, and loses nothing.
  @Test func aSlowReaderGetsAll() throws {
    let (client, server) = try connection()
    defer { close(server) }
    let sent = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    _ = fcntl(client, F_SETFL, O_NONBLOCK)
    var (next, arrived): (Int, [UInt8]) = (0, [])
    while arrived.count < sent.count {
      let count = sent[next...].withUnsafeBytes { write(client, $0.baseAddress, min($0.count, 100_000)) }
      if count > 0 { next += count }
      #expect(lo_wayland_pass_on(relay) == 0)
      if arrived.isEmpty {
        send([7], on: server)
        #expect(lo_wayland_pass_on(relay) == 0)
        #expect(receive(8, from: client).bytes == [7])
      }
      arrived += receive(50_000, from: server).bytes
    }
    #expect(arrived == sent)
    hangUp(client)
    #expect(lo_wayland_pass_on(relay) == 0 && hasEnded(server))
    lo_wayland_close(relay)
  }

  @Test func theFirstWindowIsSeenOnce() throws {
    let connections = [try connection(), try connection()]
    defer { for (client, server) in connections { for descriptor in [client, server] { close(descriptor) } } }
    let before = lo_now()
    send(WaylandClient.withWindow.bytes, on: connections[1].client)
    let time = lo_wayland_pass_on(relay)
    #expect(time >= before && time <= lo_now())
    #expect(receive(4096, from: connections[1].server).bytes == WaylandClient.withWindow.bytes)
    send(WaylandClient.withWindow.bytes, on: connections[0].client)
    #expect(lo_wayland_pass_on(relay) == 0)
    #expect(lo_wayland_clients(relay) == 2)
    for (client, _) in connections { shutdown(client, Int32(SHUT_RDWR)) }
    #expect(lo_wayland_pass_on(relay) == 0)
    lo_wayland_close(relay)
  }

  /// The compositor's last message says why it closes the connection.
  @Test func theLastMessageArrives() throws {
    let (client, server) = try connection()
    send(Array("error".utf8), on: server)
    hangUp(server)
    send([1, 2, 3], on: client)
    #expect(lo_wayland_pass_on(relay) == 0)
    #expect(receive(100, from: client).bytes == Array("error".utf8) && hasEnded(client))
    close(client)
    lo_wayland_close(relay)
  }

  /// Programs that a launch leaves running keep their display, and nothing else of the launcher.
  @Test func connectionsGoOnAfterTheLaunch() throws {
    let (client, server) = try connection()
    var (source, end): (Int32, Int32) = (-1, -1)
    #expect(lo_pipe(&source, &end) == 0)
    lo_wayland_close(relay)
    close(end)
    var byte: UInt8 = 0
    #expect(read(source, &byte, 1) == 0)
    close(source)
    send([1], on: client)
    #expect(receive(8, from: server).bytes == [1])
    send([2], on: server)
    #expect(receive(8, from: client).bytes == [2])
    hangUp(client)
    #expect(hasEnded(server))
    close(server)
  }
}
