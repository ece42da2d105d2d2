// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem

/// One output stream, between the program and its target.
struct OutputChannel {
  /// The end that the launcher reads.
  let source: Int32
  /// The program's end.
  private(set) var programEnd: Int32
  private let target: Int32
  private let isTerminal: Bool
  private(set) var isOpen = true
  /// Whether the kernel can move the bytes: between two pipes, or from a pipe to a file.
  private var canMove: Bool
  private var size = winsize()
  /// Why the target did not take some of the output, errno; 0 if it took all.
  private(set) var refusal: Int32 = 0

  /// Whether programs get this stream of the launcher. What the launcher opens in place of a closed one is closed in them.
  static func isPassedOn(_ stream: Int32) -> Bool {
    let flags = fcntl(stream, F_GETFD)
    return flags >= 0 && flags & FD_CLOEXEC == 0
  }

  /// nil if the stream is closed: there is no output to see.
  ///
  /// - Throws: `LaunchError.cannotLaunch`.
  init?(stream: Int32) throws(LaunchError) {
    guard Self.isPassedOn(stream) else { return nil }
    isTerminal = isatty(stream) == 1
    canMove = !isTerminal
    target = stream
    var ends: (source: Int32, program: Int32) = (-1, -1)
    let error =
      isTerminal ? lo_terminal_like(stream, &ends.source, &ends.program) : lo_pipe(&ends.source, &ends.program)
    guard error == 0 else {
      throw LaunchError(
        .cannotLaunch, path: "--ready", message: "cannot watch the program's output: \(systemMessage(error))",
        errno: error)
    }
    (source, programEnd) = ends
    _ = fcntl(source, F_SETFL, O_NONBLOCK)
    _ = followSize()
  }

  mutating func closeProgramEnd() {
    if programEnd >= 0 { Glibc.close(programEnd) }
    programEnd = -1
  }

  /// How many bytes of output can wait to be read.
  var capacity: Int { isOpen ? lo_output_capacity(source) : 0 }

  /// Passes on at most `limit` bytes of output without looking at them. Returns their number, 0 if there are none for
  /// now. nil if they must be read and written instead.
  mutating func move(_ limit: Int) -> Int? {
    guard isOpen else { return 0 }
    guard canMove else { return nil }
    let moved = lo_splice(source, target, limit)
    if moved > 0 { return moved }
    switch Int32(-moved) {
    case EAGAIN: return 0
    // No process can write to the stream any more, or the reader of our output has closed it.
    case 0, EPIPE:
      close()
      return 0
    // write(2) says what is wrong with the target.
    default:
      canMove = false
      return nil
    }
  }

  /// At most `limit` bytes of output; empty if there are none for now.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer, atMost limit: Int) -> UnsafeRawBufferPointer {
    guard isOpen else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let count = Glibc.read(source, buffer.baseAddress, min(limit, buffer.count))
    // A terminal that no process has open gives EIO.
    if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { close() }
    return UnsafeRawBufferPointer(rebasing: buffer[..<max(0, count)])
  }

  mutating func write(_ bytes: UnsafeRawBufferPointer) {
    let error = writeAll(bytes, to: target)
    if error != 0 { refuse(error) }
  }

  /// Without a reader, the program gets the error that it would get from the target. After others, such as that of a full disk, most
  /// programs go on. A pipe has no such error, only one that ends the program. So the bytes are lost, and the program goes on.
  private mutating func refuse(_ error: Int32) {
    if isTerminal || [EPIPE, ECONNRESET].contains(error) { return close() }
    refusal = error
  }

  /// The program gets the usual error when it writes again.
  mutating func close() {
    closeProgramEnd()
    if isOpen { Glibc.close(source) }
    isOpen = false
  }

  /// Gives the program's terminal the size of ours. True if it changed.
  mutating func followSize() -> Bool {
    var now = winsize()
    guard isTerminal, isOpen, ioctl(target, UInt(TIOCGWINSZ), &now) == 0,
      now.ws_col != size.ws_col || now.ws_row != size.ws_row
    else { return false }
    size = now
    return ioctl(source, UInt(TIOCSWINSZ), &now) == 0
  }
}
