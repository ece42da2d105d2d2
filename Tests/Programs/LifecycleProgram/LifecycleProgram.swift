// SPDX-License-Identifier: Apache-2.0

import LaunchLifecycle
import LaunchProfiler

/// A program under the application host, for the end-to-end tests. It prints each callback that is called. Its first
/// argument says which kind of program it is.
@main
final class ProgramDelegate: ApplicationDelegate {
  enum Mode: String {
    case scenesWithStoryboard = "scenes-with-storyboard"
    case scenes
    case legacyWithStoryboard = "legacy-with-storyboard"
    case legacy
    /// A task of the main actor ends it.
    case task
    /// A signal ends it.
    case wait
    /// Deferred work and a task graph.
    case work
    /// Crashes while it restores the state that it saved before.
    case crash
    /// Forgets to show its window, and ends.
    case hidden
    /// A full-screen program in a terminal.
    case terminal
    /// A server: no screen.
    case server
    /// A server that prints while it runs, and then ends itself.
    case printing
    /// Saves its state again and again, until it is killed.
    case saving
    /// One-time set-up.
    case setup
    /// Its display has another clock.
    case otherClock = "other-clock"
    /// There is no display.
    case noDisplay = "no-display"

    static let current = CommandLine.arguments.dropFirst().first.flatMap(Mode.init) ?? .scenes
    var hasScenes: Bool { ![.legacy, .legacyWithStoryboard].contains(self) }
    var hasStoryboard: Bool { [.scenesWithStoryboard, .legacyWithStoryboard].contains(self) }
    /// Its standard output is the terminal's screen, so it prints nothing else.
    var paints: Bool { self == .terminal }
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
      restoresState: environment("LIFECYCLE_STATE") != nil, stateFile: environment("LIFECYCLE_STATE"), budgets: budgets)
  }

  /// A strict budget for launches with a URL, if the test asks for it.
  private static var budgets: LaunchBudgets {
    var budgets = LaunchBudgets()
    if environment("LIFECYCLE_STRICT") != nil {
      budgets.when = [LaunchBudgets.When(reason: "url", phases: ["did-finish-launching": .nanoseconds(1)])]
    }
    return budgets
  }

  static var principalClass: Application.Type { ProgramApplication.self }

  static func makePresentationBackend() -> any PresentationBackend {
    switch Mode.current {
    case .noDisplay: return NoDisplayBackend()
    case .terminal: return TerminalBackend()
    case .server, .printing: return ServerBackend()
    case .saving: return SavingBackend()
    case .otherClock: return OtherClockBackend()
    default: break
    }
    return HeadlessBackend(terminatesAfterLaunch: ![.task, .wait, .work].contains(Mode.current))
  }

  var window: Window?
  var launches = 1

  init() {
    say("delegate: init")
    record(to: "LIFECYCLE_RECORD")
  }

  /// Starts the recorder if the variable has the path of a trace.
  private func record(to variable: String) {
    if let path = environment(variable) {
      let isFull = environment("LIFECYCLE_FULL_DISPLAY") != nil
      try? LaunchProfiler.start(
        into: .file(path), completion: isFull ? .fullDisplay : .initialDisplay, stopsWhenCompleted: isFull)
    }
  }

  func application(_ application: Application, willFinishLaunchingWithOptions options: LaunchOptions) -> Bool {
    precondition(application === Application.shared && application.delegate === self)
    say("delegate: willFinishLaunching")
    record(to: "LIFECYCLE_RECORD_LATE")
    sayOptions("will", options)
    return true
  }

  func application(_ application: Application, didFinishLaunchingWithOptions options: LaunchOptions) -> Bool {
    say("delegate: didFinishLaunching")
    sayOptions("did", options)
    if Mode.current == .setup { setUp() }
    if Mode.current == .legacy {
      let window = Window()
      window.rootViewController = ProgramViewController()
      window.makeKeyAndVisible()
      self.window = window
    }
    if Mode.current == .work { doWork() }
    if Mode.current == .printing { printLater() }
    if environment("LIFECYCLE_LATER") != nil { askForAWindowLater() }
    if Mode.current == .server {
      for socket in ServerBackend.activatedSockets { say("socket: \(socket.descriptor) \(socket.name)") }
      application.ready()
    }
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
  func application(_ application: Application, open url: String, sourceApplication: String?) -> Bool {
    say("delegate: open \(url) from \(sourceApplication ?? "nobody")")
    return true
  }
  func application(_ application: Application, didReceive notification: LocalNotification) {
    say("delegate: didReceive \(notification.alertBody ?? "")")
  }

  func applicationWillTerminate(_ application: Application) {
    say("delegate: willTerminate")
    if environment("LIFECYCLE_FULL_DISPLAY") != nil { say("recording: \(LaunchProfiler.isRecording)") }
  }
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
