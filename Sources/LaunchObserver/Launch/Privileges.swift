// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc

/// Programs that gain privileges from their file. The kernel withholds these privileges from a program that is being
/// traced, and ends its perf events.
enum Privileges {
  /// A sentence about what a program gains; nil for an ordinary program.
  static func gained(by path: String) -> String? {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    if facts.st_mode & S_ISUID != 0, facts.st_uid != geteuid() {
      return "the program is set-user-id and was launched without observation"
    }
    // Without execute permission for the group, the bit means mandatory locking.
    if facts.st_mode & (S_ISGID | S_IXGRP) == S_ISGID | S_IXGRP, facts.st_gid != getegid() {
      return "the program is set-group-id and was launched without observation"
    }
    if geteuid() != 0, lo_has_capabilities(path) {
      return "the program has file capabilities and was launched without observation"
    }
    return nil
  }
}
