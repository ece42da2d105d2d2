// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchSystem
import Testing

@testable import LaunchWire

struct WebConnectionTests {
  /// A name may have an address that swallows packets before one that answers.
  @Test func eachAddressHasItsShareOfTheTime() throws {
    let (silent, receiver) = (try SilentListener(), try Receiver(["200"]))
    let addresses = [silent.port, silent.port, receiver.port]
    let request = WebRequest(
      address: try #require(WebAddress(receiver.address)), headers: [], body: Array("{}".utf8))
    let response = try withAddresses(addresses) { list in
      let connection = try WebConnection(toOneOf: list, timeout: 9)
      defer { connection.close() }
      return try connection.exchange(request)
    }
    #expect(response.status == 200)
  }

  @Test func allAddressesMayBeSilent() throws {
    let silent = try SilentListener()
    let failure = #expect(throws: WebFailure.self) {
      try withAddresses([silent.port, silent.port]) { _ = try WebConnection(toOneOf: $0, timeout: 0.2) }
    }
    #expect(failure?.code == .timeOut && failure?.message == "no answer within 0.2 s")
    #expect(throws: WebFailure.self) { try WebConnection(toOneOf: [], timeout: 1) }
  }

  @Test func namesAreResolved() throws {
    let receiver = try Receiver(["200"])
    let address = try #require(WebAddress("http://localhost:\(receiver.port)"))
    #expect(try WebRequest(address: address, headers: [], body: []).send().status == 200)
  }

  private func withAddresses<Result>(_ ports: [Int], _ body: ([addrinfo]) throws -> Result) throws -> Result {
    var sockets = ports.map(loopback)
    return try sockets.withUnsafeMutableBufferPointer { sockets in
      try body(
        sockets.indices.map { place in
          var info = addrinfo()
          (info.ai_family, info.ai_socktype) = (AF_INET, Int32(SOCK_STREAM.rawValue))
          info.ai_addrlen = socklen_t(MemoryLayout<sockaddr_in>.size)
          info.ai_addr = UnsafeMutableRawPointer(sockets.baseAddress! + place).assumingMemoryBound(to: sockaddr.self)
          return info
        })
    }
  }
}

private func loopback(_ port: Int) -> sockaddr_in {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = in_port_t(port).bigEndian
  address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
  return address
}

/// A port of this machine whose queue is full, so that it answers no more connections.
private final class SilentListener {
  private var sockets: [Int32] = []
  let port: Int

  init() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    sockets = [listener]
    var (address, size) = (loopback(0), socklen_t(MemoryLayout<sockaddr_in>.size))
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, size) | listen(listener, 0) | getsockname(listener, address, &size)
      }
    }
    port = Int(in_port_t(bigEndian: address.sin_port))
    try #require(code == 0)
    // One waits in a queue of 0; the others are not answered.
    for _ in 0..<4 {
      let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
      sockets.append(client)
      _ = withUnsafePointer(to: address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(client, $0, size) }
      }
    }
  }

  deinit { for socket in sockets { close(socket) } }
}
