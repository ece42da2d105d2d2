import Glibc

/// Standard output or standard error, unbuffered, with its failures.
struct StandardStream {
  static let output = StandardStream(descriptor: STDOUT_FILENO)
  static let error = StandardStream(descriptor: STDERR_FILENO)

  let descriptor: Int32

  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Puts /dev/null where a standard stream is closed: else the next file to be opened, a trace perhaps, would be in
  /// its place and get our messages. A recorded program finds the stream closed, as it was.
  static func occupyClosed() {
    // Reading or writing data fails as before; messages are lost as before.
    for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY)]
    where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free descriptor is this one.
      _ = open("/dev/null", mode | O_CLOEXEC)
    }
  }

  /// Writes all of `text`; returns 0 or errno.
  func write(_ text: String) -> Int32 {
    var text = text
    return text.withUTF8 { writeAll(descriptor, UnsafeRawBufferPointer($0)) }
  }
}

/// write(2) until everything is written; returns 0 or errno.
func writeAll(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int32 {
  var rest = bytes
  while !rest.isEmpty {
    let written = write(descriptor, rest.baseAddress, rest.count)
    if written < 0, errno == EINTR { continue }
    guard written >= 0 else { return errno }
    rest = UnsafeRawBufferPointer(rebasing: rest[written...])
  }
  return 0
}
