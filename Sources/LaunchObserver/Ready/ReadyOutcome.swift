/// What was seen of a launch, and which of it counts.
package struct ReadyOutcome: Sendable, Equatable {
  /// The rule that was followed; never `automatic`.
  package var rule: ReadyRule
  /// Whether `--ready` was not given.
  package var isDefault: Bool
  /// In the order of their time.
  package var signals: [ReadySignal]
  /// The one by which the program was ready; nil for the rule `exit`, and when it never was.
  package var ready: ReadySignal?

  /// - Parameter endedWell: whether what was printed may count as success: a program that failed has often printed
  ///   something before.
  init(following rule: ReadyRule, signals: [ReadySignal], endedWell: Bool) {
    let signals = signals.sorted { $0.time < $1.time }
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
    case .exit: (self.rule, ready) = (rule, nil)
    }
  }
}
