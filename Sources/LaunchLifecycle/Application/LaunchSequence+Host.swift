// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import CLaunchSchema
internal import LaunchProfiler

extension LaunchSequence: PresentationHost {
  func launched() -> Bool {
    guard circumstances.context == .backgroundLaunch else {
      connect(nil)
      return true
    }
    // In a background launch, the launch is now over. The user may want a scene later.
    application().applicationState = .background
    ready()
    return false
  }

  func connect(_ options: ConnectionOptions?) {
    guard !isTerminated else { return }
    let application = application()
    learn(options)
    let hadConnected = hasConnected
    hasConnected = true
    if manifest.sceneConfigurations.isEmpty {
      if !hadConnected { return showLegacyInterface() }
      for context in options?.urlContexts ?? [] {
        _ = application.delegate?.application(
          application, open: context.url, sourceApplication: context.sourceApplication)
      }
      enterForeground()
      becomeActive()
    } else if let scene = application.connectedScenes.first, hadConnected {
      bringForward(scene, options ?? ConnectionOptions())
    } else {
      connectScene(nil, options ?? circumstances.connectionOptions)
    }
  }

  func framePresented(_ frame: PresentedFrame, in window: Window) {
    if !hasPresented {
      hasPresented = true
      LaunchProfiler.mark(.firstFrame, at: frame.time)
      LaunchProfiler.endLaunchScreen(at: frame.time)
      LaunchProfiler.metadata(LS_KEY_FIRST_FRAME, frame.source.rawValue)
    }
    window.rootViewController?.didAppear()
    firstFrameWasPresented()
  }

  func ready() {
    ServiceNotification.ready()
    firstFrameWasPresented()
  }

  func becomeActive() {
    let application = application()
    for scene in application.connectedScenes { becomeActive(scene) }
    if application.connectedScenes.isEmpty, application.applicationState == .inactive {
      application.applicationState = .active
      Self.phase(.didBecomeActive) { application.delegate?.applicationDidBecomeActive(application) }
    }
  }

  func resignActive() {
    let application = application()
    for scene in application.connectedScenes { resignActive(scene) }
    guard application.applicationState == .active else { return }
    application.applicationState = .inactive
    if application.connectedScenes.isEmpty { application.delegate?.applicationWillResignActive(application) }
  }

  func enterForeground() {
    let application = application()
    for scene in application.connectedScenes { enterForeground(scene) }
    guard application.applicationState == .background else { return }
    application.applicationState = .inactive
    if application.connectedScenes.isEmpty { application.delegate?.applicationWillEnterForeground(application) }
  }

  func enterBackground() {
    let application = application()
    if application.applicationState == .inactive { saveState() }
    for scene in application.connectedScenes { enterBackground(scene) }
    guard application.applicationState == .inactive else { return }
    application.applicationState = .background
    if application.connectedScenes.isEmpty { application.delegate?.applicationDidEnterBackground(application) }
  }

  /// Moves all scenes to the background before the program ends.
  func leaveForeground() {
    guard hasConnected else { return }
    resignActive()
    enterBackground()
  }
}
#endif
