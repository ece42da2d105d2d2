// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
public import LaunchProfiler

/// A program's description of itself: the entries of an `Info.plist` that a launch needs.
@MainActor
public struct ApplicationManifest {
  /// The scene manifest. If it is empty, the program has no scenes, and uses the app delegate's legacy life cycle.
  public var sceneConfigurations: [SceneConfiguration]
  /// The main interface of a program without scenes (`UIMainStoryboardFile`).
  public var mainStoryboard: Storyboard?
  /// The launch screen's name in the trace (`UILaunchScreen`). The launch screen lasts until the first frame.
  public var launchScreen: String
  /// Whether the host keeps the program's state when it leaves the foreground, and offers it to the delegate at the
  /// next launch.
  public var restoresState: Bool
  /// The file of the state; nil for the file `state` in the program's state directory (docs/lifecycle.md).
  public var stateFile: String?
  /// Budgets of callbacks on the main thread, by phase id. A callback without one has that of `LaunchBudgets.callbacks`.
  /// Budgets of the program or of a budgets file have precedence.
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
  /// The default budgets. A callback in which programs do much of their work has a quarter of the 400 ms to the first
  /// frame. A callback in which they should do little has the time of one frame.
  public static let callbacks = LaunchBudgets(
    phases: Dictionary(
      uniqueKeysWithValues: [
        LaunchPhase.willFinishLaunching, .didFinishLaunching, .stateRestoration, .sceneConnect, .loadMainInterface,
        .loadView, .viewDidLoad, .openURL, .performAction, .continueActivity, .acceptShare, .didReceiveNotification,
        .discardSessions,
      ].map { ($0.id.description, Duration.milliseconds(100)) }
        + [
          LaunchPhase.createApplication, .createDelegate, .sceneConfiguration, .createSceneDelegate, .viewWillAppear,
          .layout, .willEnterForeground, .didBecomeActive, .viewDidAppear,
        ].map { ($0.id.description, Duration.milliseconds(16)) }))
}
#endif
