import Glibc

/// Standard output or standard error, unbuffered, with its failures.
struct StandardStream {
  static let output = StandardStream(descriptor: STDOUT_FILENO)
  static let error = StandardStream(descriptor: STDERR_FILENO)

  let descriptor: Int32

  var isTerminal: Bool { isatty(descriptor) == 1 }

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
