import Glibc
import LaunchLifecycle

final class ProgramSceneDelegate: SceneDelegate {
  var window: Window?

  init() { say("scene: init of its delegate") }

  func scene(_ scene: WindowScene, willConnectTo session: SceneSession, options: ConnectionOptions) {
    say("scene: willConnectTo" + (window == nil ? "" : " with its window"))
    if window == nil {
      let window = Window(windowScene: scene)
      window.rootViewController = ProgramViewController()
      window.makeKeyAndVisible()
      self.window = window
      say("scene: willConnectTo is done")
    }
  }

  func sceneWillEnterForeground(_ scene: WindowScene) { say("scene: willEnterForeground") }
  func sceneDidBecomeActive(_ scene: WindowScene) { say("scene: didBecomeActive") }
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

func say(_ line: String) { print(line) }
