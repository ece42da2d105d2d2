// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
/// The state of an application or a scene. A "will" callback sees the old state, and a "did" callback the new one.
@MainActor
final class CallbackState<State> {
  /// What the program sees.
  private(set) var current: State
  /// The state after the callback that is running. Decides what comes next, so that no callback comes twice.
  private(set) var next: State

  init(_ state: State) { (current, next) = (state, state) }

  /// Calls `willChange`, then changes the state.
  func change(to state: State, after willChange: () -> Void) {
    next = state
    willChange()
    // The callback may have led to a further change.
    current = next
  }

  /// Changes the state, then calls `didChange`.
  func change(to state: State, before didChange: () -> Void = {}) {
    (current, next) = (state, state)
    didChange()
  }
}
#endif
