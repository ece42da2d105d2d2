// SPDX-License-Identifier: Apache-2.0

/// A phase of the launch: a stretch of the main thread's work that has a name and may have a budget.
public struct LaunchPhase: Sendable {
  /// The name in traces, reports and budgets: words in lower case, joined by hyphens.
  public let id: StaticString

  public init(_ id: StaticString) { self.id = id }

  // Computed, and emitted into the program that uses them, so that it exports no name for them: D224.

  /// Creating the application instance.
  @_alwaysEmitIntoClient public static var createApplication: LaunchPhase { Self("create-application") }
  /// Creating the application's delegate.
  @_alwaysEmitIntoClient public static var createDelegate: LaunchPhase { Self("create-delegate") }
  /// Connecting to the screen, or to whatever else presents the program.
  @_alwaysEmitIntoClient public static var startPresentation: LaunchPhase { Self("start-presentation") }
  /// `application(_:willFinishLaunchingWithOptions:)`
  @_alwaysEmitIntoClient public static var willFinishLaunching: LaunchPhase { Self("will-finish-launching") }
  /// `application(_:didFinishLaunchingWithOptions:)`
  @_alwaysEmitIntoClient public static var didFinishLaunching: LaunchPhase { Self("did-finish-launching") }
  /// `application(_:configurationForConnecting:options:)`
  @_alwaysEmitIntoClient public static var sceneConfiguration: LaunchPhase { Self("scene-configuration") }
  /// Creating the scene delegate.
  @_alwaysEmitIntoClient public static var createSceneDelegate: LaunchPhase { Self("create-scene-delegate") }
  /// Loading the main storyboard and creating its initial view controller.
  @_alwaysEmitIntoClient public static var loadMainInterface: LaunchPhase { Self("load-main-interface") }
  /// `scene(_:willConnectTo:options:)`
  @_alwaysEmitIntoClient public static var sceneConnect: LaunchPhase { Self("scene-connect") }
  /// Restoring what the program showed when the user left it.
  @_alwaysEmitIntoClient public static var stateRestoration: LaunchPhase { Self("state-restoration") }
  /// Set-up that only the first launch after installation needs.
  @_alwaysEmitIntoClient public static var oneTimeSetup: LaunchPhase { Self("one-time-setup") }
  /// `sceneWillEnterForeground`
  @_alwaysEmitIntoClient public static var willEnterForeground: LaunchPhase { Self("will-enter-foreground") }
  /// `sceneDidBecomeActive`, `applicationDidBecomeActive`
  @_alwaysEmitIntoClient public static var didBecomeActive: LaunchPhase { Self("did-become-active") }
  /// `application(_:open:options:)` of a program without scenes, after `didFinishLaunching`
  @_alwaysEmitIntoClient public static var openURL: LaunchPhase { Self("open-url") }
  /// `application(_:didReceive:)` of a local notification, after `didFinishLaunching`
  @_alwaysEmitIntoClient public static var didReceiveNotification: LaunchPhase { Self("did-receive-notification") }
  /// `loadView` of a view controller
  @_alwaysEmitIntoClient public static var loadView: LaunchPhase { Self("load-view") }
  @_alwaysEmitIntoClient public static var viewDidLoad: LaunchPhase { Self("view-did-load") }
  @_alwaysEmitIntoClient public static var viewWillAppear: LaunchPhase { Self("view-will-appear") }
  /// `viewWillLayoutSubviews`, `layoutSubviews`, `viewDidLayoutSubviews`
  @_alwaysEmitIntoClient public static var layout: LaunchPhase { Self("layout") }
  @_alwaysEmitIntoClient public static var viewDidAppear: LaunchPhase { Self("view-did-appear") }
  /// Laying out and presenting the first frame.
  @_alwaysEmitIntoClient public static var firstFrame: LaunchPhase { Self("first-frame") }
}

/// A named instant of the launch.
public struct LaunchMilestone: Sendable {
  /// The name in traces, reports and budgets: words in lower case, joined by hyphens.
  public let id: StaticString

  public init(_ id: StaticString) { self.id = id }

  /// The first frame is presented (time to initial display).
  @_alwaysEmitIntoClient public static var firstFrame: LaunchMilestone { Self("first-frame") }
  /// A program without a screen can do its work: for example, it listens, or it has printed its first output.
  @_alwaysEmitIntoClient public static var ready: LaunchMilestone { Self("ready") }
  /// A running instance of the program took over the launch, so this process ends.
  @_alwaysEmitIntoClient public static var handedOver: LaunchMilestone { Self("handed-over") }
  /// Everything on the first screen is shown (time to full display).
  @_alwaysEmitIntoClient public static var fullyDrawn: LaunchMilestone { Self("fully-drawn") }
}
