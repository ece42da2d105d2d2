import LaunchLifecycle
import LaunchProfiler

/// A program under the application host, for the end-to-end tests: it prints each callback when it is called. Its first
/// argument says which kind of program it is.
@main
final class ProgramDelegate: ApplicationDelegate {
  enum Mode: String {
    case scenesWithStoryboard = "scenes-with-storyboard"
    case scenes
    case legacyWithStoryboard = "legacy-with-storyboard"
    case legacy
    /// Terminated by a task of the main actor.
    case task
    /// Terminated by a signal.
    case wait
    /// Deferred work and a task graph.
    case work
    /// Crashes while it restores its state, after it has kept one.
    case crash
    /// A full-screen program in a terminal.
    case terminal
    /// A server: no screen.
    case server
    /// Nothing can be shown.
    case noDisplay = "no-display"

    static let current = CommandLine.arguments.dropFirst().first.flatMap(Mode.init) ?? .scenes
    var hasScenes: Bool { ![.legacy, .legacyWithStoryboard].contains(self) }
    var hasStoryboard: Bool { [.scenesWithStoryboard, .legacyWithStoryboard].contains(self) }
  }

  static var manifest: ApplicationManifest {
    let storyboard = Storyboard {
      say("storyboard: initial view controller")
      return ProgramViewController()
    }
    let configuration = SceneConfiguration(
      delegateClass: ProgramSceneDelegate.self, storyboard: Mode.current.hasStoryboard ? storyboard : nil)
    return ApplicationManifest(
      sceneConfigurations: Mode.current.hasScenes ? [configuration] : [],
      mainStoryboard: Mode.current.hasStoryboard ? storyboard : nil,
      restoresState: environment("LIFECYCLE_STATE") != nil, stateFile: environment("LIFECYCLE_STATE"))
  }

  static var principalClass: Application.Type { ProgramApplication.self }

  static func makePresentationBackend() -> any PresentationBackend {
    switch Mode.current {
    case .noDisplay: return NoDisplayBackend()
    case .terminal: return TerminalBackend()
    case .server: return ServerBackend()
    default: break
    }
    return HeadlessBackend(terminatesAfterLaunch: ![.task, .wait, .work].contains(Mode.current))
  }

  var window: Window?
  var launches = 1

  init() { say("delegate: init") }

  func application(_ application: Application, willFinishLaunchingWithOptions options: LaunchOptions) -> Bool {
    precondition(application === Application.shared && application.delegate === self)
    say("delegate: willFinishLaunching")
    return true
  }

  func application(_ application: Application, didFinishLaunchingWithOptions options: LaunchOptions) -> Bool {
    say("delegate: didFinishLaunching")
    if Mode.current == .legacy {
      let window = Window()
      window.rootViewController = ProgramViewController()
      window.makeKeyAndVisible()
      self.window = window
    }
    if Mode.current == .work { doWork() }
    if Mode.current == .server { application.ready() }
    if Mode.current == .task {
      Task { @MainActor in
        say("task of the main actor")
        application.terminate()
      }
    }
    return true
  }

  func application(
    _ application: Application, configurationForConnecting session: SceneSession, options: ConnectionOptions
  ) -> SceneConfiguration {
    say("delegate: configurationForConnecting")
    return session.configuration
  }

  func applicationWillEnterForeground(_ application: Application) { say("delegate: willEnterForeground") }
  func applicationDidBecomeActive(_ application: Application) { say("delegate: didBecomeActive") }
  func applicationWillResignActive(_ application: Application) { say("delegate: willResignActive") }
  func applicationDidEnterBackground(_ application: Application) { say("delegate: didEnterBackground") }
  func applicationWillTerminate(_ application: Application) { say("delegate: willTerminate") }
}

final class ProgramApplication: Application {
  required init() {
    super.init()
    say("application: init")
  }
}

struct NoDisplay: Error, CustomStringConvertible {
  var description: String { "there is no display; set DISPLAY" }
}

final class NoDisplayBackend: PresentationBackend {
  func start(_ host: any PresentationHost) throws -> PresentationStart { throw NoDisplay() }
  func show(_ window: Window) {}
  func run(_ host: any PresentationHost) {}
  func stop() {}
}
