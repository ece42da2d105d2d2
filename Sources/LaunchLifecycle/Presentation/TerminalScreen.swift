// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import CLaunchRecorder
internal import LaunchPlatform

/// The terminal of the process, prepared for a full-screen program and restored afterwards.
struct TerminalScreen {
  /// Gives the terminal back if the program calls exit(3).
  private static let isRegistered = atexit { TerminalScreen.giveBack() } == 0

  private var before = termios()

  /// - Throws: `noTerminal` if standard input or output is not a terminal.
  init() throws(LifecycleError) {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, tcgetattr(STDIN_FILENO, &before) == 0 else {
      throw LifecycleError(.noTerminal, "standard input and output must be a terminal; start the program in a terminal")
    }
  }

  /// Switches to the alternate screen, without echo and line buffering.
  func takeOver() {
    _ = Self.isRegistered
    var raw = before
    lr_terminal_taken(&raw)
    cfmakeraw(&raw)
    // A line feed alone still moves to the first column, so that output of other programs stays readable.
    raw.c_oflag = before.c_oflag
    // In a background job, this stops the program (SIGTTOU) until it has the terminal again.
    while tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) != 0, errno == EINTR {}
    // The alternate screen, without the cursor.
    _ = writeAll(STDOUT_FILENO, Array("\u{1b}[?1049h\u{1b}[?25l".utf8))
  }

  /// Any thread may call exit(3), and a child, too. If another thread paints at that time, its last frame may come after. A
  /// signal that ends a hanging program also does this.
  static func giveBack() { lr_terminal_give_back() }

  /// Columns and rows; 80 by 24 if the terminal does not report its size.
  var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Paints all rows at once.
  func paint(_ rows: [String]) {
    let lines = rows.map { $0 + "\u{1b}[K" }.joined(separator: "\r\n")
    _ = writeAll(STDOUT_FILENO, Array("\u{1b}[H\(lines)\u{1b}[J".utf8))
  }

  /// Reads the bytes of the pressed keys; empty at the end of the input, nil if there are none now.
  func read() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = LaunchPlatform.read(STDIN_FILENO, &buffer, buffer.count)
    // Another program of the terminal may have taken the keys, or have made the terminal non-blocking for all.
    if count < 0, [EAGAIN, EINTR].contains(errno) { return nil }
    return Array(buffer.prefix(max(0, count)))
  }
}
#endif
