// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

/// A port that nobody listens on.
enum FreePort {
  static func find() throws -> Int {
    let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_addr = in6addr_loopback
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    return try withUnsafeMutablePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        try #require(bind(descriptor, $0, size) == 0)
        try #require(getsockname(descriptor, $0, &size) == 0)
      }
      return Int(UInt16(bigEndian: pointer.pointee.sin6_port))
    }
  }
}
