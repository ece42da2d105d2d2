// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchLifecycle

final class ProgramSceneDelegate: SceneDelegate {
  var window: Window?

  init() { say("scene: init of its delegate") }

  func scene(_ scene: WindowScene, willConnectTo session: SceneSession, options: ConnectionOptions) {
    say("scene: willConnectTo" + (window == nil ? "" : " with its window"))
    sayOptions(options)
    if window == nil {
      let window = Window(windowScene: scene)
      window.rootViewController = ProgramViewController()
      if ProgramDelegate.Mode.current != .hidden { window.makeKeyAndVisible() }
      self.window = window
      say("scene: willConnectTo is done")
    }
  }

  func sceneWillEnterForeground(_ scene: WindowScene) { say("scene: willEnterForeground") }
  func sceneDidBecomeActive(_ scene: WindowScene) {
    say("scene: didBecomeActive")
    if ProgramDelegate.Mode.current == .hidden { Task { @MainActor in Application.shared.terminate() } }
  }
  func sceneWillResignActive(_ scene: WindowScene) { say("scene: willResignActive") }
  func sceneDidEnterBackground(_ scene: WindowScene) { say("scene: didEnterBackground") }
}

final class ProgramViewController: ViewController {
  override init() {
    super.init()
    say("controller: init")
  }

  override func loadView() {
    super.loadView()
    let isPlain = environment("LIFECYCLE_PLAIN_VIEW") != nil
    if ProgramDelegate.Mode.current == .terminal, !isPlain { view = ProgramTerminalView() }
    say("controller: loadView")
  }
  override func viewDidLoad() { say("controller: viewDidLoad") }
  override func viewWillAppear(_ animated: Bool) { say("controller: viewWillAppear") }
  override func viewWillLayoutSubviews() { say("controller: viewWillLayoutSubviews") }
  override func viewDidLayoutSubviews() { say("controller: viewDidLayoutSubviews") }
  override func viewDidAppear(_ animated: Bool) {
    say("controller: viewDidAppear")
    if ProgramDelegate.Mode.current == .wait { raise(SIGTERM) }
  }
}

final class ProgramTerminalView: TerminalView {
  private var keys = 0

  override func draw(columns: Int, rows: Int) -> [String] {
    ["screen of \(columns) by \(rows), \(keys) keys", "process \(getpid());"]
  }

  override func keysPressed(_ keys: [UInt8]) -> Bool {
    if keys == [UInt8(ascii: "q")] { return false }
    if keys == [UInt8(ascii: "e")] { exit(3) }
    self.keys += 1
    return true
  }
}

/// Prints nothing on a terminal, because the screen belongs to the view.
func say(_ line: String) { if !ProgramDelegate.Mode.current.paints { print(line) } }
