// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import CLaunchSchema
internal import LaunchProfiler

extension LaunchSequence {
  /// A program may make a new session at each launch, and never bring an old one back. The newest of the others stay.
  private static let mostWaitingSessions = 64

  /// Step 3d: restores the application's state, if the manifest enables it and the delegate agrees.
  func restoreApplicationState() {
    guard let path = statePath else { return }
    let archive = StateArchive(path: path)
    Self.phase(.stateRestoration) {
      archive.open()
      stateIsInUse = archive.isInUse
      madeSessions = archive.madeSessions
      if let problem = archive.problem {
        application.delegate?.application(application, didSetAsideState: problem)
        return
      }
      guard archive.hasState else { return }
      let coder = archive.applicationCoder
      let sessions = sessions(of: archive)
      guard application.delegate?.application(application, shouldRestoreApplicationState: coder) == true else {
        archive.close()
        refusedSessions = Set(sessions)
        return forgetState(of: refusedSessions)
      }
      state = archive
      // A program may have had scenes in an earlier version.
      waitingSessions = hasScenes ? Array(sessions.prefix(Self.mostWaitingSessions)) : []
      refusedSessions = Set(sessions.dropFirst(waitingSessions.count))
      forgetState(of: refusedSessions)
      application.openSessions = waitingSessions
      application.delegate?.application(application, didDecodeRestorableStateWith: coder)
    }
    LaunchProfiler.metadata(LS_KEY_STATE, outcome(archive))
  }

  /// They do not come back, also if the program crashes before it saves its state again.
  func forgetState(of sessions: Set<SceneSession>) {
    forgottenSessions.formUnion(sessions)
    // Flushing a file may take long.
    if !Self.isLaunching { writeForgottenSessions() }
  }

  func writeForgottenSessions() {
    let sessions = forgottenSessions
    forgottenSessions = []
    guard let path = statePath, !stateIsInUse, !sessions.isEmpty else { return }
    StateArchive(path: path).forget(Set(sessions.map(\.persistentIdentifier)))
  }

  /// The sessions of the last launch. None has a scene yet.
  private func sessions(of archive: StateArchive) -> [SceneSession] {
    archive.scenes.enumerated().map { place, saved in
      let session = SceneSession(
        persistentIdentifier: saved.identifier ?? Self.sessionIdentifier(place + 1),
        configuration: configuration(named: saved.configuration))
      (session.stateRestorationActivity, session.controllers) = (saved.activity, saved.controllers)
      return session
    }
  }

  private func outcome(_ archive: StateArchive) -> String {
    if archive.isInUse { return "in use" }
    if let problem = archive.problem { return problem.code == .damaged ? "set aside" : "unreadable" }
    return state != nil ? "restored" : archive.hasState ? "refused" : "none"
  }

  /// Part of step 3i: restores what the scene was doing.
  func restoreInteractionState(of scene: WindowScene) {
    guard let activity = scene.session.stateRestorationActivity else { return }
    Self.phase(.stateRestoration) { scene.delegate?.scene(scene, restoreInteractionStateWith: activity) }
  }

  /// Called after `viewDidLoad` of a controller that has a restoration identifier.
  func restoreState(of controller: ViewController) {
    guard let identifier = controller.restorationIdentifier else { return }
    let scene = application.windows.first { $0.rootViewController === controller }?.windowScene ?? connectingScene
    let own = scene?.session.controllers.removeValue(forKey: identifier)
    guard let coder = own ?? state?.coder(ofController: identifier) else { return }
    Self.phase(.stateRestoration) { controller.decodeRestorableState(with: coder) }
  }

  /// Saves the state if `body` moved the program to the background.
  func savingState(_ body: () -> Void) {
    let wasInForeground = application.applicationState != .background
    body()
    if wasInForeground, application.applicationState == .background { saveState() }
  }

  /// If the state cannot be written, prints why and keeps the previous state.
  private func saveState() {
    guard let path = statePath, let delegate = application.delegate else { return }
    let coder = StateCoder()
    guard delegate.application(application, shouldSaveApplicationState: coder) else { return }
    delegate.application(application, willEncodeRestorableStateWith: coder)
    let controllers = Self.encode(application.windows.filter { $0.windowScene == nil })
    let scenes = application.connectedScenes.map { scene in
      SavedScene(
        scene.session, activity: scene.delegate?.stateRestorationActivity(for: scene),
        controllers: Self.encode(scene.windows))
    }
    let waiting = waitingSessions.map { session in
      SavedScene(session, activity: session.stateRestorationActivity, controllers: session.controllers)
    }
    do throws(LifecycleError) {
      try StateArchive(path: path).save(
        application: coder, controllers: controllers, scenes: scenes + waiting, madeSessions: madeSessions)
    } catch {
      tellOnStandardError("cannot keep the state: \(error)", arguments)
    }
  }

  /// The state of the windows' root controllers, by restoration identifier.
  private static func encode(_ windows: [Window]) -> [String: StateCoder] {
    var controllers: [String: StateCoder] = [:]
    for controller in windows.compactMap(\.rootViewController) {
      guard let identifier = controller.restorationIdentifier else { continue }
      let coder = StateCoder()
      controller.encodeRestorableState(with: coder)
      controllers[identifier] = coder
    }
    return controllers
  }

  private var statePath: String? {
    guard manifest.restoresState else { return nil }
    return manifest.stateFile ?? StateDirectory.path + "/state"
  }
}
#endif
