// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What the command says about launches while it makes them: each kind of message once, because the launches of a series are
/// alike.
final class LaunchMessages: Sendable {
  enum Kind { case awaitsBackground, awaitsOwnEnd, missedOwnEnd, lingers, leavesProcesses, unmetRule }

  private let write: @Sendable (String) -> Void
  private let told = Mutex<Set<Kind>>([])

  /// - Parameter write: shows a line; nil for standard error.
  init(write: (@Sendable (String) -> Void)? = nil) { self.write = write ?? { tell($0) } }

  func tellOnce(_ kind: Kind, _ lines: @autoclosure () -> [String]) {
    if told.withLock({ $0.insert(kind).inserted }) { lines().forEach(write) }
  }
}
