// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The user's desktop, asked to open a link.
struct Desktop {
  private let process: pid_t

  /// True if there is a display on which a person can see windows.
  static var isThere: Bool { environment("DISPLAY") != nil || environment("WAYLAND_DISPLAY") != nil }

  /// Asks the desktop to open a link with the user's program for it. nil if it cannot be asked.
  init?(opening link: String) {
    var process: pid_t = 0
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Browsers write to their terminal as long as they run.
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    }
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("xdg-open"), strdup(link), nil]
    defer { for argument in arguments { free(argument) } }
    // Ctrl-C in our terminal must not end the browser, with all that it has open.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    posix_spawnattr_setpgroup(&attributes, 0)
    guard posix_spawnp(&process, "xdg-open", &actions, &attributes, &arguments, environ) == 0 else { return nil }
    self.process = process
  }

  /// Whether the link was opened; nil if that is not known yet. On some desktops, the answer comes when the browser ends.
  ///
  /// - Parameter waits: whether to wait up to two seconds until it is known. After an answer, do not ask again.
  func hasOpened(waits: Bool) -> Bool? {
    for _ in 0..<(waits ? 200 : 1) {
      var status: Int32 = 0
      let ended = waitpid(process, &status, WNOHANG)
      if ended > 0 { return status == 0 }
      if ended < 0, errno != EINTR { return false }
      if waits { usleep(10_000) }
    }
    return nil
  }
}
