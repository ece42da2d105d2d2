// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The terminal that the launcher was started from, in its state before the program ran.
struct ControllingTerminal: ~Copyable {
  private let descriptor: Int32
  private let modes: termios
  private let wasInForeground: Bool

  /// nil if there is no controlling terminal.
  init?() {
    let descriptor = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var modes = termios()
    guard tcgetattr(descriptor, &modes) == 0 else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    self.modes = modes
    wasInForeground = tcgetpgrp(descriptor) == getpgrp()
  }

  deinit { close(descriptor) }

  /// Restores modes and foreground process group, which a killed program could not restore.
  ///
  /// SIGTTOU must be ignored, because a dead program's process group may still have the foreground.
  func restore() {
    guard wasInForeground else { return }
    if tcgetpgrp(descriptor) != getpgrp() { tcsetpgrp(descriptor, getpgrp()) }
    var modes = modes
    tcsetattr(descriptor, TCSADRAIN, &modes)
  }
}
