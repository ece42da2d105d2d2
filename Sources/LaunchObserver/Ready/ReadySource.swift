// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver

/// Reports one kind of `ReadySignal`. Used from one thread at a time.
protocol ReadySource: AnyObject {
  /// Readable when there is something to see; empty for a source that must poll.
  var descriptors: [Int32] { get }
  /// Whether the source has more to do after the signal, such as a relay, which passes on output.
  var goesOn: Bool { get }
  /// The program was launched. Sources are created before that, so that they miss nothing.
  func begin(_ program: lo_launched)
  /// Returns the signal, if it has been seen.
  func look() -> ReadySignal?
  /// The program has ended: handles the remaining data.
  func finish() -> ReadySignal?
}

extension ReadySource {
  var goesOn: Bool { false }
  func begin(_ program: lo_launched) {}
  func finish() -> ReadySignal? { look() }
}
