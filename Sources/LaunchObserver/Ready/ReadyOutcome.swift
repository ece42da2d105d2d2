// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem
package import LaunchTrace

/// The signals that were seen during a launch, and the one that counts.
package struct ReadyOutcome: Sendable, Equatable {
  /// The rule that was used; never `automatic`.
  package var rule: ReadyRule
  /// Whether `--ready` was not given.
  package var isDefault: Bool
  /// Sorted by time.
  package var signals: [ReadySignal]
  /// The signal that made the program ready; nil for the rule `exit`, and if it never became ready.
  package var ready: ReadySignal?
  /// What was seen instead, if a named rule was not met.
  package var evidence: ReadyGap.Evidence?
  /// Why the launch lasts until the program's end although its output may have shown earlier that it was ready, for
  /// people; empty if the output was watched.
  package var shortcoming = ""
  /// Why some of the program's output was lost, for people; empty if none was.
  package var loss = ""

  /// - Parameters:
  ///   - endedWell: whether output may count as success. A program that failed has often printed something before.
  ///   - lifetime: from when to when the program ran, CLOCK_MONOTONIC ns.
  init(following rule: ReadyRule, signals: [ReadySignal], endedWell: Bool, lifetime: ClosedRange<Int64> = 0 ... .max) {
    let signals = signals.map { $0.noLater(than: lifetime.upperBound).rounded(since: lifetime.lowerBound) }
      .sorted { $0.time < $1.time }
    self.signals = signals
    isDefault = rule == .automatic
    func first(_ kind: ReadySignal.Kind) -> ReadySignal? { signals.first { $0.kind == kind } }
    switch rule {
    case .automatic:
      if let window = first(.window) {
        (self.rule, ready) = (.window, window)
      } else if let listening = first(.listening) {
        (self.rule, ready) = (.listening(nil), listening)
      } else if let output = first(.output), endedWell {
        (self.rule, ready) = (.output, output)
      } else {
        (self.rule, ready) = (.exit, nil)
      }
    case .output: (self.rule, ready) = (rule, first(.output))
    case .notification: (self.rule, ready) = (rule, first(.notification))
    case .listening: (self.rule, ready) = (rule, first(.listening))
    case .window: (self.rule, ready) = (rule, first(.window))
    case .match: (self.rule, ready) = (rule, first(.match))
    case .answer: (self.rule, ready) = (rule, first(.answered))
    case .exit: (self.rule, ready) = (rule, nil)
    }
  }

  /// Limits the times of output, because what wrote it had not ended yet. On a busy machine, the launcher hears of output and of
  /// the program's end late.
  ///
  /// - Parameter time: when the last thread of the launch ended, CLOCK_MONOTONIC ns.
  mutating func limitOutput(to time: Int64) {
    signals = signals.map { $0.limited(to: time) }.sorted { $0.time < $1.time }
    ready = ready?.limited(to: time)
  }

  /// Removes the time for which the launcher stopped the program.
  ///
  /// - Parameter moved: a time as it would have been without the stops, CLOCK_MONOTONIC ns. It keeps the order of times.
  mutating func move(_ moved: (Int64) -> Int64) {
    for place in signals.indices { signals[place].time = moved(signals[place].time) }
    if let time = ready?.time { ready?.time = moved(time) }
  }

  /// - Parameter error: why some of the program's output could not be written, errno; 0 if all was.
  mutating func note(lostOutput error: Int32) {
    if error != 0 { loss = "some of the program's output is lost, because writing it failed: \(systemMessage(error))" }
  }

  /// - Parameter obstacle: why the launcher could not watch the program's output; nil if it could.
  mutating func note(_ obstacle: OutputWatch.Obstacle?) {
    guard isDefault, rule == .exit, let obstacle else { return }
    shortcoming =
      "the standard output cannot be watched (\(obstacle.words)), so the launch lasts until the program's end; "
      + "--ready stdout reads the output through a pipe"
  }
}
