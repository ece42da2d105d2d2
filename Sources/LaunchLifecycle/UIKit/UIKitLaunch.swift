// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(watchOS) && !os(tvOS) && !os(visionOS)
internal import CLaunchSchema
public import UIKit
internal import LaunchProfiler
internal import ObjectiveC
internal import QuartzCore

/// Records the phases, milestones and reason of a UIKit app's launch, with one line in the app delegate:
///
///     private let launch = UIKitLaunch(AppDelegate.self, SceneDelegate.self)
///
/// Each callback that the classes implement becomes a phase. The first frame is the display's refresh after the first
/// transaction since the app became active. All of these are signposts in the points of interest.
///
/// It is for iOS and Mac Catalyst, because other platforms lack some of the required API. The code has been
/// type-checked against declarations of the frameworks as Apple documents them. It has never run.
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
    // Whichever comes first, in apps with and without scenes.
    for name in [UIScene.didActivateNotification, UIApplication.didBecomeActiveNotification] {
      observers.append(
        NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { [weak self] _ in
          MainActor.assumeIsolated { self?.awaitFirstFrame() }
        })
    }
  }

  /// The transaction of this turn of the run loop contains the first screen.
  private func awaitFirstFrame() {
    for observer in observers { NotificationCenter.default.removeObserver(observer) }
    observers = []
    guard !hasFirstFrame, link == nil else { return }
    // After Core Animation's own observer, which commits the transaction. The transaction's completion would wait for its
    // animations, and some never end.
    let last = CFRunLoopObserverCreateWithHandler(nil, CFRunLoopActivity.beforeWaiting.rawValue, false, .max) {
      [weak self] _, _ in MainActor.assumeIsolated { self?.awaitRefresh() }
    }
    CFRunLoopAddObserver(CFRunLoopGetMain(), last, .commonModes)
  }

  /// The transaction is committed to the render server. It is on the screen at the display's next refresh.
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
