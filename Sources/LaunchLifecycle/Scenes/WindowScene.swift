// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
/// One instance of the program's interface, with its windows. Mirrors `UIWindowScene`.
@MainActor
open class WindowScene {
  /// Mirrors `UIScene.ActivationState`.
  public enum ActivationState: Sendable {
    case unattached, foregroundInactive, foregroundActive, background
  }

  public let session: SceneSession
  public internal(set) var delegate: (any SceneDelegate)?
  public var activationState: ActivationState { state.current }
  public internal(set) var windows: [Window] = []
  public var title = ""
  /// The activity that the default `stateRestorationActivity(for:)` returns; nil unless the program sets one.
  public var userActivity: UserActivity?

  public required init(session: SceneSession, connectionOptions: ConnectionOptions) {
    self.session = session
    session.scene = self
  }

  let state = CallbackState(ActivationState.unattached)
  /// False once the scene is disconnected, for good: its session then gets a new scene.
  var isConnected: Bool { session.scene === self }
}
#endif
