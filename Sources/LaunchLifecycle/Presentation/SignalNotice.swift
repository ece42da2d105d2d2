#if !canImport(os)
#if canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// One signal as an event of a loop. One of each process at a time.
@MainActor
final class SignalNotice {
  // See TerminationSignals.
  private nonisolated(unsafe) static var notice: Int32 = -1
  private let number: Int32
  private var before = sigaction()

  /// Readable when the signal came; -1 when no descriptor could be had.
  let descriptor: Int32

  init(_ number: Int32) {
    self.number = number
    var ends: [Int32] = [-1, -1]
    descriptor = pipe(&ends) == 0 ? ends[0] : -1
    guard descriptor >= 0 else { return }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    Self.notice = ends[1]
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in
      let saved = errno
      var one: UInt8 = 1
      _ = write(SignalNotice.notice, &one, 1)
      errno = saved
    }
    sigaction(number, &action, &before)
  }

  /// Forgets the notices that have come.
  func clear() {
    var buffer = [UInt8](repeating: 0, count: 64)
    while read(descriptor, &buffer, buffer.count) > 0 {}
  }

  func end() {
    guard descriptor >= 0 else { return }
    sigaction(number, &before, nil)
    close(Self.notice)
    Self.notice = -1
    close(descriptor)
  }
}
#endif
