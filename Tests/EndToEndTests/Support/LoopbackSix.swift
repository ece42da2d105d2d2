// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

/// IPv6 on the loopback, which the default network of Docker does not have.
enum LoopbackSix {
  /// Skips a test where nothing can listen on `::1`. The output of the tests says so.
  static let needed: ConditionTrait = .enabled("the loopback has no IPv6 here") {
    let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_addr = in6addr_loopback
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
      }
    }
  }
}
