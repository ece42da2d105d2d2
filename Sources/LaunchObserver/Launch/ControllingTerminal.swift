import Glibc

/// The terminal that the launcher was started from, as it was before the program ran.
struct ControllingTerminal: ~Copyable {
  private let descriptor: Int32
  private let modes: termios
  private let wasInForeground: Bool

  /// nil without a controlling terminal.
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

  /// Puts modes and foreground process group back, after a program that was killed had no chance to.
  ///
  /// Needs SIGTTOU ignored, since a dead program's process group may still have the foreground.
  func restore() {
    guard wasInForeground else { return }
    if tcgetpgrp(descriptor) != getpgrp() { tcsetpgrp(descriptor, getpgrp()) }
    var modes = modes
    tcsetattr(descriptor, TCSADRAIN, &modes)
  }
}
