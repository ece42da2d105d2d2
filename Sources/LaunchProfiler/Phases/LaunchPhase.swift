/// A phase of the launch: a stretch of its main path that has a name and may have a budget.
public struct LaunchPhase: Sendable {
  /// Lower case, words joined by hyphens.
  public let id: StaticString

  public init(_ id: StaticString) { self.id = id }

  /// `application(_:willFinishLaunchingWithOptions:)`
  public static let willFinishLaunching = LaunchPhase("will-finish-launching")
  /// `application(_:didFinishLaunchingWithOptions:)`
  public static let didFinishLaunching = LaunchPhase("did-finish-launching")
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
  /// All that the first screen shows is there: time to full display.
  public static let fullyDrawn = LaunchMilestone("fully-drawn")
}
