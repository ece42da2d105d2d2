// SPDX-License-Identifier: Apache-2.0

import CLaunchObserver
import Glibc
import Testing

@testable import LaunchObserver

/// Whether a thread waits for a name server.
struct NameServerTests {
  private let head =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops\n"

  #if _endian(little)
  @Test(
    arguments: [
      (
        "  413: 0100007F:E0F2 0900007F:0035 01 00000000:00000000 00:00000000 00000000     0        0 71 2 0 0",
        "127.0.0.9"
      ),
      ("  413: 0100007F:E0F2 0900007F:0036 01 00000000:00000000 00:00000000 00000000     0        0 71 2 0 0", nil),
      ("  413: 0100007F:E0F2 0900007F:0035 01 00000000:00000000 00:00000000 00000000     0        0 711 2 0 0", nil),
      (
        "  9: 00000000000000000000000001000000:A0 00000000000000000000000001000000:0035 01 0:0 00:0 0 0 0 71 2 0 0",
        "::1"
      ),
      ("  413: 0100007F:E0F2 0900007F0900007F:0035 01 0:0 00:0 0 0 0 71 2 0 0", nil), ("  413:", nil), ("", nil),
    ] as [(String, String?)])
  func addressesAreThoseOfPort53(line: String, address: String?) {
    #expect(NameServer.address(in: head + line + "\n", inode: "71") == address)
  }
  #endif

  /// The sockets of this process itself.
  @Test(arguments: [53, 54] as [UInt16]) func aSocketOfThisProcessIsFound(port: UInt16) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(descriptor) }
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = port.bigEndian
    #expect(inet_pton(AF_INET, "127.0.0.9", &place.sin_addr) == 1)
    let status = withUnsafePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    #expect(status == 0)
    var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    func server(_ count: UInt64) -> NameServer? {
      withUnsafePointer(to: &waited) { pointer in
        NameServer(of: getpid(), folder: "/proc/\(getpid())", [UInt64(UInt(bitPattern: pointer)), count, 50, 0, 0, 0])
      }
    }
    #expect(server(1)?.address == (port == 53 ? "127.0.0.9" : nil))
    #expect(server(2) == nil)
    waited.fd = -1
    #expect(server(1) == nil)
  }
}
