/// A phase of the launch: a stretch of its main path that has a name and may have a budget.
public struct LaunchPhase: Sendable {
  /// Lower case, words joined by hyphens.
  public let id: StaticString

  public init(_ id: StaticString) { self.id = id }

  /// The application instance is made.
  public static let createApplication = LaunchPhase("create-application")
  /// The application's delegate is made.
  public static let createDelegate = LaunchPhase("create-delegate")
  /// The connection to the screen, or to what else presents the program, is made.
  public static let startPresentation = LaunchPhase("start-presentation")
  /// `application(_:willFinishLaunchingWithOptions:)`
  public static let willFinishLaunching = LaunchPhase("will-finish-launching")
  /// `application(_:didFinishLaunchingWithOptions:)`
  public static let didFinishLaunching = LaunchPhase("did-finish-launching")
  /// `application(_:configurationForConnecting:options:)`
  public static let sceneConfiguration = LaunchPhase("scene-configuration")
  /// The scene delegate is made.
  public static let createSceneDelegate = LaunchPhase("create-scene-delegate")
  /// The main storyboard is loaded, its initial view controller made.
  public static let loadMainInterface = LaunchPhase("load-main-interface")
  /// `scene(_:willConnectTo:options:)`
  public static let sceneConnect = LaunchPhase("scene-connect")
  /// Restoring what the program showed when it was left.
  public static let stateRestoration = LaunchPhase("state-restoration")
  /// Work of the first launch after installation.
  public static let oneTimeSetup = LaunchPhase("one-time-setup")
  /// `sceneWillEnterForeground`
  public static let willEnterForeground = LaunchPhase("will-enter-foreground")
  /// `sceneDidBecomeActive`, `applicationDidBecomeActive`
  public static let didBecomeActive = LaunchPhase("did-become-active")
  /// `application(_:open:options:)` of a program without scenes, behind `didFinishLaunching`
  public static let openURL = LaunchPhase("open-url")
  /// `application(_:didReceive:)` of a local notification, behind `didFinishLaunching`
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

/// A point of the launch that people wait for.
public struct LaunchMilestone: Sendable {
  /// Lower case, words joined by hyphens.
  public let id: StaticString

  public init(_ id: StaticString) { self.id = id }

  /// The first frame is presented: time to initial display.
  public static let firstFrame = LaunchMilestone("first-frame")
  /// A program without a screen can do its work: it listens, or printed its first byte.
  public static let ready = LaunchMilestone("ready")
  /// A running instance of the program has taken the launch over: this process is done.
  public static let handedOver = LaunchMilestone("handed-over")
  /// All that the first screen shows is there: time to full display.
  public static let fullyDrawn = LaunchMilestone("fully-drawn")
}
