#if !canImport(os)
/// The system's side of a scene: it outlives the scene. Mirrors `UISceneSession`.
@MainActor
public final class SceneSession {
  public let persistentIdentifier: String
  public internal(set) var configuration: SceneConfiguration
  public internal(set) weak var scene: WindowScene?
  /// What the scene was doing when it was left, from the last launch.
  public internal(set) var stateRestorationActivity: UserActivity?

  init(persistentIdentifier: String, configuration: SceneConfiguration) {
    self.persistentIdentifier = persistentIdentifier
    self.configuration = configuration
  }
}
#endif
