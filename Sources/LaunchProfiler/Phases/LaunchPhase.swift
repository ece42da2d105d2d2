// SPDX-License-Identifier: Apache-2.0

/// A phase of the launch: a stretch of the main thread's work that has a name and may have a budget.
public struct LaunchPhase: Sendable {
  /// The name in traces, reports and budgets: words in lower case, joined by hyphens.
  public let id: StaticString

  public init(_ id: StaticString) { self.id = id }

  // Computed: see D224.

  /// Creating the application instance.
  public static var createApplication: LaunchPhase { LaunchPhase("create-application") }
  /// Creating the application's delegate.
  public static var createDelegate: LaunchPhase { LaunchPhase("create-delegate") }
  /// Connecting to the screen, or to whatever else presents the program.
  public static var startPresentation: LaunchPhase { LaunchPhase("start-presentation") }
  /// `application(_:willFinishLaunchingWithOptions:)`
  public static var willFinishLaunching: LaunchPhase { LaunchPhase("will-finish-launching") }
  /// `application(_:didFinishLaunchingWithOptions:)`
  public static var didFinishLaunching: LaunchPhase { LaunchPhase("did-finish-launching") }
  /// `application(_:configurationForConnecting:options:)`
  public static var sceneConfiguration: LaunchPhase { LaunchPhase("scene-configuration") }
  /// Creating the scene delegate.
  public static var createSceneDelegate: LaunchPhase { LaunchPhase("create-scene-delegate") }
  /// Loading the main storyboard and creating its initial view controller.
  public static var loadMainInterface: LaunchPhase { LaunchPhase("load-main-interface") }
  /// `scene(_:willConnectTo:options:)`
  public static var sceneConnect: LaunchPhase { LaunchPhase("scene-connect") }
  /// Restoring what the program showed when the user left it.
  public static var stateRestoration: LaunchPhase { LaunchPhase("state-restoration") }
  /// Set-up that only the first launch after installation needs.
  public static var oneTimeSetup: LaunchPhase { LaunchPhase("one-time-setup") }
  /// `sceneWillEnterForeground`
  public static var willEnterForeground: LaunchPhase { LaunchPhase("will-enter-foreground") }
  /// `sceneDidBecomeActive`, `applicationDidBecomeActive`
  public static var didBecomeActive: LaunchPhase { LaunchPhase("did-become-active") }
  /// `application(_:open:options:)` of a program without scenes, after `didFinishLaunching`
  public static var openURL: LaunchPhase { LaunchPhase("open-url") }
  /// `application(_:didReceive:)` of a local notification, after `didFinishLaunching`
  public static var didReceiveNotification: LaunchPhase { LaunchPhase("did-receive-notification") }
  /// `loadView` of a view controller
  public static var loadView: LaunchPhase { LaunchPhase("load-view") }
  public static var viewDidLoad: LaunchPhase { LaunchPhase("view-did-load") }
  public static var viewWillAppear: LaunchPhase { LaunchPhase("view-will-appear") }
  /// `viewWillLayoutSubviews`, `layoutSubviews`, `viewDidLayoutSubviews`
  public static var layout: LaunchPhase { LaunchPhase("layout") }
  public static var viewDidAppear: LaunchPhase { LaunchPhase("view-did-appear") }
  /// Laying out and presenting the first frame.
  public static var firstFrame: LaunchPhase { LaunchPhase("first-frame") }
}

/// A named instant of the launch.
public struct LaunchMilestone: Sendable {
  /// The name in traces, reports and budgets: words in lower case, joined by hyphens.
  public let id: StaticString

  public init(_ id: StaticString) { self.id = id }

  /// The first frame is presented (time to initial display).
  public static var firstFrame: LaunchMilestone { LaunchMilestone("first-frame") }
  /// A program without a screen can do its work: for example, it listens, or it has printed its first output.
  public static var ready: LaunchMilestone { LaunchMilestone("ready") }
  /// A running instance of the program took over the launch, so this process ends.
  public static var handedOver: LaunchMilestone { LaunchMilestone("handed-over") }
  /// Everything on the first screen is shown (time to full display).
  public static var fullyDrawn: LaunchMilestone { LaunchMilestone("fully-drawn") }
}
