// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The user's desktop, if there is one.
enum Desktop {
  /// True if there is a display on which a person can see windows.
  static var isThere: Bool { environment("DISPLAY") != nil || environment("WAYLAND_DISPLAY") != nil }

  /// Asks the desktop to open a link with the user's program for it. False if the desktop cannot be asked.
  static func open(_ link: String) -> Bool {
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
    guard posix_spawnp(&process, "xdg-open", &actions, nil, &arguments, environ) == 0 else { return false }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status == 0
  }
}
