// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
/// The application, for its delegate and scenes. Mirrors `UIApplication`.
@MainActor
open class Application {
  /// Mirrors `UIApplication.State`.
  public enum State: Sendable { case active, inactive, background }

  /// The application of the process, created by `ApplicationMain`.
  public internal(set) static var shared = Application()

  public var delegate: (any ApplicationDelegate)?
  /// Why the program was launched.
  public internal(set) var launchCircumstances = LaunchCircumstances(reason: .unknown, context: .uncertain)
  /// The state of the most active scene; `.background` without a scene. A program without scenes has a state of its
  /// own. It begins as `.background` in a background launch and in a program without a screen, and otherwise as
  /// `.inactive`.
  public var applicationState: State {
    let scenes = connectedScenes.map(\.activationState)
    if scenes.contains(.foregroundActive) { return .active }
    return scenes.contains(.foregroundInactive) ? .inactive : ownState.current
  }
  public internal(set) var connectedScenes: [WindowScene] = []
  /// The sessions of the connected scenes, and those of the last launch whose scenes are not connected. To connect one of
  /// these, pass it to `requestSceneSessionActivation`.
  public internal(set) var openSessions: [SceneSession] = []
  public internal(set) var keyWindow: Window?
  /// The windows of all scenes, or of a program without scenes.
  public var windows: [Window] { ownWindows + connectedScenes.flatMap(\.windows) }

  /// The windows of a program without scenes.
  var ownWindows: [Window] = []
  /// The state of a program without scenes.
  let ownState = CallbackState(State.background)
  weak var sequence: LaunchSequence?

  public required init() {}

  /// Connects the session's scene, or activates it if it is connected. Mirrors `requestSceneSessionActivation`. During the
  /// launch, and while another scene connects, this happens afterwards.
  ///
  /// - Parameters:
  ///   - session: nil for a new one. To bring back a scene of the last launch, pass its session from `openSessions`.
  ///   - options: what the scene is connected for.
  public func requestSceneSessionActivation(
    _ session: SceneSession? = nil, options: ConnectionOptions = ConnectionOptions()
  ) { sequence?.activate(session, options) }

  /// Disconnects a scene, closes its windows, and forgets its session and its state. Mirrors
  /// `requestSceneSessionDestruction`.
  public func requestSceneSessionDestruction(_ session: SceneSession) { sequence?.disconnect(session) }

  /// Reports that a program without a screen can do its work. Ends the launch, and notifies systemd (`READY=1`).
  public func ready() { sequence?.ready() }

  /// Ends the program: calls `applicationWillTerminate`, then `ApplicationMain` returns.
  public func terminate() { sequence?.terminate() }
}
#endif
