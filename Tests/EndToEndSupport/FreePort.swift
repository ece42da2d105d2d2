// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

/// A port that nobody listens on, at any address of IPv4 and, where the machine has it, of IPv6.
package enum FreePort {
  package static func find() throws -> Int {
    var (family, descriptor) = (AF_INET6, socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0))
    if descriptor < 0 { (family, descriptor) = (AF_INET, socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)) }
    defer { close(descriptor) }
    // Zeros are all addresses in both families, and both have the port at the same place.
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(family)
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
