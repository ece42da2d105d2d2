// SPDX-License-Identifier: Apache-2.0

/// A phase of the launch: a stretch of the main thread's work that has a name and may have a budget.
public struct LaunchPhase: Sendable {
  /// The name in traces, reports and budgets: words in lower case, joined by hyphens.
  ///
  /// The launch has phases of its own: `exec`, `load`, `relocate`, `recorder`, `static-init`, `main`, `ready`, `extended`,
  /// `exit` and `unattributed`. Budgets and launch records count a phase of the same name together with these.
  @_borrowed public let id: StaticString

  @_alwaysEmitIntoClient
  public init(_ id: StaticString) { self.id = id }

  // Computed, and emitted into the program that uses them, so that a program exports no name for them. With a getter, the
  // compiler would export a property descriptor: D224.

  /// Creating the application instance.
  @_borrowed @_alwaysEmitIntoClient
  public static var createApplication: LaunchPhase { _read { yield Self("create-application") } }
  /// Creating the application's delegate.
  @_borrowed @_alwaysEmitIntoClient
  public static var createDelegate: LaunchPhase { _read { yield Self("create-delegate") } }
  /// Connecting to the screen, or to whatever else presents the program.
  @_borrowed @_alwaysEmitIntoClient
  public static var startPresentation: LaunchPhase { _read { yield Self("start-presentation") } }
  /// `application(_:willFinishLaunchingWithOptions:)`
  @_borrowed @_alwaysEmitIntoClient
  public static var willFinishLaunching: LaunchPhase { _read { yield Self("will-finish-launching") } }
  /// `application(_:didFinishLaunchingWithOptions:)`
  @_borrowed @_alwaysEmitIntoClient
  public static var didFinishLaunching: LaunchPhase { _read { yield Self("did-finish-launching") } }
  /// `application(_:didDiscardSceneSessions:)`, after `didFinishLaunching`
  @_borrowed @_alwaysEmitIntoClient
  public static var discardSessions: LaunchPhase { _read { yield Self("discard-sessions") } }
  /// `application(_:configurationForConnecting:options:)`
  @_borrowed @_alwaysEmitIntoClient
  public static var sceneConfiguration: LaunchPhase { _read { yield Self("scene-configuration") } }
  /// Creating the scene delegate.
  @_borrowed @_alwaysEmitIntoClient
  public static var createSceneDelegate: LaunchPhase { _read { yield Self("create-scene-delegate") } }
  /// Loading the main storyboard and creating its initial view controller.
  @_borrowed @_alwaysEmitIntoClient
  public static var loadMainInterface: LaunchPhase { _read { yield Self("load-main-interface") } }
  /// `scene(_:willConnectTo:options:)`
  @_borrowed @_alwaysEmitIntoClient
  public static var sceneConnect: LaunchPhase { _read { yield Self("scene-connect") } }
  /// Restoring what the program showed when the user left it.
  @_borrowed @_alwaysEmitIntoClient
  public static var stateRestoration: LaunchPhase { _read { yield Self("state-restoration") } }
  /// Set-up that only the first launch after installation needs.
  @_borrowed @_alwaysEmitIntoClient
  public static var oneTimeSetup: LaunchPhase { _read { yield Self("one-time-setup") } }
  /// `sceneWillEnterForeground`
  @_borrowed @_alwaysEmitIntoClient
  public static var willEnterForeground: LaunchPhase { _read { yield Self("will-enter-foreground") } }
  /// `sceneDidBecomeActive`, `applicationDidBecomeActive`
  @_borrowed @_alwaysEmitIntoClient
  public static var didBecomeActive: LaunchPhase { _read { yield Self("did-become-active") } }
  /// `application(_:open:sourceApplication:)` of a program without scenes, after `didFinishLaunching`
  @_borrowed @_alwaysEmitIntoClient
  public static var openURL: LaunchPhase { _read { yield Self("open-url") } }
  /// `application(_:performActionFor:)` of a program without scenes, after `didFinishLaunching`
  @_borrowed @_alwaysEmitIntoClient
  public static var performAction: LaunchPhase { _read { yield Self("perform-action") } }
  /// `application(_:willContinueUserActivityWithType:)` and `application(_:continue:)` of a program without scenes, after
  /// `didFinishLaunching`
  @_borrowed @_alwaysEmitIntoClient
  public static var continueActivity: LaunchPhase { _read { yield Self("continue-activity") } }
  /// `application(_:userDidAcceptCloudKitShareWith:)` of a program without scenes, after `didFinishLaunching`
  @_borrowed @_alwaysEmitIntoClient
  public static var acceptShare: LaunchPhase { _read { yield Self("accept-share") } }
  /// `application(_:didReceive:)` of a notification, after `didFinishLaunching`
  @_borrowed @_alwaysEmitIntoClient
  public static var didReceiveNotification: LaunchPhase { _read { yield Self("did-receive-notification") } }
  /// `loadView` of a view controller
  @_borrowed @_alwaysEmitIntoClient
  public static var loadView: LaunchPhase { _read { yield Self("load-view") } }
  @_borrowed @_alwaysEmitIntoClient
  public static var viewDidLoad: LaunchPhase { _read { yield Self("view-did-load") } }
  @_borrowed @_alwaysEmitIntoClient
  public static var viewWillAppear: LaunchPhase { _read { yield Self("view-will-appear") } }
  /// `viewWillLayoutSubviews`, `layoutSubviews`, `viewDidLayoutSubviews`
  @_borrowed @_alwaysEmitIntoClient
  public static var layout: LaunchPhase { _read { yield Self("layout") } }
  @_borrowed @_alwaysEmitIntoClient
  public static var viewDidAppear: LaunchPhase { _read { yield Self("view-did-appear") } }
  /// Laying out and presenting the first frame.
  @_borrowed @_alwaysEmitIntoClient
  public static var firstFrame: LaunchPhase { _read { yield Self("first-frame") } }
}

/// A named instant of the launch.
public struct LaunchMilestone: Sendable {
  /// The name in traces, reports and budgets: words in lower case, joined by hyphens.
  @_borrowed public let id: StaticString

  @_alwaysEmitIntoClient
  public init(_ id: StaticString) { self.id = id }

  /// The first frame is presented (time to initial display).
  @_borrowed @_alwaysEmitIntoClient
  public static var firstFrame: LaunchMilestone { _read { yield Self("first-frame") } }
  /// A program without a screen can do its work: for example, it listens, or it has printed its first output.
  @_borrowed @_alwaysEmitIntoClient
  public static var ready: LaunchMilestone { _read { yield Self("ready") } }
  /// A running instance of the program took over the launch, so this process ends.
  @_borrowed @_alwaysEmitIntoClient
  public static var handedOver: LaunchMilestone { _read { yield Self("handed-over") } }
  /// Everything on the first screen is shown (time to full display).
  @_borrowed @_alwaysEmitIntoClient
  public static var fullyDrawn: LaunchMilestone { _read { yield Self("fully-drawn") } }
}
