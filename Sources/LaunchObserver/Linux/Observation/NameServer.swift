// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem

/// The name server whose answer a thread awaits. The C library waits for it in poll(2), on one UDP socket that is connected
/// to port 53 (resolver(3)). For the kernel, this looks like the wait of an event loop.
struct NameServer: Equatable {
  /// `10.0.0.2`, `::1`
  var address: String

  /// - Parameters:
  ///   - folder: that of the process, in /proc.
  ///   - arguments: those of poll(2) or ppoll(2): an array of `struct pollfd`, its length, …
  /// - Returns: nil if the call does not wait for exactly one such socket.
  init?(of processID: Int32, folder: String, _ arguments: [UInt64]) {
    var descriptor: Int32 = -1
    guard arguments[1] == 1, lo_read_memory(processID, arguments[0], &descriptor, 4) == 0,
      let socket = linkTarget("\(folder)/fd/\(descriptor)"), socket.hasPrefix("socket:[")
    else { return nil }
    let inode = socket.dropFirst("socket:[".count).dropLast()
    let tables = ["udp", "udp6"].lazy.compactMap { fileText("\(folder)/net/\($0)", limit: 1 << 20) }
    guard let address = tables.compactMap({ Self.address(in: $0, inode: inode) }).first else { return nil }
    self.address = address
  }

  /// - Parameter table: the text of /proc/PID/net/udp or udp6: proc_net(5).
  /// - Returns: the address that the socket is connected to; nil if the port is not that of name servers.
  static func address(in table: String, inode: Substring) -> String? {
    for line in table.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 9, fields[9] == inode else { continue }
      let place = fields[2].split(separator: ":")
      guard place.count == 2, place[1] == "0035" else { return nil }
      return Listener.address(place[0]).flatMap(text)
    }
    return nil
  }

  private static func text(_ address: [UInt8]) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
      let family = address.count == 4 ? AF_INET : AF_INET6
      let start = inet_ntop(family, address, buffer.baseAddress, socklen_t(buffer.count))
      return start.map { String(cString: $0) }
    }
  }
}
