// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import CLaunchRecorder
internal import LaunchProfiler

/// Performs the launch in the documented order, and the later transitions of the program. A process has one.
@MainActor
final class LaunchSequence {
  let arguments: [String]
  private(set) var circumstances: LaunchCircumstances
  private(set) var manifest = ApplicationManifest()
  private(set) var backend: (any PresentationBackend)?
  /// A launch in the background shows no window, even if the program makes one, as it may without scenes.
  var holdsWindows = false
  private var heldWindows: [Window] = []
  /// Whether the delegate wants the URL of the launch, its quick action, and its activity.
  private(set) var wantsLaunchOptions = true
  private(set) var isTerminated = false
  /// The launch is over, and no person waited for it. What a person wants later is not a part of it.
  var hasEndedInBackground = false
  var hasConnected = false
  var hasPresented = false
  private var hasRecorded = false
  /// Also counts sessions that are no longer open, and those of earlier launches, so that no two have the same identifier.
  var madeSessions = 0
  /// The state that is being restored.
  var state: StateArchive?
  /// The sessions of the last launch whose scenes are not connected yet. They stay in the state until they are.
  var waitingSessions: [SceneSession] = []
  /// The sessions of the last launch that are not restored, until the delegate knows.
  var refusedSessions: Set<SceneSession> = []
  /// Discarded sessions that the state's file still has. It is written after the launch.
  var forgottenSessions: Set<SceneSession> = []
  /// Whether the state belongs to another process, which restored it while this one was launched.
  var stateIsInUse = false
  /// Scenes that the program asked for in a callback of the launch or of a scene that connects. They connect afterwards.
  var requestedScenes: [(session: SceneSession?, options: ConnectionOptions)] = []
  /// Whether scenes that the program asks for have to wait: until the launch has had its first scene, and while a scene
  /// connects.
  var scenesWait = true
  /// Its delegate is making its window.
  var connectingScene: WindowScene?

  /// True until the first window has appeared. Until then, every callback is a phase of the launch.
  private(set) static var isLaunching = false

  var application: Application { Application.shared }

  var hasScenes: Bool { !manifest.sceneConfigurations.isEmpty }

  init(arguments: [String]) {
    self.arguments = arguments
    circumstances = LaunchCircumstances(LaunchEvidence.current(arguments: arguments))
  }

  /// Runs `body`. During the launch, `body` is a phase.
  static func phase<T>(_ phase: LaunchPhase, _ body: () -> T) -> T {
    isLaunching ? LaunchProfiler.phase(phase, body) : body()
  }

  /// From the application's creation to its end.
  ///
  /// - Returns: the exit status.
  /// - Throws: what the backend's `start` throws.
  func run(
    _ principalClass: Application.Type, _ delegateClass: (any ApplicationDelegate.Type)?,
    _ backend: (any PresentationBackend)?
  ) throws -> Int32 {
    let type = delegateClass ?? principalClass as? any ApplicationDelegate.Type
    if let options = type?.launchOptions { circumstances.learn(options) }
    if let context = type?.launchContext { circumstances.learn(context) }
    // This comes first, because there may be budgets for this reason.
    recordOnce()
    Self.isLaunching = true
    defer { firstFrameWasPresented() }
    let application = Self.phase(.createApplication) { principalClass.init() }
    Application.shared = application
    application.sequence = self
    application.launchCircumstances = circumstances
    let delegate = delegateClass.map { delegateClass in Self.phase(.createDelegate) { delegateClass.init() } }
    application.delegate = delegate ?? application as? any ApplicationDelegate

    // A delegate that records by itself may have started just now, or when the launch is finished.
    recordOnce()
    manifest = type?.manifest ?? manifest
    // A manifest that sets the budget of one callback keeps those of the others.
    var budgets = manifest.budgets
    budgets.phases.merge(LaunchBudgets.callbacks.phases) { own, _ in own }
    budgets.applyAsDefaults()
    let presenter = backend ?? type?.makePresentationBackend() ?? HeadlessBackend()
    self.backend = presenter
    // A launch in the background shows nothing. The user may want a window hours later.
    holdsWindows = circumstances.context == .backgroundLaunch
    if presenter.hasScreen, !holdsWindows { LaunchProfiler.beginLaunchScreen(manifest.launchScreen) }
    let start = try LaunchProfiler.phase(.startPresentation) { try presenter.start(self) }
    if case .finish(let status) = start {
      // A running instance took over the launch. This process is about to end.
      LaunchProfiler.metadata(kind: LaunchKind.resume.rawValue)
      LaunchProfiler.mark(.handedOver)
      return status
    }

    finishLaunching()
    recordOnce()
    if !isTerminated { presenter.run(self) }
    return 0
  }

  private func recordOnce() {
    guard !hasRecorded, LaunchProfiler.isRecording else { return }
    hasRecorded = true
    circumstances.record()
  }

  private func finishLaunching() {
    // A server never comes to the foreground.
    if !hasScenes, circumstances.context != .backgroundLaunch, backend?.hasScreen == true {
      application.ownState.change(to: .inactive)
    }
    // A program with scenes gets the reason in the connection options.
    let options = hasScenes ? circumstances.options.withoutSceneKeys : circumstances.options
    let delegate = application.delegate
    let will = Self.phase(.willFinishLaunching) {
      delegate?.application(application, willFinishLaunchingWithOptions: options) ?? true
    }
    guard !isTerminated else { return }
    restoreApplicationState()
    guard !isTerminated else { return }
    let did = Self.phase(.didFinishLaunching) {
      delegate?.application(application, didFinishLaunchingWithOptions: options) ?? true
    }
    discard(refusedSessions)
    refusedSessions = []
    wantsLaunchOptions = will && did
  }

  /// Called when the user wants to see the first scene. The backend may know what the scene should open. If the launch is
  /// not over, that is why the program was launched.
  func learn(_ options: ConnectionOptions?) {
    guard !hasConnected, !hasEndedInBackground else { return }
    let known = circumstances
    if let options, !options.isEmpty {
      circumstances.learn(options)
    } else if circumstances.context == .backgroundLaunch {
      // This looked like a background launch.
      circumstances.context = .userLaunch
    }
    guard circumstances != known else { return }
    circumstances.recordReason()
    application.launchCircumstances = circumstances
  }

  // MARK: What the backend does

  func show(_ window: Window) {
    guard holdsWindows else {
      // The window may say that it is fully drawn, hours after the launch.
      if hasEndedInBackground { lr_end_extended_launch() }
      backend?.show(window)
      return
    }
    if !heldWindows.contains(where: { $0 === window }) { heldWindows.append(window) }
  }

  func hide(_ window: Window) {
    let count = heldWindows.count
    heldWindows.removeAll { $0 === window }
    if heldWindows.count == count { backend?.hide(window) }
  }

  /// Called when a person or the program itself asks for a window.
  func showHeldWindows() {
    let windows = heldWindows
    (holdsWindows, heldWindows) = (false, [])
    for window in windows { backend?.show(window) }
  }

  /// Also called if the launch ends in another way.
  func firstFrameWasPresented() {
    Self.isLaunching = false
    state?.close()
    state = nil
    writeForgottenSessions()
  }

  func terminate() {
    guard !isTerminated else { return }
    isTerminated = true
    leaveForeground()
    application.delegate?.applicationWillTerminate(application)
    backend?.stop()
  }
}

extension LaunchOptions {
  /// The options without those that the scene gets in `ConnectionOptions`.
  fileprivate var withoutSceneKeys: LaunchOptions {
    var options = self
    options.url = nil
    options.sourceApplication = nil
    options.shortcutItem = nil
    options.userActivityType = nil
    options.userActivityDictionary = nil
    options.cloudKitShareMetadata = nil
    options.localNotification = nil
    // The application handles a silent notification.
    if options.remoteNotification?.alert != nil { options.remoteNotification = nil }
    return options
  }
}
#endif
