#if !canImport(os)
/// The program, as its delegate and its scenes see it. Mirrors `UIApplication`.
@MainActor
open class Application {
  /// Mirrors `UIApplication.State`.
  public enum State: Sendable { case active, inactive, background }

  private static var instance: Application?

  /// The one application of the process, made by `ApplicationMain`.
  public static var shared: Application {
    if let instance { return instance }
    let made = Application()
    instance = made
    return made
  }

  public var delegate: (any ApplicationDelegate)?
  /// Why the program was launched.
  public internal(set) var launchCircumstances = LaunchCircumstances(reason: .unknown, context: .uncertain)
  public internal(set) var applicationState = State.inactive
  public internal(set) var connectedScenes: [WindowScene] = []
  public internal(set) var openSessions: [SceneSession] = []
  public internal(set) var keyWindow: Window?
  /// Those of the scenes, and those of a program without scenes.
  public var windows: [Window] { ownWindows + connectedScenes.flatMap(\.windows) }

  private var ownWindows: [Window] = []
  weak var sequence: LaunchSequence?

  public required init() {}

  static func install(_ application: Application) { instance = application }

  func add(_ window: Window) { ownWindows.append(window) }

  func remove(_ window: Window) {
    ownWindows.removeAll { $0 === window }
    if keyWindow === window { keyWindow = nil }
  }

  /// Connects one more scene, or brings the session's scene forward. Mirrors `requestSceneSessionActivation`.
  public func requestSceneSessionActivation(
    _ session: SceneSession? = nil, options: ConnectionOptions = ConnectionOptions()
  ) {
    sequence?.activate(session, options)
  }

  /// Disconnects a scene and closes its windows. Mirrors `requestSceneSessionDestruction`.
  public func requestSceneSessionDestruction(_ session: SceneSession) { sequence?.disconnect(session) }

  /// The program can do its work: for one without a screen. Ends the launch, and tells systemd (`READY=1`).
  public func ready() { sequence?.ready() }

  /// Ends the program: `applicationWillTerminate`, then `ApplicationMain` returns.
  public func terminate() { sequence?.terminate() }
}
#endif
