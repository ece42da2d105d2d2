internal import CLaunchObserver
import Glibc

/// One stream between the program and where it goes.
struct OutputChannel {
  /// What is read from.
  let source: Int32
  /// The program's end.
  private(set) var programEnd: Int32
  private let target: Int32
  private let isTerminal: Bool
  private(set) var isOpen = true
  private var size = winsize()

  /// nil for a stream that is closed: there is nothing to see.
  ///
  /// - Throws: `LaunchError.cannotLaunch`.
  init?(stream: Int32) throws(LaunchError) {
    guard fcntl(stream, F_GETFD) >= 0 else { return nil }
    isTerminal = isatty(stream) == 1
    target = stream
    var ends: (source: Int32, program: Int32) = (-1, -1)
    let error =
      isTerminal ? lo_terminal_like(stream, &ends.source, &ends.program) : lo_pipe(&ends.source, &ends.program)
    guard error == 0 else {
      throw LaunchError(
        .cannotLaunch, path: "--ready", message: "the program's output cannot be watched: \(describe(error))",
        errno: error)
    }
    (source, programEnd) = ends
    _ = fcntl(source, F_SETFL, O_NONBLOCK)
    _ = followSize()
  }

  static func isSame(_ first: Int32, _ second: Int32) -> Bool {
    var facts = (stat(), stat())
    return fstat(first, &facts.0) == 0 && fstat(second, &facts.1) == 0 && facts.0.st_dev == facts.1.st_dev
      && facts.0.st_ino == facts.1.st_ino
  }

  mutating func closeProgramEnd() {
    if programEnd >= 0 { close(programEnd) }
    programEnd = -1
  }

  /// What the program has written; nil when there is nothing more for now.
  mutating func read() -> ArraySlice<UInt8>? {
    guard isOpen else { return nil }
    var (count, error): (Int, Int32) = (0, 0)
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, filled in
      count = Glibc.read(source, buffer.baseAddress, buffer.count)
      error = errno
      filled = max(0, count)
    }
    if count > 0 { return bytes[...] }
    // A terminal that nobody has open any more says EIO.
    if count == 0 || (error != EAGAIN && error != EINTR) { end() }
    return nil
  }

  mutating func write(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(target, $0.baseAddress, $0.count) }
      if written >= 0 {
        rest = rest.dropFirst(written)
      } else if errno == EAGAIN {
        var request = pollfd(fd: target, events: Int16(POLLOUT), revents: 0)
        poll(&request, 1, -1)
      } else if errno != EINTR {
        return end()
      }
    }
  }

  private mutating func end() {
    close(source)
    isOpen = false
  }

  /// Gives the program's terminal the size of ours; true when that has changed.
  mutating func followSize() -> Bool {
    var now = winsize()
    guard isTerminal, isOpen, ioctl(target, UInt(TIOCGWINSZ), &now) == 0,
      now.ws_col != size.ws_col || now.ws_row != size.ws_row
    else { return false }
    size = now
    return ioctl(source, UInt(TIOCSWINSZ), &now) == 0
  }
}
