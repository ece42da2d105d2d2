// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchTrace

/// Looks for the first socket on which the program, or a process that it started, listens. Without `--ready listen`, a
/// later one takes the place of a socket that is soon closed again.
final class ListenWatch: ReadySource {
  private let address: ReadyRule.ListeningAddress?
  private let isAsked: Bool
  private let descendants: Descendants?
  private let reader = ListenerReader()
  private let networks = ForeignNetworks()
  /// Sockets that do not belong to the program.
  private var strangers: Set<UInt64>
  /// How often no process of the launch had this socket. A process that becomes a daemon changes its parent, and may be
  /// missed once.
  private var looksInVain: [UInt64: Int] = [:]
  private static let mostLooks = 3
  /// The launch's sockets that are a sign, in the order in which they were seen, without those that were closed again.
  private var found: [(inode: UInt64, signal: ReadySignal)] = []
  /// Whether the first of them has listened for `lingeringTime`: it was not opened to look for a free port, or as a lock.
  private(set) var hasStayed = false
  /// Those that would have met the rule, if they had not listened before the launch.
  private let early: Set<UInt64>
  /// Where the program listened instead.
  private var others: [String] = []
  private static let mostOthers = 4
  /// There was a new socket whose owner is not known, and a process of the launch of which nothing is.
  private var isBlind = false
  /// A socket that would have met the rule was opened by a process outside of the launch.
  private var isOfOthers = false
  /// Between two looks, ns.
  private static let leastPause: Int64 = 500_000
  private var processID: Int32 = 0
  private var lastLook: Int64 = 0

  /// - Parameters:
  ///   - address: nil for any.
  ///   - isAsked: the user asked for a socket, so the first one ends the launch.
  ///   - descendants: those of the launch, with orphans; nil if the launcher does not get orphans.
  init(_ address: ReadyRule.ListeningAddress?, isAsked: Bool, descendants: Descendants?) {
    self.address = address
    self.isAsked = isAsked
    self.descendants = descendants
    let before = reader.listeners()
    strangers = Set(before.map(\.inode))
    early = Set(
      before.filter { listener in
        switch address {
        case nil: true
        case .port(let port): listener.port == port
        case .path(let path): listener.port == 0 && listener.path == path
        }
      }.map(\.inode))
  }

  var goesOn: Bool { !isAsked }

  func pause(after elapsed: Int64) -> Int64? {
    hasStayed ? nil : ReadyWatch.interval(after: elapsed, isAsked: isAsked)
  }

  func begin(_ program: lo_launched) {
    processID = program.pid
    lastLook = Int64(program.exec_ns)
  }

  func look() -> ReadySignal? {
    let began = Int64(lo_now())
    // Other sources may wake the watch much more often.
    guard !hasStayed, began - lastLook >= Self.leastPause else { return nil }
    defer { lastLook = began }
    let told = found.first?.inode
    let wasRunning = address != nil && isRunning
    let listeners = reader.listeners() + networks.listeners(of: processID)
    addNew(of: listeners, at: began, wasRunning: wasRunning)
    let open = Set(listeners.map(\.inode))
    let left = found.filter { open.contains($0.inode) }
    // A program that ends closes its last one, too, so that one remains a sign.
    if !left.isEmpty { found = left }
    guard var first = found.first else { return nil }
    hasStayed = !left.isEmpty && began - first.signal.time >= ReadyWatch.lingeringTime
    if first.inode == told { return nil }
    first.signal.followsClosedSocket = told != nil
    return first.signal
  }

  /// Whether the program has not ended yet.
  private var isRunning: Bool {
    var info = siginfo_t()
    return waitid(P_PID, id_t(processID), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_signo == 0
  }

  /// - Parameters:
  ///   - time: of the look, CLOCK_MONOTONIC ns.
  ///   - wasRunning: the program ran then.
  private func addNew(of listeners: [Listener], at time: Int64, wasRunning: Bool) {
    let known = strangers.union(found.map(\.inode))
    let fresh = listeners.filter { !known.contains($0.inode) }
    guard !fresh.isEmpty else { return }
    let inodes = Set(fresh.map(\.inode))
    // On a busy machine, it takes long to read about every process, and the program may end meanwhile.
    var own = ProcessTree(near: processID).sockets(among: inodes)
    var isHidden = false
    if own.count < inodes.count {
      let tree = ProcessTree(root: processID, descendants: descendants)
      own.merge(tree.sockets(among: inodes.subtracting(own.keys))) { $1 }
      let isBlind = own.count < inodes.count && (tree.hidesFiles || ProcessFiles.absence != nil)
      self.isBlind = self.isBlind || isBlind
      isHidden = isBlind || wasRunning && !isRunning
    }
    for listener in fresh {
      // A socket that the user named, and that is new, is most probably the launch's (D389).
      guard let owners = own[listener.inode] ?? (isHidden && address != nil ? [] : nil) else { continue }
      if matches(listener, of: owners) {
        let error = max(0, time - lastLook)
        let signal = ReadySignal(kind: .listening, time: time, error: error, detail: listener.description)
        found.append((listener.inode, signal))
        continue
      }
      let isNew = !owners.isEmpty && !others.contains(listener.description)
      if isNew, others.count < Self.mostOthers { others.append(listener.description) }
    }
    // Stop asking for the owner of a socket after a few looks.
    for listener in fresh {
      let inode = listener.inode
      looksInVain[inode, default: 0] += 1
      guard own[inode] != nil || looksInVain[inode] == Self.mostLooks else { continue }
      looksInVain[inode] = nil
      strangers.insert(inode)
      if own[inode] == nil, address != nil, matches(listener, of: []) { isOfOthers = true }
    }
  }

  var evidence: ReadyGap.Evidence? {
    if !others.isEmpty { return .init("It listened on \(others.joined(separator: ", ")) instead.") }
    // Those that this process holds are for the program, which inherits them: socket activation.
    let owners = early.isEmpty ? [:] : ProcessTree(root: getpid(), descendants: nil).sockets(among: early)
    if owners.values.contains(where: { $0.contains(getpid()) }) {
      return .init(
        "It inherited a socket that listened before the launch, so that shows nothing. Use an http:// URL, or another rule."
      )
    }
    if isBlind, early.isEmpty || address == nil {
      let absence = ProcessFiles.absence.map { "It cannot be seen which sockets it has: \($0)." }
      return .init(
        address == nil
          ? absence.map { $0 + " Name its socket (listen:8080), or use a URL." }
            ?? "This user may not see which sockets it has. Name its socket (listen:8080), use a URL, or record as root."
          : "Nothing new listens there. "
            + (absence ?? "This user may not see which other sockets it has: record as root."))
    }
    if address == nil { return nil }
    if isOfOthers {
      return .init("A process that it did not start listens there (docker, systemd): use an http:// URL.")
    }
    return .init(
      early.isEmpty ? "It listened on no socket." : "Another program has listened there since before the launch.")
  }

  // The program has ended, and its sockets are closed. Background processes were checked before.
  func finish() -> ReadySignal? { nil }

  private func matches(_ listener: Listener, of owners: [Int32]) -> Bool {
    switch address {
    // A program that starts a display or a bus for another program (xvfb-run, dbus-run-session) is not ready with that.
    case nil: !listener.isOfSession || owners.contains(processID)
    case .port(let port): listener.port == port
    case .path(let path):
      listener.port == 0 && (listener.path == path || owners.contains { listener.isBound(to: path, by: $0) })
    }
  }
}
