// SPDX-License-Identifier: Apache-2.0

import CTestTerminal
import Glibc
import TestSupport

/// A terminal with a program on it. The program leads the session, and the terminal is its standard streams.
package final class PseudoTerminal {
  package let processID: pid_t
  private let keyboard: Int32
  package private(set) var screen = ""
  private var status: Int32?

  package init(_ command: [String], directory: String) throws {
    let arguments = command.map { strdup($0) } + [nil]
    let variables =
      TestProcess.currentEnvironment.filter { $0.key != "NO_COLOR" }
      .merging(["TERM": "xterm", "LC_ALL": "C.UTF-8"]) { $1 }
      .map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in arguments + variables { free(pointer) } }
    var keyboard: Int32 = -1
    processID = ct_spawn_on_terminal(command[0], arguments, variables, directory, &keyboard)
    guard processID > 0 else { throw ToolFailure("no pseudo-terminal: \(String(cString: strerror(-processID)))") }
    self.keyboard = keyboard
  }

  deinit {
    if status == nil {
      kill(processID, SIGKILL)
      waitpid(processID, nil, 0)
    }
    close(keyboard)
  }

  package func type(_ text: String) { _ = write(keyboard, text, text.utf8.count) }

  /// Closes the terminal's window. Nothing can be read or typed any more.
  package func hangUp() {
    // The number stays taken until the end, so that no other file gets it.
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    dup2(nothing, keyboard)
    close(nothing)
  }

  /// Changes the window's size; the foreground group gets SIGWINCH.
  package func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(keyboard, UInt(TIOCSWINSZ), &size)
  }

  /// Reads until the screen has shown `text` since the last call, and returns what it showed before that.
  @discardableResult
  package func wait(for text: String, seconds: Int = 180) throws -> String {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < deadline {
      if let range = screen.firstRange(of: text) {
        let before = String(screen[..<range.lowerBound])
        screen.removeSubrange(..<range.upperBound)
        return before
      }
      readAvailable(milliseconds: 50)
    }
    throw ToolFailure("the terminal never showed \"\(text)\" but: \(screen.debugDescription)")
  }

  /// Waits for the leader's end and returns its wait status.
  package func finish(seconds: Int = 180) throws -> Int32 {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < deadline {
      readAvailable(milliseconds: 50)
      var status: Int32 = 0
      if waitpid(processID, &status, WNOHANG) == processID {
        self.status = status
        readAvailable(milliseconds: 50)
        return status
      }
    }
    throw ToolFailure("the program on the terminal did not end; it shows: \(screen.debugDescription)")
  }

  /// Whether the terminal edits lines and echoes keys, as a shell leaves it.
  package var isCooked: Bool {
    var modes = termios()
    tcgetattr(keyboard, &modes)
    let wanted = UInt32(ICANON | ECHO | ISIG)
    return modes.c_lflag & wanted == wanted
  }

  private func readAvailable(milliseconds: Int32) {
    var request = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, milliseconds) > 0 else { return }
    let block = [UInt8](unsafeUninitializedCapacity: 4096) { $1 = max(0, read(keyboard, $0.baseAddress, $0.count)) }
    // An error, and no data: the last process has closed the terminal. From now on poll(2) does not wait.
    if block.isEmpty { usleep(1000) }
    screen += String(decoding: block, as: UTF8.self)
  }
}
