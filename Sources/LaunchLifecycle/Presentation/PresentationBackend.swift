#if !canImport(os)
/// What shows a program to people: a toolkit, a terminal, or, for a program with no screen, nothing at all.
///
/// `ApplicationMain` calls `start`, then the delegate's callbacks, then `run`. A backend's loop also has to run the main
/// actor's work: `MainActorQueue`.
@MainActor
public protocol PresentationBackend: AnyObject {
  /// True when there are frames: the launch ends with the first one, and until then the launch screen is up. Of a program
  /// without a screen the launch ends when it is ready.
  var hasScreen: Bool { get }

  /// Connects to the display, before the delegate's first callback.
  ///
  /// - Returns: `.continue`, or `.finish` when another instance of the program has taken the launch over.
  /// - Throws: when nothing can be shown; the program ends with status 1, its message on standard error.
  func start(_ host: any PresentationHost) throws -> PresentationStart

  /// Shows a window, whose root view controller's view is loaded and laid out. Tells the host of each frame.
  func show(_ window: Window)

  /// Takes a window off the screen.
  func hide(_ window: Window)

  /// Runs the event loop until `stop` is called. Tells the host first that it was `launched`, or, where the
  /// toolkit knows better what a person wants, to `connect` a scene.
  func run(_ host: any PresentationHost)

  /// Ends `run`, soon.
  func stop()
}

extension PresentationBackend {
  public var hasScreen: Bool { true }
  public func start(_ host: any PresentationHost) throws -> PresentationStart { .continue }
  public func hide(_ window: Window) {}
}

/// Whether this process goes on with the launch.
public enum PresentationStart: Sendable {
  case `continue`
  /// The launch was handed to a process that runs already; exit with this status.
  case finish(status: Int32)
}

/// What a backend tells the application.
@MainActor
public protocol PresentationHost: AnyObject {
  var arguments: [String] { get }

  /// The loop runs: connects the first scene, unless the launch was one into the background.
  ///
  /// - Returns: true when the interface is shown.
  func launched() -> Bool

  /// A person wants the program: connects the first scene, or brings a connected one forward with what it is to open.
  ///
  /// - Parameter options: nil for those of the launch.
  func connect(_ options: ConnectionOptions?)

  /// A frame with the window's content is on the screen.
  func framePresented(_ frame: PresentedFrame, in window: Window)

  /// The program can do its work: for programs without a screen.
  func ready()

  /// The person turned to the program, or away from it.
  func becomeActive()
  func resignActive()
  func enterForeground()
  func enterBackground()

  /// Ends the program: `applicationWillTerminate`, then the backend's `stop`.
  func terminate()
}

/// A frame, and when people saw it.
public struct PresentedFrame: Sendable, Equatable {
  /// What the time is of.
  public enum Source: String, Sendable {
    /// The compositor said when the frame was on the screen.
    case presentation = "presentation-time"
    /// The frame was handed over then; it was on the screen at the next refresh, or never.
    case painted = "after-paint"
  }

  /// CLOCK_MONOTONIC, ns; nil is now.
  public var time: UInt64?
  public var source: Source

  public init(time: UInt64? = nil, source: Source = .painted) {
    self.time = time
    self.source = source
  }
}
#endif
