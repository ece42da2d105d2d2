#if !canImport(os)
public import LaunchProfiler

/// What a program says of itself before it runs: the part of an `Info.plist` that the launch goes by.
@MainActor
public struct ApplicationManifest {
  /// The scene manifest. With no configuration the program has no scenes: the legacy life cycle of the app delegate.
  public var sceneConfigurations: [SceneConfiguration]
  /// The main interface of a program without scenes (`UIMainStoryboardFile`).
  public var mainStoryboard: Storyboard?
  /// What is shown until the first frame (`UILaunchScreen`): a name for the trace.
  public var launchScreen: String
  /// Keeps the program's state when it leaves the foreground, and offers it to the delegate at the next launch.
  public var restoresState: Bool
  /// Where; nil is `state` in the program's state directory (docs/lifecycle.md).
  public var stateFile: String?
  /// What each callback may take on the main thread, by phase id. Weaker than what the program or a budgets file says.
  public var budgets: LaunchBudgets

  public init(
    sceneConfigurations: [SceneConfiguration] = [], mainStoryboard: Storyboard? = nil, launchScreen: String = "",
    restoresState: Bool = false, stateFile: String? = nil, budgets: LaunchBudgets = .callbacks
  ) {
    self.sceneConfigurations = sceneConfigurations
    self.mainStoryboard = mainStoryboard
    self.launchScreen = launchScreen
    self.restoresState = restoresState
    self.stateFile = stateFile
    self.budgets = budgets
  }
}

extension LaunchBudgets {
  /// A callback in which programs do their work may take a quarter of the 400 ms to the first frame; one in which they
  /// should do nothing much, a frame.
  public static let callbacks = LaunchBudgets(
    phases: Dictionary(
      uniqueKeysWithValues: [
        LaunchPhase.willFinishLaunching, .didFinishLaunching, .stateRestoration, .sceneConnect, .loadMainInterface,
        .loadView, .viewDidLoad, .openURL, .didReceiveNotification,
      ].map { ($0.id.description, Duration.milliseconds(100)) }
        + [
          LaunchPhase.createApplication, .createDelegate, .sceneConfiguration, .createSceneDelegate, .viewWillAppear,
          .layout, .willEnterForeground, .didBecomeActive, .viewDidAppear,
        ].map { ($0.id.description, Duration.milliseconds(16)) }))
}
#endif
