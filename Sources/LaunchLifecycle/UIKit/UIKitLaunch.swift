#if canImport(UIKit) && !os(watchOS) && !os(tvOS) && !os(visionOS)
internal import CLaunchSchema
public import UIKit
internal import LaunchProfiler
internal import ObjectiveC
internal import QuartzCore

/// The launch of a UIKit app as phases, milestones and reason, with one line in the app delegate:
///
///     private let launch = UIKitLaunch(AppDelegate.self, SceneDelegate.self)
///
/// Each callback that the classes implement is a phase; the first frame is marked when the first transaction that is
/// committed behind the activation has been shown. All are signposts among the points of interest.
///
/// For iOS and Mac Catalyst: other platforms lack some of what is asked for. Type-checked against declarations of the frameworks
/// as Apple documents them; not run.
@MainActor
public final class UIKitLaunch {
  private var observers: [any NSObjectProtocol] = []
  private var link: CADisplayLink?
  private var hasFirstFrame = false

  public init(_ application: any UIApplicationDelegate.Type, _ scene: (any UISceneDelegate.Type)? = nil) {
    LaunchProfiler.metadata(context: Prewarming.isActive ? LaunchContext.prewarming.rawValue : nil)
    if let age = ProcessStart.age { LaunchProfiler.metadata(LS_KEY_PROCESS_START, "\(age.milliseconds) ms ago") }
    CallbackPhases.observe(application: application)
    if let scene { CallbackPhases.observe(scene: scene) }
    // Whichever comes first: with scenes, or without.
    for name in [UIScene.didActivateNotification, UIApplication.didBecomeActiveNotification] {
      observers.append(
        NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { [weak self] _ in
          MainActor.assumeIsolated { self?.awaitFirstFrame() }
        })
    }
  }

  /// The transaction of this turn of the run loop holds the first screen.
  private func awaitFirstFrame() {
    for observer in observers { NotificationCenter.default.removeObserver(observer) }
    observers = []
    guard !hasFirstFrame, link == nil else { return }
    CATransaction.setCompletionBlock { [weak self] in
      MainActor.assumeIsolated { self?.awaitRefresh() }
    }
  }

  /// Committed, and handed to the render server: on the screen at the display's next refresh.
  private func awaitRefresh() {
    let link = CADisplayLink(target: self, selector: #selector(refreshed))
    link.add(to: .main, forMode: .common)
    self.link = link
  }

  @objc private func refreshed(_ link: AnyObject) {
    self.link?.invalidate()
    self.link = nil
    guard !hasFirstFrame else { return }
    hasFirstFrame = true
    LaunchProfiler.mark(.firstFrame)
  }
}
#endif
