#if !canImport(os)
#if canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Signals as events of a loop: those that ask the application to end, so that it can do so well, or the one that says that
/// its terminal has another size. One of each kind in a process at a time.
@MainActor
final class SignalNotice {
  enum Kind {
    /// SIGTERM, SIGINT and SIGHUP. What whoever started us has ignored (nohup) stays ignored.
    case termination
    /// SIGWINCH.
    case resize
  }

  // A handler may do little more than write. Statically initialised, so that it runs no Swift initialiser.
  private nonisolated(unsafe) static var ending: Int32 = -1
  private nonisolated(unsafe) static var resizing: Int32 = -1

  private let kind: Kind
  private var writingEnd: Int32 = -1
  /// What stood there before.
  private var previous: [(number: Int32, action: sigaction)] = []

  /// Readable when a signal came; -1 when no descriptor could be had: the signals then do what they did.
  let descriptor: Int32

  init(_ kind: Kind) {
    self.kind = kind
    var ends: [Int32] = [-1, -1]
    descriptor = pipe(&ends) == 0 ? ends[0] : -1
    guard descriptor >= 0 else { return }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    writingEnd = ends[1]
    announce(writingEnd)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
      let saved = errno
      var one: UInt8 = 1
      _ = write(number == SIGWINCH ? SignalNotice.resizing : SignalNotice.ending, &one, 1)
      errno = saved
    }
    for number in kind == .resize ? [SIGWINCH] : [SIGTERM, SIGINT, SIGHUP] {
      var old = sigaction()
      sigaction(number, nil, &old)
      if kind == .termination, old.isIgnored { continue }
      sigaction(number, &action, &old)
      previous.append((number, old))
    }
  }

  /// Forgets the notices that have come.
  func clear() {
    var buffer = [UInt8](repeating: 0, count: 64)
    while read(descriptor, &buffer, buffer.count) > 0 {}
  }

  /// Puts back what was there.
  func end() {
    for (number, action) in previous {
      var action = action
      sigaction(number, &action, nil)
    }
    previous = []
    guard descriptor >= 0 else { return }
    announce(-1)
    close(writingEnd)
    close(descriptor)
  }

  private func announce(_ descriptor: Int32) {
    switch kind {
    case .termination: Self.ending = descriptor
    case .resize: Self.resizing = descriptor
    }
  }
}

extension sigaction {
  fileprivate var isIgnored: Bool {
    unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
#endif
