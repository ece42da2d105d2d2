// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc

/// Reports one kind of `ReadySignal`. Used from one thread at a time.
protocol ReadySource: AnyObject {
  /// Readable when there is something to see; empty for a source that must poll.
  var descriptors: [Int32] { get }
  /// `descriptors` with what to wait for.
  var polled: [pollfd] { get }
  /// How long to wait for a descriptor before the next look, ns; nil for ever.
  ///
  /// - Parameter elapsed: since the launch, ns.
  func pause(after elapsed: Int64) -> Int64?
  /// What a person should know if the program does not become ready.
  var evidence: ReadyGap.Evidence? { get }
  /// Whether the source has more to do after the signal, such as a relay, which passes on output.
  var goesOn: Bool { get }
  /// The program was launched. Sources are created before that, so that they miss nothing.
  func begin(_ program: lo_launched)
  /// Returns the signal, if it has been seen.
  func look() -> ReadySignal?
  /// The program has ended: handles the remaining data.
  func finish() -> ReadySignal?
  /// The launcher itself has written to its standard error, or the program has not begun. Forgets what is seen of that.
  func forget()
  /// Whether `forget` does so.
  var forgets: Bool { get }
}

extension ReadySource {
  var descriptors: [Int32] { [] }
  var polled: [pollfd] { descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) } }
  func pause(after elapsed: Int64) -> Int64? { nil }
  var evidence: ReadyGap.Evidence? { nil }
  var goesOn: Bool { false }
  func begin(_ program: lo_launched) {}
  func finish() -> ReadySignal? { look() }
  func forget() {}
  var forgets: Bool { false }
}
