// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import LaunchProfiler

extension LaunchSequence {
  /// Connects the session's scene or a new one, or activates the one that is connected. As in UIKit, this does not happen
  /// inside a callback of the launch or of another scene.
  func activate(_ session: SceneSession?, _ options: ConnectionOptions) {
    requestedScenes.append((session, options))
    if !scenesWait { connecting {} }
  }

  /// Runs `body`, which may connect a scene, and then connects the scenes that the program has asked for.
  func connecting(_ body: () -> Void) {
    scenesWait = true
    body()
    while !isTerminated, !requestedScenes.isEmpty {
      let (session, options) = requestedScenes.removeFirst()
      showHeldWindows()
      // As in UIKit: a scene that the program asks for without a session does not show what another one showed.
      let wanted = session ?? makeSession()
      if let scene = wanted.scene { bringForward(scene, options) } else { connectScene(wanted, options) }
    }
    scenesWait = false
  }

  /// For a scene that a person asks for: the first session of the last launch that waits for its scene.
  func nextSession() -> SceneSession { waitingSessions.first ?? makeSession() }

  /// Steps f to k of docs/lifecycle.md.
  func connectScene(_ session: SceneSession, _ options: ConnectionOptions) {
    waitingSessions.removeAll { $0 === session }
    session.configuration = Self.phase(.sceneConfiguration) {
      application.delegate?.application(application, configurationForConnecting: session, options: options)
        ?? session.configuration
    }
    guard !isTerminated else { return }
    let configuration = session.configuration
    let scene = configuration.sceneClass.init(session: session, connectionOptions: options)
    let delegate = configuration.delegateClass.map { type in Self.phase(.createSceneDelegate) { type.init() } }
    scene.delegate = delegate
    if !application.openSessions.contains(where: { $0 === session }) { application.openSessions.append(session) }
    application.connectedScenes.append(scene)
    connectingScene = scene
    defer { connectingScene = nil }

    let window = configuration.storyboard.map { storyboard in
      let controller = Self.phase(.loadMainInterface) { storyboard.instantiateInitialViewController() }
      let window = Window(windowScene: scene)
      delegate?.window = window
      window.rootViewController = controller
      return window
    }
    guard !isTerminated else { return }
    Self.phase(.sceneConnect) { delegate?.scene(scene, willConnectTo: session, options: options) }
    guard !isTerminated else { return }
    // The delegate may have made a window for a scene that it disconnected.
    guard scene.isConnected else { return close(scene) }
    restoreInteractionState(of: scene)
    guard scene.isConnected else { return }
    if window?.isHidden == true { window?.makeKeyAndVisible() }
    enterForeground(scene)
    becomeActive(scene)
  }

  private func makeSession() -> SceneSession {
    madeSessions += 1
    return SceneSession(
      persistentIdentifier: Self.sessionIdentifier(madeSessions), configuration: configuration(named: nil))
  }

  static func sessionIdentifier(_ number: Int) -> String { "scene-\(number)" }

  /// The manifest's configuration of this name; the first one if it has none.
  func configuration(named name: String?) -> SceneConfiguration {
    let configurations = manifest.sceneConfigurations
    return configurations.first { $0.name == name } ?? configurations.first ?? SceneConfiguration()
  }

  func disconnect(_ session: SceneSession) {
    savingState {
      if let scene = session.scene { disconnect(scene) }
      // A callback of the scene may have destroyed the session by now.
      guard application.openSessions.contains(session) else { return }
      application.openSessions.removeAll { $0 === session }
      waitingSessions.removeAll { $0 === session }
      forgetState(of: [session])
      discard([session])
    }
  }

  /// Tells the delegate that the sessions do not come back.
  func discard(_ sessions: Set<SceneSession>) {
    if sessions.isEmpty || isTerminated { return }
    Self.phase(.discardSessions) { application.delegate?.application(application, didDiscardSceneSessions: sessions) }
  }

  private func disconnect(_ scene: WindowScene) {
    resignActive(scene)
    enterBackground(scene)
    // A callback may have disconnected the scene by now.
    guard scene.isConnected else { return }
    scene.session.scene = nil
    close(scene)
    application.connectedScenes.removeAll { $0 === scene }
    scene.state.change(to: .unattached)
    scene.delegate?.sceneDidDisconnect(scene)
  }

  private func close(_ scene: WindowScene) { for window in scene.windows { window.close() } }

  /// Brings a connected scene to the front, and passes it all for which a new one would be opened.
  func bringForward(_ scene: WindowScene, _ options: ConnectionOptions) {
    enterForeground(scene)
    // A callback may disconnect the scene or end the program.
    func pass(_ body: (any SceneDelegate) -> Void) {
      if !isTerminated, scene.isConnected, let delegate = scene.delegate { body(delegate) }
    }
    if !options.urlContexts.isEmpty { pass { $0.scene(scene, openURLContexts: Set(options.urlContexts)) } }
    if let type = options.handoffUserActivityType {
      pass { $0.scene(scene, willContinueUserActivityWithType: type) }
    }
    for activity in options.userActivities { pass { $0.scene(scene, continue: activity) } }
    if let item = options.shortcutItem { pass { _ = $0.windowScene(scene, performActionFor: item) } }
    if let metadata = options.cloudKitShareMetadata {
      pass { $0.windowScene(scene, userDidAcceptCloudKitShareWith: metadata) }
    }
    if let response = options.notificationResponse { receive(response) }
    becomeActive(scene)
  }

  /// As in UIKit, the application gets it, not a scene.
  func receive(_ response: NotificationResponse) {
    guard !isTerminated else { return }
    Self.phase(.didReceiveNotification) { application.delegate?.application(application, didReceive: response) }
  }

  // MARK: Transitions: each is called once, even if the backend reports it several times

  func enterForeground(_ scene: WindowScene) {
    guard !isTerminated, scene.isConnected, scene.state.next == .unattached || scene.state.next == .background else {
      return
    }
    scene.state.change(
      to: .foregroundInactive,
      after: { Self.phase(.willEnterForeground) { scene.delegate?.sceneWillEnterForeground(scene) } })
  }

  func becomeActive(_ scene: WindowScene) {
    guard !isTerminated, scene.state.next == .foregroundInactive else { return }
    scene.state.change(
      to: .foregroundActive,
      before: { Self.phase(.didBecomeActive) { scene.delegate?.sceneDidBecomeActive(scene) } })
  }

  func resignActive(_ scene: WindowScene) {
    guard scene.state.next == .foregroundActive else { return }
    scene.state.change(to: .foregroundInactive, after: { scene.delegate?.sceneWillResignActive(scene) })
  }

  func enterBackground(_ scene: WindowScene) {
    guard scene.state.next == .foregroundInactive else { return }
    scene.state.change(to: .background, before: { scene.delegate?.sceneDidEnterBackground(scene) })
  }
}
#endif
