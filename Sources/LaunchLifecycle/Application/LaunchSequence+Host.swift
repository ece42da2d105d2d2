// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import CLaunchRecorder
internal import CLaunchSchema
internal import LaunchProfiler

extension LaunchSequence: PresentationHost {
  func launched() -> Bool {
    guard circumstances.context == .backgroundLaunch else {
      connect(nil)
      return true
    }
    // In a background launch, the launch is now over. The user may want a scene later.
    ready()
    connecting {}
    return false
  }

  func connect(_ options: ConnectionOptions?) {
    guard !isTerminated else { return }
    let isFirst = !hasConnected
    connecting { connectOrBringForward(options) }
    if isFirst { tellIfNothingIsVisible() }
  }

  /// A forgotten `makeKeyAndVisible` leaves no other sign. The program may still show a window later, so it goes on.
  private func tellIfNothingIsVisible() {
    guard Self.isLaunching, !isTerminated, backend?.hasScreen == true, application.applicationState == .active,
      application.windows.allSatisfy(\.isHidden)
    else { return }
    tellOnStandardError(
      "no window is visible, so the launch has no first frame, and work that waits for it does not run; "
        + "call makeKeyAndVisible() of a window", arguments)
  }

  private func connectOrBringForward(_ options: ConnectionOptions?) {
    learn(options)
    // What the launch was for, then what the user wants later.
    let isFirst = !hasConnected
    hasConnected = true
    showHeldWindows()
    if hasScenes {
      let options = options ?? (isFirst ? circumstances.connectionOptions : ConnectionOptions())
      // After a launch in the background, the program itself may have asked for a scene.
      guard let scene = application.connectedScenes.first else { return connectScene(nextSession(), options) }
      bringForward(scene, options)
    } else if isFirst {
      showLegacyInterface(options ?? ConnectionOptions(circumstances.options), response: options?.notificationResponse)
    } else {
      bringForward(options ?? ConnectionOptions())
    }
  }

  func framePresented(_ frame: PresentedFrame, in window: Window) {
    guard !isTerminated else { return }
    if !hasPresented, !hasEndedInBackground {
      hasPresented = true
      // The compositor may have told the backend a time of another clock.
      let frame = frame.time.map(LaunchProfiler.hasPassed) ?? true ? frame : PresentedFrame()
      LaunchProfiler.mark(.firstFrame, at: frame.time)
      LaunchProfiler.endLaunchScreen(at: frame.time)
      LaunchProfiler.metadata(LS_KEY_FIRST_FRAME, frame.source.rawValue)
    }
    window.rootViewController?.didAppear()
    window.windowScene?.session.controllers = [:]
    firstFrameWasPresented()
  }

  func ready() {
    let isInBackground = circumstances.context == .backgroundLaunch
    if isInBackground { lr_complete_without_display() }
    ServiceNotification.ready()
    if isInBackground { (hasEndedInBackground, holdsWindows) = (true, false) }
    firstFrameWasPresented()
  }

  func becomeActive() {
    for scene in application.connectedScenes { becomeActive(scene) }
    guard !hasScenes, application.ownState.next == .inactive else { return }
    application.ownState.change(
      to: .active,
      before: { Self.phase(.didBecomeActive) { application.delegate?.applicationDidBecomeActive(application) } })
  }

  func resignActive() {
    for scene in application.connectedScenes { resignActive(scene) }
    guard !hasScenes, application.ownState.next == .active else { return }
    application.ownState.change(
      to: .inactive, after: { application.delegate?.applicationWillResignActive(application) })
  }

  func enterForeground() {
    for scene in application.connectedScenes { enterForeground(scene) }
    guard !hasScenes, application.ownState.next == .background else { return }
    application.ownState.change(
      to: .inactive,
      after: {
        Self.phase(.willEnterForeground) { application.delegate?.applicationWillEnterForeground(application) }
      })
  }

  func enterBackground() {
    savingState {
      for scene in application.connectedScenes { enterBackground(scene) }
      guard !hasScenes, application.ownState.next == .inactive else { return }
      application.ownState.change(
        to: .background, before: { application.delegate?.applicationDidEnterBackground(application) })
    }
  }

  /// Moves all scenes to the background before the program ends.
  func leaveForeground() {
    guard hasConnected || hasScenes else { return }
    resignActive()
    enterBackground()
  }
}
#endif
