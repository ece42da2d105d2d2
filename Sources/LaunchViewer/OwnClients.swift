// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import LaunchSystem

/// Tells programs of this user from those of others. All users of a machine see the link, with its token, among the arguments of
/// the browser.
enum OwnClients {
  /// Whether the program at the other end of a connection belongs to a user or to root. True where the kernel lists no
  /// connections. Also true for root: the browser is then another user's.
  static func include(_ descriptor: Int32, user: uid_t = geteuid()) -> Bool {
    if user == 0 { return true }
    let tables = ["tcp", "tcp6"].compactMap { fileText("/proc/self/net/\($0)", limit: 1 << 26) }
    if tables.isEmpty { return true }
    guard let client = place(of: descriptor, by: { getpeername($0, $1, $2) }),
      let server = place(of: descriptor, by: { getsockname($0, $1, $2) })
    else { return false }
    return tables.contains { table in
      owner(from: client, to: server, in: table).map { $0 == user || $0 == 0 } ?? false
    }
  }

  /// The user in the row of a connection: `sl local_address rem_address st tx:rx tr:tm retrnsmt uid`. nil without a row.
  ///
  /// - Parameters:
  ///   - client: its address and port, as the table has them.
  ///   - server: the same of the server.
  ///   - table: /proc/net/tcp, or /proc/net/tcp6, which has a client with an IPv6 socket: its address is then a mapped one.
  static func owner(from client: String, to server: String, in table: String) -> uid_t? {
    let mapped = String(repeating: "0", count: 16) + hexadecimal(UInt32(0xffff).bigEndian, digits: 8)
    for line in table.split(separator: "\n") where line.contains(client) {
      let fields = line.split(separator: " ")
      guard fields.count > 7 else { continue }
      if fields[1] == client && fields[2] == server || fields[1] == mapped + client && fields[2] == mapped + server {
        return uid_t(fields[7])
      }
    }
    return nil
  }

  /// An end of a connection as the kernel's tables name it: `0100007F:1F90`.
  private static func place(
    of descriptor: Int32,
    by ask: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) -> String? {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { ask(descriptor, $0, &size) == 0 }
    }
    guard isKnown, address.sin_family == sa_family_t(AF_INET) else { return nil }
    return hexadecimal(address.sin_addr.s_addr, digits: 8) + ":"
      + hexadecimal(UInt32(UInt16(bigEndian: address.sin_port)), digits: 4)
  }

  private static func hexadecimal(_ number: UInt32, digits: Int) -> String {
    let text = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: digits - text.count) + text
  }
}
