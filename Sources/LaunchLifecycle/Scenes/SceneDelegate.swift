// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
/// Manages a scene. Mirrors `UIWindowSceneDelegate`. Every member has a default implementation.
@MainActor
public protocol SceneDelegate: AnyObject {
  init()

  /// The scene's main window. If the configuration has a storyboard, the host sets it.
  var window: Window? { get set }

  /// Called when the scene connects. Without a storyboard, create the window here and call its `makeKeyAndVisible()`.
  func scene(_ scene: WindowScene, willConnectTo session: SceneSession, options: ConnectionOptions)
  func sceneDidDisconnect(_ scene: WindowScene)

  func sceneWillEnterForeground(_ scene: WindowScene)
  func sceneDidBecomeActive(_ scene: WindowScene)
  func sceneWillResignActive(_ scene: WindowScene)
  func sceneDidEnterBackground(_ scene: WindowScene)

  /// Opens URLs or files in a scene that is already connected.
  func scene(_ scene: WindowScene, openURLContexts: Set<OpenURLContext>)
  /// Announces an activity that another device hands over, to a scene that is already connected. The activity follows.
  func scene(_ scene: WindowScene, willContinueUserActivityWithType userActivityType: String)
  /// Continues an activity in a scene that is already connected.
  func scene(_ scene: WindowScene, continue userActivity: UserActivity)
  /// Performs a quick action in a scene that is already connected. Return whether it was performed.
  func windowScene(_ windowScene: WindowScene, performActionFor shortcutItem: ShortcutItem) -> Bool
  /// Opens a share that the user accepted, in a scene that is already connected.
  func windowScene(_ windowScene: WindowScene, userDidAcceptCloudKitShareWith metadata: CloudKitShareMetadata)

  /// Returns what the scene is doing. The next launch passes it to `restoreInteractionStateWith`. Return nil to restore
  /// nothing.
  func stateRestorationActivity(for scene: WindowScene) -> UserActivity?
  /// Restores what the scene was doing when the user left it.
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
  public func scene(_ scene: WindowScene, willContinueUserActivityWithType userActivityType: String) {}
  public func scene(_ scene: WindowScene, continue userActivity: UserActivity) {}
  public func windowScene(_ windowScene: WindowScene, performActionFor shortcutItem: ShortcutItem) -> Bool { false }
  public func windowScene(_ windowScene: WindowScene, userDidAcceptCloudKitShareWith metadata: CloudKitShareMetadata) {}
  public func stateRestorationActivity(for scene: WindowScene) -> UserActivity? { scene.userActivity }
  public func scene(_ scene: WindowScene, restoreInteractionStateWith stateRestorationActivity: UserActivity) {}
}
#endif
