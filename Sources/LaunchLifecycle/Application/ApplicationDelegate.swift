#if !canImport(os)
/// Runs an application. Mirrors `UIApplicationDelegate`; every member but `init` has a default.
///
/// With `@main` on the delegate the program needs no other entry point.
@MainActor
public protocol ApplicationDelegate: AnyObject {
  init()

  /// What the program says of itself before it runs.
  static var manifest: ApplicationManifest { get }
  /// The application's class.
  static var principalClass: Application.Type { get }
  /// What the program was launched for, where it knows better than `LaunchEvidence`: from a push service, or a protocol of
  /// its own. nil: what the evidence says.
  static var launchOptions: LaunchOptions? { get }
  /// What shows the program.
  static func makePresentationBackend() -> any PresentationBackend

  /// The window of a program without scenes. Given by the host when the manifest has a main storyboard.
  var window: Window? { get set }

  /// The launch has begun; state is not restored yet. False: the URL of the options is not to be opened.
  func application(_ application: Application, willFinishLaunchingWithOptions options: LaunchOptions) -> Bool
  /// The launch is nearly done; the interface is shown behind it. False: the URL of the options is not to be opened.
  func application(_ application: Application, didFinishLaunchingWithOptions options: LaunchOptions) -> Bool

  // State restoration, where the manifest asks for it.
  /// Before the state is kept: false keeps none.
  func application(_ application: Application, shouldSaveApplicationState coder: StateCoder) -> Bool
  /// Between will- and didFinishLaunching, with the state of the last launch: false restores nothing.
  func application(_ application: Application, shouldRestoreApplicationState coder: StateCoder) -> Bool
  func application(_ application: Application, willEncodeRestorableStateWith coder: StateCoder)
  func application(_ application: Application, didDecodeRestorableStateWith coder: StateCoder)
  /// The state was broken, or the last launch died of it: the error says where it lies now. The launch goes on without.
  func application(_ application: Application, didSetAsideState error: LifecycleError)

  /// Chooses how a new scene is made.
  func application(
    _ application: Application, configurationForConnecting session: SceneSession, options: ConnectionOptions
  ) -> SceneConfiguration

  // A program with scenes gets these in its scene delegate.
  func applicationWillEnterForeground(_ application: Application)
  func applicationDidBecomeActive(_ application: Application)
  func applicationWillResignActive(_ application: Application)
  func applicationDidEnterBackground(_ application: Application)
  func application(_ application: Application, open url: String, sourceApplication: String?) -> Bool
  /// Behind `didFinishLaunching` when a local notification launched the program.
  func application(_ application: Application, didReceive notification: LocalNotification)

  func applicationWillTerminate(_ application: Application)
}

extension ApplicationDelegate {
  public static var manifest: ApplicationManifest { ApplicationManifest() }
  public static var principalClass: Application.Type { Application.self }
  public static var launchOptions: LaunchOptions? { nil }
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
  public func application(_ application: Application, didReceive notification: LocalNotification) {}
  public func applicationWillTerminate(_ application: Application) {}

  /// The entry point of a program whose delegate is marked `@main`. Exits with the status of `ApplicationMain`.
  public static func main() {
    exitProcess(ApplicationMain(CommandLine.argc, CommandLine.unsafeArgv, principalClass, Self.self))
  }
}
#endif
