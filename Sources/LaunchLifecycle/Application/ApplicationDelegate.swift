// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
/// Manages an application. Mirrors `UIApplicationDelegate`. Every member except `init` has a default implementation.
///
/// With `@main` on the delegate, the program needs no other entry point.
@MainActor
public protocol ApplicationDelegate: AnyObject {
  init()

  /// The program's manifest.
  static var manifest: ApplicationManifest { get }
  /// The application's class.
  static var principalClass: Application.Type { get }
  /// The launch options, for programs that know them better than `LaunchEvidence`, for example from a push service or
  /// a protocol of their own. nil uses the evidence.
  static var launchOptions: LaunchOptions? { get }
  /// Whether a person waits for the launch, for programs that know it better than the evidence and the launch options. An
  /// example is an option `--hidden` of the program. nil uses the evidence. Prewarming stays prewarming.
  static var launchContext: LaunchContext? { get }
  /// Creates the backend that shows the program.
  static func makePresentationBackend() -> any PresentationBackend

  /// The window of a program without scenes. If the manifest has a main storyboard, the host sets it.
  var window: Window? { get set }

  /// Called when the launch has begun, before the host restores state. Return false to not open the URL of the options,
  /// not perform its quick action, and not continue its activity.
  func application(_ application: Application, willFinishLaunchingWithOptions options: LaunchOptions) -> Bool
  /// Called when the launch is nearly over. The host shows the interface after this call. Return false to not open the
  /// URL of the options, not perform its quick action, and not continue its activity.
  func application(_ application: Application, didFinishLaunchingWithOptions options: LaunchOptions) -> Bool

  // State restoration, if the manifest enables it.
  /// Called after `didEnterBackground`, before the host keeps the state. Return false to keep no state.
  func application(_ application: Application, shouldSaveApplicationState coder: StateCoder) -> Bool
  /// Called between `willFinishLaunching` and `didFinishLaunching`, with the state of the last launch. Return false to
  /// restore nothing.
  func application(_ application: Application, shouldRestoreApplicationState coder: StateCoder) -> Bool
  func application(_ application: Application, willEncodeRestorableStateWith coder: StateCoder)
  func application(_ application: Application, didDecodeRestorableStateWith coder: StateCoder)
  /// Called if the state was damaged, or if the last launch failed while it restored the state. The error says where
  /// the state is now. Also called with `cannotAccess` if the host cannot read the state, which then stays where it is.
  /// The launch continues without it.
  func application(_ application: Application, didSetAsideState error: LifecycleError)

  /// Returns the configuration of a new scene.
  func application(
    _ application: Application, configurationForConnecting session: SceneSession, options: ConnectionOptions
  ) -> SceneConfiguration

  /// Called when a session is gone for good: after `requestSceneSessionDestruction`, or after `didFinishLaunching` if the
  /// sessions of the last launch are not restored. Release what belongs to them.
  func application(_ application: Application, didDiscardSceneSessions sceneSessions: Set<SceneSession>)

  /// Called when the user responds to a notification of a program that has launched, with or without scenes. A scene that
  /// connects for the response gets it in its `ConnectionOptions` instead.
  func application(_ application: Application, didReceive response: NotificationResponse)

  // In a program with scenes, the scene delegate gets these. `ServerBackend` never causes them.
  /// Called when a person opens a program that is in the background. Not called at a launch in the foreground.
  func applicationWillEnterForeground(_ application: Application)
  func applicationDidBecomeActive(_ application: Application)
  func applicationWillResignActive(_ application: Application)
  func applicationDidEnterBackground(_ application: Application)
  func application(_ application: Application, open url: String, sourceApplication: String?) -> Bool
  /// Performs a quick action. Return whether it was performed. Called after `didFinishLaunching` if the action launched the
  /// program, unless one of the two callbacks returned false.
  func application(_ application: Application, performActionFor shortcutItem: ShortcutItem) -> Bool
  /// Announces an activity to continue. The activity follows, as soon as its data is there. The result has no effect.
  func application(_ application: Application, willContinueUserActivityWithType userActivityType: String) -> Bool
  /// Continues an activity. Return whether it was continued. Called after `didFinishLaunching` if the activity launched the
  /// program, unless one of the two callbacks returned false.
  func application(_ application: Application, continue userActivity: UserActivity) -> Bool
  /// Opens a share that the user accepted.
  func application(_ application: Application, userDidAcceptCloudKitShareWith metadata: CloudKitShareMetadata)
  /// Called after `didFinishLaunching` if a local notification launched the program.
  func application(_ application: Application, didReceive notification: LocalNotification)

  func applicationWillTerminate(_ application: Application)
}

extension ApplicationDelegate {
  public static var manifest: ApplicationManifest { ApplicationManifest() }
  public static var principalClass: Application.Type { Application.self }
  public static var launchOptions: LaunchOptions? { nil }
  public static var launchContext: LaunchContext? { nil }
  public static func makePresentationBackend() -> any PresentationBackend { HeadlessBackend() }

  public var window: Window? {
    get { nil }
    set {}
  }

  public func application(
    _ application: Application, willFinishLaunchingWithOptions options: LaunchOptions
  ) -> Bool { true }
  public func application(
    _ application: Application, didFinishLaunchingWithOptions options: LaunchOptions
  ) -> Bool { true }
  public func application(
    _ application: Application, configurationForConnecting session: SceneSession, options: ConnectionOptions
  ) -> SceneConfiguration { session.configuration }
  public func application(_ application: Application, didDiscardSceneSessions sceneSessions: Set<SceneSession>) {}
  public func application(_ application: Application, shouldSaveApplicationState coder: StateCoder) -> Bool { true }
  public func application(_ application: Application, shouldRestoreApplicationState coder: StateCoder) -> Bool { true }
  public func application(_ application: Application, willEncodeRestorableStateWith coder: StateCoder) {}
  public func application(_ application: Application, didDecodeRestorableStateWith coder: StateCoder) {}
  public func application(_ application: Application, didSetAsideState error: LifecycleError) {}
  public func applicationWillEnterForeground(_ application: Application) {}
  public func applicationDidBecomeActive(_ application: Application) {}
  public func applicationWillResignActive(_ application: Application) {}
  public func applicationDidEnterBackground(_ application: Application) {}
  public func application(_ application: Application, open url: String, sourceApplication: String?) -> Bool { false }
  public func application(_ application: Application, performActionFor shortcutItem: ShortcutItem) -> Bool { false }
  public func application(
    _ application: Application, willContinueUserActivityWithType userActivityType: String
  ) -> Bool { false }
  public func application(_ application: Application, continue userActivity: UserActivity) -> Bool { false }
  public func application(_ application: Application, userDidAcceptCloudKitShareWith metadata: CloudKitShareMetadata) {}
  public func application(_ application: Application, didReceive notification: LocalNotification) {}
  public func application(_ application: Application, didReceive response: NotificationResponse) {}
  public func applicationWillTerminate(_ application: Application) {}

  /// The entry point of a program whose delegate is marked `@main`. Exits with the status of `ApplicationMain`.
  public static func main() {
    exitProcess(ApplicationMain(CommandLine.argc, CommandLine.unsafeArgv, principalClass, Self.self))
  }
}
#endif
