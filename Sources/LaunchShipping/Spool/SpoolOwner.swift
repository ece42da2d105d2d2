// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LaunchSystem

/// The process that left a provisional record. Its three numbers precede the record's name in the name of the file:
/// `lr_spool_owner.c`.
struct SpoolOwner {
  let process: UInt64
  /// Clock ticks since the machine started. A later process may have the same id.
  let start: UInt64
  /// The namespaces in which the id and the start are valid, and the machine since its last start: machines may share a spool, too.
  let space: UInt64

  /// The owner, nil if the name tells none, and the name that the record has without it.
  static func split(_ name: Substring) -> (owner: SpoolOwner?, record: String) {
    let parts = name.split(separator: "-", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[3].contains("-"), let process = UInt64(parts[0]), let start = UInt64(parts[1]),
      let space = UInt64(parts[2])
    else { return (nil, String(name)) }
    return (SpoolOwner(process: process, start: start, space: space), String(parts[3]))
  }

  /// What this process knows of another one.
  enum State { case lives, isGone, isUnknown }

  var state: State {
    guard let id = pid_t(exactly: process), Self.ownSpace == space else { return .isUnknown }
    let fields = Self.fields(of: process)
    // A process of another user may be hidden from this one (proc(5), hidepid).
    guard fields.count > 19 else { return kill(id, 0) != 0 && errno == ESRCH ? .isGone : .isUnknown }
    guard UInt64(fields[19]) == start else { return .isGone }
    // Z and X: it has ended, and its parent does not know it yet; or only its first thread has ended.
    return ["Z", "X"].contains(fields[0]) ? .isUnknown : .lives
  }

  /// nil if it is not known. As `lr_own_space` of lr_spool_owner.c has it.
  private static var ownSpace: UInt64? {
    var facts = stat()
    guard stat("/proc/self/ns/pid", &facts) == 0 else { return nil }
    var space = UInt64(facts.st_ino)
    if stat("/proc/self/ns/time", &facts) == 0 { space = (space ^ UInt64(facts.st_ino)) &* 0x100_0000_01b3 }
    let boot = fileText("/proc/sys/kernel/random/boot_id", limit: 64) ?? ""
    return boot.utf8.reduce(space) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  /// From the third field on: proc(5), /proc/pid/stat. The state is the first of these, the start the twentieth.
  private static func fields(of process: UInt64) -> [Substring] {
    let text = fileText("/proc/\(process)/stat", limit: 1024) ?? ""
    // The name before it may itself hold spaces and parentheses.
    guard let name = text.lastIndex(of: ")") else { return [] }
    return text[text.index(after: name)...].split(separator: " ")
  }
}
