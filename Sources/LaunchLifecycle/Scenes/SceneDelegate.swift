#if !canImport(os)
/// Runs a scene. Mirrors `UIWindowSceneDelegate`; every member has a default.
@MainActor
public protocol SceneDelegate: AnyObject {
  init()

  /// The scene's main window. Given by the host when the configuration has a storyboard.
  var window: Window? { get set }

  /// The scene is there. With no storyboard: make the window here, and call its `makeKeyAndVisible()`.
  func scene(_ scene: WindowScene, willConnectTo session: SceneSession, options: ConnectionOptions)
  func sceneDidDisconnect(_ scene: WindowScene)

  func sceneWillEnterForeground(_ scene: WindowScene)
  func sceneDidBecomeActive(_ scene: WindowScene)
  func sceneWillResignActive(_ scene: WindowScene)
  func sceneDidEnterBackground(_ scene: WindowScene)

  /// Asked to open URLs or files while the scene is there already.
  func scene(_ scene: WindowScene, openURLContexts: Set<OpenURLContext>)
  /// Asked to go on with an activity while the scene is there already.
  func scene(_ scene: WindowScene, continue userActivity: UserActivity)

  /// What the scene is doing, to be given to `restoreInteractionStateWith` at the next launch; nil for nothing.
  func stateRestorationActivity(for scene: WindowScene) -> UserActivity?
  /// Restore what the scene was doing when it was left.
  func scene(_ scene: WindowScene, restoreInteractionStateWith stateRestorationActivity: UserActivity)
}

extension SceneDelegate {
  public var window: Window? {
    get { nil }
    set {}
  }
  public func scene(_ scene: WindowScene, willConnectTo session: SceneSession, options: ConnectionOptions) {}
  public func sceneDidDisconnect(_ scene: WindowScene) {}
  public func sceneWillEnterForeground(_ scene: WindowScene) {}
  public func sceneDidBecomeActive(_ scene: WindowScene) {}
  public func sceneWillResignActive(_ scene: WindowScene) {}
  public func sceneDidEnterBackground(_ scene: WindowScene) {}
  public func scene(_ scene: WindowScene, openURLContexts: Set<OpenURLContext>) {}
  public func scene(_ scene: WindowScene, continue userActivity: UserActivity) {}
  public func stateRestorationActivity(for scene: WindowScene) -> UserActivity? { scene.userActivity }
  public func scene(_ scene: WindowScene, restoreInteractionStateWith stateRestorationActivity: UserActivity) {}
}
#endif
