// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
/// Shows a program with a toolkit or in a terminal. For a program without a screen, it only runs the event loop.
///
/// `ApplicationMain` calls `start`, then the delegate's callbacks, then `run`. A backend's event loop must also run
/// the work of the main actor; see `MainActorQueue`.
@MainActor
public protocol PresentationBackend: AnyObject {
  /// True if the backend presents frames. The launch and the launch screen then end with the first frame. Otherwise the
  /// launch ends when the program is ready.
  var hasScreen: Bool { get }

  /// Connects to the display, before the delegate's first callback.
  ///
  /// - Returns: `.continue`, or `.finish` if another instance of the program took over the launch.
  /// - Throws: an error if the backend can show nothing. The program then prints the error and ends with status 1.
  func start(_ host: any PresentationHost) throws -> PresentationStart

  /// Shows a window. The view of its root view controller is loaded and laid out. Reports each frame to the host.
  func show(_ window: Window)

  /// Removes a window from the screen.
  func hide(_ window: Window)

  /// Runs the event loop until `stop`. Before the loop, calls the host's `launched`, or its `connect` if the toolkit
  /// knows what to open.
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
  /// A running process took over the launch. This process ends with the status.
  case finish(status: Int32)
}

/// The events that a backend reports to the application.
@MainActor
public protocol PresentationHost: AnyObject {
  var arguments: [String] { get }

  /// Call it when the event loop runs. Connects the first scene, unless this is a background launch.
  ///
  /// - Returns: true if the program shows its interface.
  func launched() -> Bool

  /// Call it when the user wants to see the program. Connects the first scene, or activates a connected one and passes
  /// it what to open: URLs, activities, a quick action, a share. The application gets the response to a notification.
  ///
  /// - Parameter options: nil for the options of the launch.
  func connect(_ options: ConnectionOptions?)

  /// Call it when a frame with the window's content is on the screen.
  func framePresented(_ frame: PresentedFrame, in window: Window)

  /// Call it when a program without a screen can do its work.
  func ready()

  /// Call these when the user switches to the program, or away from it.
  func becomeActive()
  func resignActive()
  func enterForeground()
  func enterBackground()

  /// Ends the program: `applicationWillTerminate`, then the backend's `stop`.
  func terminate()
}

/// A frame, and the time at which it was shown.
public struct PresentedFrame: Sendable, Equatable {
  /// The event that gave the time.
  public enum Source: String, Sendable {
    /// The compositor reported when the frame was on the screen.
    case presentation = "presentation-time"
    /// The program submitted the frame at this time. The screen showed it at the next refresh, or never.
    case painted = "after-paint"
  }

  /// CLOCK_MONOTONIC, ns; nil means now. The host takes a time before the start of the process, or in the future, for one
  /// of another clock: the frame then counts as painted now.
  public var time: UInt64?
  public var source: Source

  public init(time: UInt64? = nil, source: Source = .painted) {
    self.time = time
    self.source = source
  }
}
#endif
