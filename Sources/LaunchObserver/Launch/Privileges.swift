// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc

/// Programs that gain privileges from their file. The kernel withholds these privileges from a program that is being
/// traced, and ends its perf events.
package enum Privileges {
  /// Why a program gains privileges, to follow its name in a sentence; nil for an ordinary program.
  package static func gained(by path: String) -> String? {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    if facts.st_mode & S_ISUID != 0, facts.st_uid != geteuid() { return "is set-user-id" }
    // Without execute permission for the group, the bit means mandatory locking.
    if facts.st_mode & (S_ISGID | S_IXGRP) == S_ISGID | S_IXGRP, facts.st_gid != getegid() { return "is set-group-id" }
    if geteuid() != 0, lo_has_capabilities(path) { return "has file capabilities" }
    return nil
  }

  /// Why the kernel does not let a program be observed, to follow its name in a sentence; nil if it does.
  ///
  /// The kernel ends the perf events of a program that its user may execute but not read.
  package static func preventObservation(of path: String) -> String? {
    if let reason = gained(by: path) { return reason }
    func may(_ access: Int32) -> Bool { faccessat(AT_FDCWD, path, access, AT_EACCESS) == 0 }
    return may(X_OK) && !may(R_OK) ? "is not readable" : nil
  }
}
