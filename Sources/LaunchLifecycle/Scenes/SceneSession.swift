#if !canImport(os)
/// The session of a scene, which outlives the scene. Mirrors `UISceneSession`.
@MainActor
public final class SceneSession {
  public let persistentIdentifier: String
  public internal(set) var configuration: SceneConfiguration
  public internal(set) weak var scene: WindowScene?
  /// What the scene was doing when the user left it, from the last launch.
  public internal(set) var stateRestorationActivity: UserActivity?

  init(persistentIdentifier: String, configuration: SceneConfiguration) {
    self.persistentIdentifier = persistentIdentifier
    self.configuration = configuration
  }
}
#endif
