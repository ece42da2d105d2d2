internal import CLaunchObserver
import Glibc

/// Programs that get rights from their file. The kernel withholds them from a program that somebody attaches to, and
/// ends its perf events.
enum Privileges {
  /// What a program gains, for people; nil for an ordinary one.
  static func gained(by path: String) -> String? {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    if facts.st_mode & S_ISUID != 0, facts.st_uid != geteuid() {
      return "the program is set-user-id and was launched plainly"
    }
    // Without execution for the group, the bit stands for mandatory locking.
    if facts.st_mode & (S_ISGID | S_IXGRP) == S_ISGID | S_IXGRP, facts.st_gid != getegid() {
      return "the program is set-group-id and was launched plainly"
    }
    if geteuid() != 0, lo_has_capabilities(path) {
      return "the program has file capabilities and was launched plainly"
    }
    return nil
  }
}
