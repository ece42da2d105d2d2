// SPDX-License-Identifier: Apache-2.0

@testable import LaunchLifecycle

/// A program whose backend does what a test says. It notes each callback, with the state that the callback sees.
@MainActor
enum ScriptedProgram {
  fileprivate(set) static var lines: [String] = []
  static var options = LaunchOptions()
  static var context: LaunchContext?
  /// Whether the delegate has done by itself what the options ask for.
  static var handlesOptions = false
  /// Whether the delegate agrees to restore the state.
  static var restoresState = true
  /// The names of the scene configurations; the default one if there are none.
  static var configurations: [String] = []
  fileprivate static var manifest = ApplicationManifest()
  /// What the delegate does in a callback.
  fileprivate static var reactions: [String: @MainActor () -> Void] = [:]

  /// Runs the program, and returns its lines.
  static func run(
    scenes: Bool = false, options: LaunchOptions = LaunchOptions(), stateFile: String? = nil, hasScreen: Bool = true,
    reactions: [String: @MainActor () -> Void] = [:], _ script: @escaping @MainActor (any PresentationHost) -> Void
  ) throws -> [String] {
    lines = []
    var configuration = SceneConfiguration(delegateClass: ScriptedScene.self)
    let configurations = (configurations.isEmpty ? [configuration.name] : configurations).map { name in
      configuration.name = name
      return configuration
    }
    manifest = ApplicationManifest(
      sceneConfigurations: scenes ? configurations : [],
      restoresState: stateFile != nil, stateFile: stateFile)
    self.options = options
    self.reactions = reactions
    let sequence = LaunchSequence(arguments: ["program"])
    _ = try sequence.run(
      Application.self, ScriptedDelegate.self, ScriptedBackend(hasScreen: hasScreen, script: script))
    return lines
  }

  static func note(_ callback: String, _ detail: String = "") {
    lines.append("\(callback)\(detail.isEmpty ? "" : " \(detail)"): \(Application.shared.applicationState)")
    reactions[callback]?()
  }

  /// A launch in the background.
  static var location: LaunchOptions {
    var options = LaunchOptions()
    options.location = true
    return options
  }

  static func makeWindow(_ title: String) {
    let window = Window()
    window.title = title
    window.rootViewController = ViewController()
    window.makeKeyAndVisible()
  }

  /// All for which a scene may be opened.
  static var everything: ConnectionOptions {
    var options = opening("a:b")
    options.handoffUserActivityType = "read"
    options.userActivities = [UserActivity(activityType: "read")]
    options.shortcutItem = ShortcutItem(type: "compose")
    options.notificationResponse = NotificationResponse(actionIdentifier: "reply")
    options.cloudKitShareMetadata = CloudKitShareMetadata(containerIdentifier: "notes")
    return options
  }

  static func opening(_ url: String) -> ConnectionOptions {
    var options = ConnectionOptions()
    options.urlContexts = [OpenURLContext(url: url)]
    return options
  }
}

@MainActor
private final class ScriptedBackend: PresentationBackend {
  let hasScreen: Bool
  private let script: @MainActor (any PresentationHost) -> Void

  init(hasScreen: Bool, script: @escaping @MainActor (any PresentationHost) -> Void) {
    (self.hasScreen, self.script) = (hasScreen, script)
  }

  func show(_ window: Window) { ScriptedProgram.note("show", window.title) }
  func hide(_ window: Window) { ScriptedProgram.note("hide", window.title) }
  func run(_ host: any PresentationHost) { script(host) }
  func stop() {}
}

private final class ScriptedDelegate: ApplicationDelegate {
  static var manifest: ApplicationManifest { ScriptedProgram.manifest }
  static var launchOptions: LaunchOptions? { ScriptedProgram.options }
  static var launchContext: LaunchContext? { ScriptedProgram.context }

  private func note(_ callback: String, _ detail: String = "") { ScriptedProgram.note("app " + callback, detail) }
  private func names(_ options: LaunchOptions) -> String { options.keys.map(\.rawValue).joined(separator: " ") }

  func application(_ application: Application, willFinishLaunchingWithOptions options: LaunchOptions) -> Bool {
    note("willFinish", names(options))
    return true
  }
  func application(_ application: Application, didFinishLaunchingWithOptions options: LaunchOptions) -> Bool {
    note("didFinish", names(options))
    return !ScriptedProgram.handlesOptions
  }
  func applicationWillEnterForeground(_ application: Application) { note("willEnterForeground") }
  func applicationDidBecomeActive(_ application: Application) { note("didBecomeActive") }
  func applicationWillResignActive(_ application: Application) { note("willResignActive") }
  func applicationDidEnterBackground(_ application: Application) { note("didEnterBackground") }
  func application(_ application: Application, open url: String, sourceApplication: String?) -> Bool {
    note("open", url)
    return true
  }
  func application(_ application: Application, performActionFor shortcutItem: ShortcutItem) -> Bool {
    note("perform", shortcutItem.type)
    return true
  }
  func application(_ application: Application, didReceive notification: LocalNotification) {
    note("didReceive", notification.alertBody ?? "")
  }
  func application(_ application: Application, willContinueUserActivityWithType type: String) -> Bool {
    note("willContinue \(type)")
    return true
  }
  func application(_ application: Application, continue userActivity: UserActivity) -> Bool {
    note("continue \(userActivity.activityType)")
    return true
  }
  func application(_ application: Application, userDidAcceptCloudKitShareWith metadata: CloudKitShareMetadata) {
    note("accept \(metadata.containerIdentifier)")
  }
  func application(_ application: Application, didReceive response: NotificationResponse) {
    note("didReceive", response.actionIdentifier)
  }
  func application(_ application: Application, willEncodeRestorableStateWith coder: StateCoder) { note("encode") }
  func applicationWillTerminate(_ application: Application) { note("willTerminate") }
  func application(_ application: Application, didDiscardSceneSessions sceneSessions: Set<SceneSession>) {
    note("didDiscard", sceneSessions.map(\.persistentIdentifier).sorted().joined(separator: " "))
  }
  func application(_ application: Application, shouldRestoreApplicationState coder: StateCoder) -> Bool {
    ScriptedProgram.restoresState
  }
}

private final class ScriptedScene: SceneDelegate {
  private func note(_ callback: String, _ scene: WindowScene) {
    ScriptedProgram.note("scene " + callback, "\(scene.activationState)")
  }

  func scene(_ scene: WindowScene, willConnectTo session: SceneSession, options: ConnectionOptions) {
    note("willConnect", scene)
  }
  func sceneDidDisconnect(_ scene: WindowScene) { note("didDisconnect", scene) }
  func sceneWillEnterForeground(_ scene: WindowScene) { note("willEnterForeground", scene) }
  func sceneDidBecomeActive(_ scene: WindowScene) { note("didBecomeActive", scene) }
  func sceneWillResignActive(_ scene: WindowScene) { note("willResignActive", scene) }
  func sceneDidEnterBackground(_ scene: WindowScene) { note("didEnterBackground", scene) }
  func scene(_ scene: WindowScene, openURLContexts: Set<OpenURLContext>) { note("open", scene) }
  func scene(_ scene: WindowScene, willContinueUserActivityWithType userActivityType: String) {
    note("willContinue \(userActivityType)", scene)
  }
  func scene(_ scene: WindowScene, continue userActivity: UserActivity) {
    note("continue \(userActivity.activityType)", scene)
  }
  func windowScene(_ windowScene: WindowScene, performActionFor shortcutItem: ShortcutItem) -> Bool {
    note("perform \(shortcutItem.type)", windowScene)
    return true
  }
  func windowScene(_ windowScene: WindowScene, userDidAcceptCloudKitShareWith metadata: CloudKitShareMetadata) {
    note("accept \(metadata.containerIdentifier)", windowScene)
  }
  func stateRestorationActivity(for scene: WindowScene) -> UserActivity? {
    UserActivity(activityType: scene.session.persistentIdentifier)
  }
  func scene(_ scene: WindowScene, restoreInteractionStateWith activity: UserActivity) {
    ScriptedProgram.note("scene restore", activity.activityType)
  }
}
