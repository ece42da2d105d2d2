// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
/// The session of a scene, which outlives the scene. Mirrors `UISceneSession`.
@MainActor
public final class SceneSession {
  /// The same in each launch, if the program restores its state.
  public let persistentIdentifier: String
  public internal(set) var configuration: SceneConfiguration
  /// The session's scene while it is connected.
  public internal(set) weak var scene: WindowScene?
  /// What the scene was doing in the last launch when the user left it.
  public internal(set) var stateRestorationActivity: UserActivity?
  /// The state of root controllers that are not loaded yet, until the scene's first frame.
  var controllers: [String: StateCoder] = [:]

  init(persistentIdentifier: String, configuration: SceneConfiguration) {
    self.persistentIdentifier = persistentIdentifier
    self.configuration = configuration
  }
}

extension SceneSession: Hashable {
  public nonisolated static func == (first: SceneSession, second: SceneSession) -> Bool { first === second }
  public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
#endif
