#if !canImport(os)
#if canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// SIGTERM, SIGINT and SIGHUP as events of a loop, so that the application can end well.
@MainActor
final class TerminationSignals {
  // A handler may do little more than write. Statically initialised, so that it runs no Swift initialiser.
  private nonisolated(unsafe) static var notice: Int32 = -1
  private static let numbers = [SIGTERM, SIGINT, SIGHUP]
  /// What stood there before.
  private var previous: [(number: Int32, action: sigaction)] = []

  /// Readable when a signal came; -1 when no descriptor could be had: the signals then do what they did.
  let descriptor: Int32

  init() {
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
      _ = write(TerminationSignals.notice, &one, 1)
      errno = saved
    }
    for number in Self.numbers {
      var old = sigaction()
      sigaction(number, nil, &old)
      // What whoever started us has ignored (nohup) stays ignored.
      guard !old.isIgnored else { continue }
      sigaction(number, &action, &old)
      previous.append((number, old))
    }
  }

  /// Puts back what was there.
  func end() {
    for (number, action) in previous {
      var action = action
      sigaction(number, &action, nil)
    }
    previous = []
    guard descriptor >= 0 else { return }
    close(Self.notice)
    Self.notice = -1
    close(descriptor)
  }
}

extension sigaction {
  fileprivate var isIgnored: Bool {
    unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
#endif
