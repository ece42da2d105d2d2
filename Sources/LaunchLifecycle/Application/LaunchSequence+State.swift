#if !canImport(os)
internal import CLaunchSchema
internal import LaunchProfiler

extension LaunchSequence {
  /// Step 3d: the application's state, where the manifest asks for it and the delegate agrees.
  func restoreApplicationState() {
    guard let path = statePath else { return }
    let application = application()
    let archive = StateArchive(path: path)
    Self.phase(.stateRestoration) {
      archive.open()
      if let problem = archive.problem {
        application.delegate?.application(application, didSetAsideState: problem)
        return
      }
      guard archive.hasState else { return }
      let coder = archive.applicationCoder
      guard application.delegate?.application(application, shouldRestoreApplicationState: coder) == true else {
        return archive.close()
      }
      state = archive
      application.delegate?.application(application, didDecodeRestorableStateWith: coder)
    }
    let outcome =
      archive.problem != nil ? "set aside" : state != nil ? "restored" : archive.hasState ? "refused" : "none"
    LaunchProfiler.metadata(LS_KEY_STATE, outcome)
  }

  /// Part of step 3i: what the scene was doing.
  func restoreInteractionState(of scene: WindowScene) {
    guard let activity = scene.session.stateRestorationActivity else { return }
    Self.phase(.stateRestoration) { scene.delegate?.scene(scene, restoreInteractionStateWith: activity) }
  }

  /// Behind `viewDidLoad` of a controller that has an identifier.
  func restoreState(of controller: ViewController) {
    guard let identifier = controller.restorationIdentifier, let coder = state?.coder(ofController: identifier) else {
      return
    }
    Self.phase(.stateRestoration) { controller.decodeRestorableState(with: coder) }
  }

  /// When the program leaves the foreground. What cannot be written is told, and the state of before kept.
  func saveState() {
    let application = application()
    guard let path = statePath, let delegate = application.delegate else { return }
    let coder = StateCoder()
    guard delegate.application(application, shouldSaveApplicationState: coder) else { return }
    delegate.application(application, willEncodeRestorableStateWith: coder)
    var controllers: [String: StateCoder] = [:]
    for controller in application.windows.compactMap(\.rootViewController) {
      guard let identifier = controller.restorationIdentifier else { continue }
      let own = StateCoder()
      controller.encodeRestorableState(with: own)
      controllers[identifier] = own
    }
    let scenes = application.connectedScenes.map { $0.delegate?.stateRestorationActivity(for: $0) }
    do throws(LifecycleError) {
      try StateArchive(path: path).save(application: coder, controllers: controllers, scenes: scenes)
    } catch {
      tellOnStandardError("\(arguments.first ?? "application"): the state is not kept: \(error)")
    }
  }

  private var statePath: String? {
    guard manifest.restoresState else { return nil }
    return manifest.stateFile ?? StateDirectory.path(program: StateDirectory.executable) + "/state"
  }
}
#endif
