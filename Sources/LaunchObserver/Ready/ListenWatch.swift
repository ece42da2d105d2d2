// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem
internal import LaunchTrace

/// Looks for the first socket on which the program, or a process that it started, listens.
final class ListenWatch: ReadySource {
  private let address: ReadyRule.ListeningAddress?
  private let descendants: Descendants?
  /// -1 if the kernel does not answer.
  private var diagnostics: Int32
  /// Sockets that do not belong to the program.
  private var strangers: Set<UInt64>
  /// How often no process of the launch had this socket. A process that becomes a daemon changes its parent, and may be
  /// missed once.
  private var looksInVain: [UInt64: Int] = [:]
  private static let mostLooks = 3
  private var processID: Int32 = 0
  private var lastLook: Int64 = 0

  /// - Parameters:
  ///   - address: nil for any.
  ///   - descendants: those of the launch, with orphans; nil if the launcher does not get orphans.
  init(_ address: ReadyRule.ListeningAddress?, descendants: Descendants?) {
    self.address = address
    self.descendants = descendants
    diagnostics = lo_listeners_open()
    strangers = []
    strangers = Set(listeners().map(\.inode))
  }

  deinit { if diagnostics >= 0 { close(diagnostics) } }

  var descriptors: [Int32] { [] }

  func begin(_ program: lo_launched) {
    processID = program.pid
    lastLook = Int64(program.exec_ns)
  }

  func look() -> ReadySignal? {
    let began = Int64(lo_now())
    defer { lastLook = began }
    let fresh = listeners().filter { !strangers.contains($0.inode) }
    guard !fresh.isEmpty else { return nil }
    let own = ProcessTree(root: processID, descendants: descendants).sockets(among: Set(fresh.map(\.inode)))
    for listener in fresh {
      guard let owners = own[listener.inode], matches(listener, of: owners) else { continue }
      return ReadySignal(
        kind: .listening, time: began, error: max(0, began - lastLook), detail: listener.description)
    }
    // Stop asking for the owner of a socket after a few looks.
    for inode in fresh.map(\.inode) {
      looksInVain[inode, default: 0] += 1
      guard own[inode] != nil || looksInVain[inode] == Self.mostLooks else { continue }
      looksInVain[inode] = nil
      strangers.insert(inode)
    }
    return nil
  }

  // The program has ended, and its sockets are closed. Background processes were checked before.
  func finish() -> ReadySignal? { nil }

  private func matches(_ listener: Listener, of owners: [Int32]) -> Bool {
    switch address {
    case nil: true
    case .port(let port): listener.port == port
    case .path(let path):
      listener.port == 0 && (listener.path == path || owners.contains { listener.isBound(to: path, by: $0) })
    }
  }

  private func listeners() -> [Listener] {
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

/// A listening socket.
struct Listener: CustomStringConvertible {
  var inode: UInt64
  /// 0 for a unix socket.
  var port: UInt16
  var path: String

  var description: String { port != 0 ? "port \(port)" : path.isEmpty ? "a unix socket" : path }

  /// Whether the file of a unix socket, as a process names it, is the one at `path`: it may have bound a relative path, or a
  /// path through a link.
  func isBound(to path: String, by process: Int32) -> Bool {
    let place = self.path.hasPrefix("/") ? "root" : "cwd/"
    return !self.path.isEmpty && isSameFile("\(ProcessFiles.folder(process))/\(place)\(self.path)", path)
  }

  /// The listening sockets in /proc/net: proc(5). Slower than sock_diag on a machine with many connections.
  static func fromProc() -> [Listener] {
    ["tcp", "tcp6"].flatMap { lines("/proc/net/\($0)").compactMap(fromTCP) }
      + lines("/proc/net/unix").compactMap(fromUnix)
  }

  private static func lines(_ path: String) -> [Substring] {
    (fileText(path, limit: 1 << 22) ?? "").split(separator: "\n").dropFirst().map { $0 }
  }

  /// `sl local_address rem_address st … inode`; 0A is LISTEN.
  static func fromTCP(_ line: Substring) -> Listener? {
    let fields = line.split(separator: " ")
    guard fields.count > 9, fields[3] == "0A", let inode = UInt64(fields[9]),
      let port = fields[1].split(separator: ":").last.flatMap({ UInt16($0, radix: 16) })
    else { return nil }
    return Listener(inode: inode, port: port, path: "")
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
  }
}
