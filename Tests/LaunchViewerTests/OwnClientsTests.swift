// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import LaunchViewer

/// Which clients belong to this user.
@Suite struct OwnClientsTests {
  private static let table = """
      sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
       0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1 0 100 0 0 10 0
       1: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 2 1 0 20 4 0 10 -1
       2: 0100007F:C350 0100007F:0016 01 00000000:00000000 00:00000000 00000000  1002        0 3 1 0 20 4 0 10 -1
       3: 0100007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 4 1 0 20 4 0 10 -1
    """

  /// The row of the client's end counts, not that of the server's.
  @Test func aClientHasARow() {
    #expect(OwnClients.owner(from: "0100007F:C350", to: "0100007F:1F90", in: Self.table) == 1001)
    #expect(OwnClients.owner(from: "0200007F:C350", to: "0100007F:1F90", in: Self.table) == nil)
    #expect(OwnClients.owner(from: "0100007F:C350", to: "0100007F:1F90", in: "") == nil)
    #expect(OwnClients.owner(from: "0100007F:C350", to: "0100007F:1F90", in: "0100007F:C350 x\n") == nil)
  }

  /// A client may use an IPv6 socket for an IPv4 address.
  @Test func aMappedAddressIsFound() {
    let mapped = String(repeating: "0", count: 16) + (UInt32(1).littleEndian == 1 ? "FFFF0000" : "0000FFFF")
    let table = Self.table.split(separator: " ", omittingEmptySubsequences: false)
      .map { $0.contains("007F:") ? mapped + $0 : String($0) }.joined(separator: " ")
    #expect(OwnClients.owner(from: "0100007F:C350", to: "0100007F:1F90", in: table) == 1001)
  }

  /// A real connection, of which this process has both ends. To another user, it belongs to a stranger, unless it is root's.
  @Test func theKernelTellsTheUser() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { for descriptor in [listener, client] { close(descriptor) } }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 1) == 0 && getsockname(listener, $0, &size) == 0
          && connect(client, $0, size) == 0
      }
    }
    try #require(isConnected)
    let server = accept(listener, nil, nil)
    defer { close(server) }
    #expect(OwnClients.include(server))
    #expect(OwnClients.include(server, user: geteuid() + 1) == (geteuid() == 0))
  }
}
