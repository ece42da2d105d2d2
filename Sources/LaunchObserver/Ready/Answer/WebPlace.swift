// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import LaunchSystem
import Synchronization

/// Where a server is asked: an IP address and a port.
struct WebPlace: Equatable {
  /// sockaddr_in or sockaddr_in6, byte for byte.
  private let socketAddress: [UInt8]
  let family: Int32
  /// As in a packet: 4 or 16 bytes.
  let address: [UInt8]
  /// Whether it is an address of this machine, so that the sockets that listen there can be seen.
  let isLocal: Bool

  /// Those that were looked up. A name server may answer late, so a series asks it once.
  private static let known = Mutex<[String: [WebPlace]]>([:])

  /// The places of an address, in the order in which they are tried: both of this machine for `localhost`. The first call waits for
  /// the name server.
  ///
  /// - Throws: `LaunchError.cannotLaunch` if the name is not known, or no network has such an address.
  static func all(of address: WebAddress) throws(LaunchError) -> [WebPlace] {
    if let places = known.withLock({ $0[address.authority] }) { return places }
    let places = try lookUp(address)
    known.withLock { $0[address.authority] = places }
    return places
  }

  private static func lookUp(_ address: WebAddress) throws(LaunchError) -> [WebPlace] {
    let isLocalhost = address.host.lowercased() == "localhost"
    let hosts = isLocalhost ? ["127.0.0.1", "::1"] : [address.host]
    var places: [WebPlace] = []
    var reason = "no network of this machine has such an address"
    for host in hosts {
      var hints = addrinfo()
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
      if isLocalhost { hints.ai_flags = AI_NUMERICHOST }
      var found: UnsafeMutablePointer<addrinfo>?
      let code = getaddrinfo(host, String(address.port), &hints, &found)
      guard code == 0, let found else {
        reason = String(cString: gai_strerror(code))
        continue
      }
      defer { freeaddrinfo(found) }
      places += sequence(first: found.pointee) { $0.ai_next?.pointee }.compactMap(WebPlace.init)
    }
    guard places.isEmpty else { return places }
    throw LaunchError(.cannotLaunch, path: "--ready \(address)", message: "cannot ask \(address.host): \(reason)")
  }

  /// nil for another family, and for one that this machine does not have.
  private init?(_ info: addrinfo) {
    family = info.ai_family
    guard let pointer = info.ai_addr, family == AF_INET || family == AF_INET6 else { return nil }
    var bytes = Array(UnsafeRawBufferPointer(start: pointer, count: Int(info.ai_addrlen)))
    // sockaddr_in(3type): family, port, address; sockaddr_in6: family, port, flow, address.
    let place = family == AF_INET ? 4..<8 : 8..<24
    // A server prints the address that means all of them. The kernel takes it for the loopback.
    if bytes[place].allSatisfy({ $0 == 0 }) {
      bytes[place.upperBound - 1] = 1
      if family == AF_INET { bytes[place.lowerBound] = 127 }
    }
    (socketAddress, address) = (bytes, Array(bytes[place]))
    let socket = Glibc.socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return nil }
    // Only an address of this machine can be bound. Port 0: the kernel chooses one.
    bytes.replaceSubrange(2..<4, with: [0, 0])
    isLocal = Self.withPointer(bytes) { bind(socket, $0, $1) } == 0
    close(socket)
  }

  /// Begins to connect. Returns 0 or errno.
  func connect(_ socket: Int32) -> Int32 {
    Self.withPointer(socketAddress) { Glibc.connect(socket, $0, $1) } == 0 ? 0 : errno
  }

  private static func withPointer(_ bytes: [UInt8], _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    bytes.withUnsafeBytes { raw in
      guard let base = raw.baseAddress else { return -1 }
      return body(base.assumingMemoryBound(to: sockaddr.self), socklen_t(raw.count))
    }
  }

  /// How well a listening socket fits: the kernel hands a connection to the one that fits best, 0 to none (`compute_score`
  /// of its inet_hashtables.c).
  func fit(_ listener: Listener) -> Int {
    let isMapped = listener.address.count == 16 && listener.address.starts(with: Self.mappedPrefix)
    let bound = isMapped ? Array(listener.address.suffix(4)) : listener.address
    if bound == address { return 3 }
    guard bound.allSatisfy({ $0 == 0 }), !bound.isEmpty else { return 0 }
    // One of IPv6 may take connections of IPv4, too.
    if bound.count == address.count { return 2 }
    return bound.count > address.count ? 1 : 0
  }

  /// An IPv4 address as one of IPv6: RFC 4291, section 2.5.5.2.
  private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xff, 0xff]
}
