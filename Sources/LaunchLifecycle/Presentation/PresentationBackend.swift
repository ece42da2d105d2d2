#if !canImport(os)
/// Shows a program: with a toolkit, in a terminal, or, for a program without a screen, not at all.
///
/// `ApplicationMain` calls `start`, then the delegate's callbacks, then `run`. A backend's event loop must also run
/// the work of the main actor; see `MainActorQueue`.
@MainActor
public protocol PresentationBackend: AnyObject {
  /// Whether the backend presents frames. If so, the launch ends with the first frame, and the launch screen lasts
  /// until then. Otherwise the launch ends when the program is ready.
  var hasScreen: Bool { get }

  /// Connects to the display, before the delegate's first callback.
  ///
  /// - Returns: `.continue`, or `.finish` if another instance of the program took over the launch.
  /// - Throws: if nothing can be shown. The program then prints the error and ends with status 1.
  func start(_ host: any PresentationHost) throws -> PresentationStart

  /// Shows a window. The view of its root view controller is loaded and laid out. Reports each frame to the host.
  func show(_ window: Window)

  /// Removes a window from the screen.
  func hide(_ window: Window)

  /// Runs the event loop until `stop` is called. First calls the host's `launched`, or `connect` if the toolkit knows
  /// what to open.
  func run(_ host: any PresentationHost)

  /// Makes `run` return soon.
  func stop()
}

extension PresentationBackend {
  public var hasScreen: Bool { true }
  public func start(_ host: any PresentationHost) throws -> PresentationStart { .continue }
  public func hide(_ window: Window) {}
}

/// Whether this process continues the launch.
public enum PresentationStart: Sendable {
  case `continue`
  /// A running process took over the launch; exit with this status.
  case finish(status: Int32)
}

/// The events that a backend reports to the application.
@MainActor
public protocol PresentationHost: AnyObject {
  var arguments: [String] { get }

  /// The event loop runs. Connects the first scene, unless this is a background launch.
  ///
  /// - Returns: true if the interface is shown.
  func launched() -> Bool

  /// The user wants to see the program. Connects the first scene, or activates a connected one with the URLs to open.
  ///
  /// - Parameter options: nil for the options of the launch.
  func connect(_ options: ConnectionOptions?)

  /// A frame with the window's content is on the screen.
  func framePresented(_ frame: PresentedFrame, in window: Window)

  /// A program without a screen can do its work.
  func ready()

  /// The user switched to the program, or away from it.
  func becomeActive()
  func resignActive()
  func enterForeground()
  func enterBackground()

  /// Ends the program: `applicationWillTerminate`, then the backend's `stop`.
  func terminate()
}

/// A frame, and when it was shown.
public struct PresentedFrame: Sendable, Equatable {
  /// The event whose time it is.
  public enum Source: String, Sendable {
    /// The compositor reported when the frame was on the screen.
    case presentation = "presentation-time"
    /// The frame was submitted at this time. It was on the screen at the next refresh, or never.
    case painted = "after-paint"
  }

  /// CLOCK_MONOTONIC, ns; nil means now.
  public var time: UInt64?
  public var source: Source

  public init(time: UInt64? = nil, source: Source = .painted) {
    self.time = time
    self.source = source
  }
}
#endif
