// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem

/// A listening socket.
struct Listener: CustomStringConvertible {
  var inode: UInt64
  /// 0 for a unix socket.
  var port: UInt16
  var path: String
  /// Of a TCP socket, as in a packet: 4 or 16 bytes. All are zero for every address of the machine. Empty for a unix socket.
  var address: [UInt8] = []

  var description: String { port != 0 ? "port \(port)" : path.isEmpty ? "a unix socket" : path }

  /// Whether it is the socket of an X server, a Wayland compositor or a session bus, by its name.
  var isOfSession: Bool {
    let path = path.drop { $0 == "@" }
    let name = path.split(separator: "/").last ?? ""
    return path.hasPrefix("/tmp/.X11-unix/") || name.hasPrefix("wayland-") || name.hasPrefix("dbus-")
  }

  /// Whether the file of a unix socket, as a process names it, is the one at `path`: it may have bound a relative path, or a
  /// path through a link.
  func isBound(to path: String, by process: Int32) -> Bool {
    let place = self.path.hasPrefix("/") ? "root" : "cwd/"
    return !self.path.isEmpty && isSameFile("\(ProcessFiles.folder(process))/\(place)\(self.path)", path)
  }

  /// The listening sockets in /proc/PID/net: proc(5). Slower than sock_diag on a machine with many connections.
  ///
  /// - Parameter folder: of a process.
  static func fromProc(_ folder: String = "/proc/self") -> [Listener] {
    ["tcp", "tcp6"].flatMap { lines("\(folder)/net/\($0)").compactMap(fromTCP) }
      + lines("\(folder)/net/unix").compactMap(fromUnix)
  }

  private static func lines(_ path: String) -> [Substring] {
    (fileText(path, limit: 1 << 22) ?? "").split(separator: "\n").dropFirst().map { $0 }
  }

  /// `sl local_address rem_address st … inode`; 0A is LISTEN.
  static func fromTCP(_ line: Substring) -> Listener? {
    let fields = line.split(separator: " ")
    guard fields.count > 9, fields[3] == "0A", let inode = UInt64(fields[9]) else { return nil }
    let place = fields[1].split(separator: ":")
    guard place.count == 2, let port = UInt16(place[1], radix: 16), let address = address(place[0]) else { return nil }
    return Listener(inode: inode, port: port, path: "", address: address)
  }

  /// The kernel prints each four bytes of an address as one number of this machine.
  ///
  /// - Returns: the address as in a packet; nil for another number of digits than IPv4 and IPv6 have.
  static func address(_ digits: Substring) -> [UInt8]? {
    guard digits.utf8.count == 8 || digits.utf8.count == 32 else { return nil }
    var (bytes, rest): ([UInt8], Substring) = ([], digits)
    while !rest.isEmpty {
      guard let word = UInt32(rest.prefix(8), radix: 16) else { return nil }
      withUnsafeBytes(of: word) { bytes += $0 }
      rest = rest.dropFirst(8)
    }
    return bytes
  }

  /// `Num RefCount Protocol Flags Type St Inode Path`; the flag 00010000 means that it accepts connections.
  static func fromUnix(_ line: Substring) -> Listener? {
    let fields = line.split(separator: " ", maxSplits: 7)
    guard fields.count > 6, fields[3] == "00010000", let inode = UInt64(fields[6]) else { return nil }
    return Listener(inode: inode, port: 0, path: fields.count > 7 ? String(fields[7]) : "")
  }
}

extension Listener {
  fileprivate init(_ listener: lo_listener) {
    inode = listener.inode
    port = listener.port
    path = withUnsafeBytes(of: listener.path) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    address = withUnsafeBytes(of: listener.address) { Array($0.prefix(Int(listener.address_size))) }
  }
}

/// Reads which sockets listen. Used from one thread at a time.
final class ListenerReader {
  /// -1 if the kernel does not answer.
  private var diagnostics = lo_listeners_open()

  deinit { if diagnostics >= 0 { close(diagnostics) } }

  func listeners() -> [Listener] {
    if let found = Self.fromDiagnostics(diagnostics) { return found }
    // What comes later would be taken for the answer to the next question.
    if diagnostics >= 0 { close(diagnostics) }
    diagnostics = -1
    return Listener.fromProc()
  }

  /// nil if the kernel does not answer.
  private static func fromDiagnostics(_ descriptor: Int32) -> [Listener]? {
    guard descriptor >= 0 else { return nil }
    let most = 4096
    var count = 0
    let found = [lo_listener](unsafeUninitializedCapacity: most) { buffer, filled in
      count = lo_listeners_read(descriptor, buffer.baseAddress, most)
      filled = max(0, count)
    }
    return count < 0 ? nil : found.map(Listener.init)
  }
}
