// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import CLaunchRecorder
internal import LaunchPlatform

/// Signals as events of a loop. A process may have one handler for each signal at a time.
@MainActor
final class SignalEvents {
  /// The signals that ask a program to end.
  static let termination = [SIGTERM, SIGINT, SIGHUP]

  private let writingEnd: Int32
  /// The previous actions.
  private var previous: [(number: Int32, action: sigaction)] = []

  /// Readable when a signal has arrived. If the system gave no descriptor, it is -1, which poll(2) ignores, and the signals
  /// keep their previous actions.
  let descriptor: Int32

  /// - Parameter numbers: signals that the parent process ignored (nohup) stay ignored.
  init(_ numbers: [Int32]) {
    (descriptor, writingEnd) = Self.pipeEnds()
    guard descriptor >= 0 else { return }
    for number in numbers {
      var former = sigaction()
      if lr_signal_catch(number, writingEnd, &former) { previous.append((number, former)) }
    }
  }

  /// The two ends of a pipe, -1 if there is none. Their numbers are above those of the standard streams: in a program that
  /// has closed these, what it prints would come as signals.
  private static func pipeEnds() -> (reading: Int32, writing: Int32) {
    var made: [Int32] = [-1, -1]
    guard pipe(&made) == 0 else { return (-1, -1) }
    let ends = made.map { fcntl($0, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) }
    for end in made { close(end) }
    guard ends.allSatisfy({ $0 >= 0 }) else {
      for end in ends where end >= 0 { close(end) }
      return (-1, -1)
    }
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    return (ends[0], ends[1])
  }

  /// Whether a signal has arrived since the last call that asks the program to end.
  func asksToEnd() -> Bool { !arrived().isDisjoint(with: Self.termination) }

  /// The signals that have arrived since the last call, each once.
  func arrived() -> Set<Int32> {
    var numbers: Set<Int32> = []
    var buffer = [UInt8](repeating: 0, count: 64)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      numbers.formUnion(buffer.prefix(count).map(Int32.init))
    }
    lr_signal_read()
    return numbers
  }

  /// Runs `body` while the signal `number` has its default action.
  func withDefaultAction(of number: Int32, _ body: () -> Void) {
    var standard = sigaction()
    var own = sigaction()
    sigaction(number, &standard, &own)
    body()
    sigaction(number, &own, nil)
  }

  /// Restores the previous actions.
  func end() {
    for (number, action) in previous {
      var action = action
      lr_signal_release(number, &action)
    }
    previous = []
    guard descriptor >= 0 else { return }
    close(writingEnd)
    close(descriptor)
  }
}
#endif
