/// A phase of the launch: a stretch of the main thread's work that has a name and may have a budget.
public struct LaunchPhase: Sendable {
  /// The name in traces, reports and budgets: words in lower case, joined by hyphens.
  public let id: StaticString

  public init(_ id: StaticString) { self.id = id }

  /// Creating the application instance.
  public static let createApplication = LaunchPhase("create-application")
  /// Creating the application's delegate.
  public static let createDelegate = LaunchPhase("create-delegate")
  /// Connecting to the screen, or to whatever else presents the program.
  public static let startPresentation = LaunchPhase("start-presentation")
  /// `application(_:willFinishLaunchingWithOptions:)`
  public static let willFinishLaunching = LaunchPhase("will-finish-launching")
  /// `application(_:didFinishLaunchingWithOptions:)`
  public static let didFinishLaunching = LaunchPhase("did-finish-launching")
  /// `application(_:configurationForConnecting:options:)`
  public static let sceneConfiguration = LaunchPhase("scene-configuration")
  /// Creating the scene delegate.
  public static let createSceneDelegate = LaunchPhase("create-scene-delegate")
  /// Loading the main storyboard and creating its initial view controller.
  public static let loadMainInterface = LaunchPhase("load-main-interface")
  /// `scene(_:willConnectTo:options:)`
  public static let sceneConnect = LaunchPhase("scene-connect")
  /// Restoring what the program showed when the user left it.
  public static let stateRestoration = LaunchPhase("state-restoration")
  /// Set-up that only the first launch after installation needs.
  public static let oneTimeSetup = LaunchPhase("one-time-setup")
  /// `sceneWillEnterForeground`
  public static let willEnterForeground = LaunchPhase("will-enter-foreground")
  /// `sceneDidBecomeActive`, `applicationDidBecomeActive`
  public static let didBecomeActive = LaunchPhase("did-become-active")
  /// `application(_:open:options:)` of a program without scenes, after `didFinishLaunching`
  public static let openURL = LaunchPhase("open-url")
  /// `application(_:didReceive:)` of a local notification, after `didFinishLaunching`
  public static let didReceiveNotification = LaunchPhase("did-receive-notification")
  /// `loadView` of a view controller
  public static let loadView = LaunchPhase("load-view")
  public static let viewDidLoad = LaunchPhase("view-did-load")
  public static let viewWillAppear = LaunchPhase("view-will-appear")
  /// `viewWillLayoutSubviews`, `layoutSubviews`, `viewDidLayoutSubviews`
  public static let layout = LaunchPhase("layout")
  public static let viewDidAppear = LaunchPhase("view-did-appear")
  /// Laying out and presenting the first frame.
  public static let firstFrame = LaunchPhase("first-frame")
}

/// A named instant of the launch.
public struct LaunchMilestone: Sendable {
  /// The name in traces, reports and budgets: words in lower case, joined by hyphens.
  public let id: StaticString

  public init(_ id: StaticString) { self.id = id }

  /// The first frame is presented (time to initial display).
  public static let firstFrame = LaunchMilestone("first-frame")
  /// A program without a screen can do its work: for example, it listens, or it has printed its first output.
  public static let ready = LaunchMilestone("ready")
  /// A running instance of the program took over the launch, so this process ends.
  public static let handedOver = LaunchMilestone("handed-over")
  /// Everything on the first screen is shown (time to full display).
  public static let fullyDrawn = LaunchMilestone("fully-drawn")
}
