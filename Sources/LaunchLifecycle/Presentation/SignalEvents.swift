#if !canImport(os)
#if canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Signals as events of a loop. One of each signal in a process at a time.
@MainActor
final class SignalEvents {
  /// Those that ask a program to end.
  static let termination = [SIGTERM, SIGINT, SIGHUP]

  // The writing end of whoever waits for a signal, by its number. A handler may do little more than write; statically
  // initialised, so that it runs no Swift initialiser.
  private nonisolated(unsafe) static var ends: UnsafeMutablePointer<Int32>?
  private static let mostSignals = 65

  private var writingEnd: Int32 = -1
  /// What stood there before.
  private var previous: [(number: Int32, action: sigaction)] = []

  /// Readable when a signal came; -1 when no descriptor could be had: the signals then do what they did.
  let descriptor: Int32

  /// - Parameter numbers: what whoever started us has ignored among them (nohup) stays ignored.
  init(_ numbers: [Int32]) {
    var pipeEnds: [Int32] = [-1, -1]
    descriptor = pipe(&pipeEnds) == 0 ? pipeEnds[0] : -1
    guard descriptor >= 0 else { return }
    for end in pipeEnds {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    writingEnd = pipeEnds[1]
    if Self.ends == nil {
      let made = UnsafeMutablePointer<Int32>.allocate(capacity: Self.mostSignals)
      made.initialize(repeating: -1, count: Self.mostSignals)
      Self.ends = made
    }
    for number in numbers where number > 0 && number < Self.mostSignals {
      var old = sigaction()
      sigaction(number, nil, &old)
      guard !old.isIgnored else { continue }
      previous.append((number, old))
      handle(number)
    }
  }

  private func handle(_ number: Int32) {
    Self.ends?[Int(number)] = writingEnd
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
      let saved = errno
      var byte = UInt8(truncatingIfNeeded: number)
      if let end = SignalEvents.ends?[Int(number)] { _ = write(end, &byte, 1) }
      errno = saved
    }
    // The program's own system calls are not interrupted by it; poll(2) always is.
    action.sa_flags = SA_RESTART
    sigaction(number, &action, nil)
  }

  /// The signals that have come since the last call, each once.
  func arrived() -> Set<Int32> {
    var numbers: Set<Int32> = []
    var buffer = [UInt8](repeating: 0, count: 64)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return numbers }
      numbers.formUnion(buffer.prefix(count).map(Int32.init))
    }
  }

  /// Runs `body` while `number` does what it does by default.
  func withDefaultAction(of number: Int32, _ body: () -> Void) {
    var standard = sigaction()
    var own = sigaction()
    sigaction(number, &standard, &own)
    body()
    sigaction(number, &own, nil)
  }

  /// Puts back what was there.
  func end() {
    for (number, action) in previous {
      var action = action
      sigaction(number, &action, nil)
      Self.ends?[Int(number)] = -1
    }
    previous = []
    guard descriptor >= 0 else { return }
    close(writingEnd)
    close(descriptor)
  }
}

extension sigaction {
  fileprivate var isIgnored: Bool {
    unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
#endif
