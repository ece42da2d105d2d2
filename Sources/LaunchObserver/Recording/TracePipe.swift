// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A named pipe (FIFO) that gets a trace, by way of another process that reads it.
///
/// The pipe waits for its reader, as a shell's `>` does. The launcher catches signals, and the system then continues a
/// blocked open(2) or write(2). So the pipe does not block, and asks between two tries whether a signal came.
struct TracePipe {
  let path: String
  /// The signal that asks the launcher to stop; nil as long as there is none.
  let interruption: () -> Int32?

  /// Time between two tries to open, ms. Also the longest time until a signal ends the wait for the reader.
  private static let pause: Int32 = 20

  /// nil if there is something else at the path, or nothing.
  init?(path: String, interruption: @escaping () -> Int32?) {
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFIFO else { return nil }
    self.path = path
    self.interruption = interruption
  }

  /// Waits until a process reads the pipe.
  ///
  /// - Returns: a descriptor that does not block; -1, with `errno`, if the pipe cannot be opened.
  /// - Throws: `LaunchError.interrupted`.
  func open() throws(LaunchError) -> Int32 {
    while true {
      let file = Glibc.open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      guard file < 0, errno == ENXIO else { return file }
      try check()
      poll(nil, 0, Self.pause)
    }
  }

  /// - Returns: 0, or the errno of the failure: EPIPE if no process reads the pipe any more.
  /// - Throws: `LaunchError.interrupted`.
  func write(_ bytes: [UInt8], to file: Int32) throws(LaunchError) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      try check()
      var request = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
      guard poll(&request, 1, Self.pause) > 0 else { continue }
      if request.revents & Int16(POLLERR) != 0 { return EPIPE }
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count > 0 { rest = rest.dropFirst(count) }
      if count < 0, errno != EAGAIN, errno != EINTR { return errno }
    }
    return 0
  }

  private func check() throws(LaunchError) {
    guard let signal = interruption() else { return }
    throw LaunchError(.interrupted(signal), path: path, message: "interrupted while no process read the pipe")
  }
}
