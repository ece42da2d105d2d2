// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import LaunchPlatform

/// The state of the last launch, while this launch restores it.
///
/// During the restoration, the state's file has another name, and the process has a lock. If a launch finds the file
/// under that name, and no process has the lock, the last launch failed while it restored the state. Then this launch
/// does not try again.
@MainActor
final class StateArchive {
  private let file: DurableFile
  private let opened: DurableFile
  /// What the file contains; empty if it could not be read.
  private var entries: [String: PropertyList] = [:]
  private var lock: Int32?
  private(set) var hasState = false
  /// Whether another process restores the state.
  private(set) var isInUse = false
  /// What was wrong with the state, and where its file is now: set aside, if possible, if the code is `damaged`.
  private(set) var problem: LifecycleError?

  init(path: String) {
    file = DurableFile(path: path)
    opened = DurableFile(path: path + ".restoring")
  }

  /// Reads the state, or sets it aside if it is damaged. Keeps the lock if there is a state. Throws nothing, because the
  /// launch continues without the state.
  func open() {
    guard access(file.path, F_OK) == 0 || access(opened.path, F_OK) == 0 else { return }
    do throws(LifecycleError) {
      lock = try file.takeLock(waits: false)
      isInUse = lock == nil
    } catch {
      // The directory cannot be written, so the state keeps its name.
    }
    if !isInUse { readOrSetAside() }
    if !hasState { releaseLock() }
  }

  private func readOrSetAside() {
    if access(opened.path, F_OK) == 0 {
      entries = (try? Self.entries(of: opened)) ?? [:]
      let found = rename(opened.path, file.path) == 0 ? file : opened
      setAside(found, "the last launch ended while it restored this state")
      return
    }
    do throws(LifecycleError) {
      guard let found = try Self.entries(of: file) else { return }
      entries = found
      hasState = true
      rename(file.path, opened.path)
    } catch {
      problem = error
      if error.code == .damaged { setAside(file, error.message) }
    }
  }

  private func setAside(_ found: DurableFile, _ message: String) {
    let place = found.setAside()
    problem = LifecycleError(.damaged, path: place, message + (place == found.path ? "" : "; it is set aside"))
  }

  /// nil if there is no file.
  private static func entries(of file: DurableFile) throws(LifecycleError) -> [String: PropertyList]? {
    guard let bytes = try file.read() else { return nil }
    guard let entries = PropertyList(encoded: bytes)?.dictionary else {
      throw LifecycleError(.damaged, path: file.path, "is not a state of this version")
    }
    return entries
  }

  /// Removes the scenes of these sessions from the file. Does nothing if another process has the lock, or if the file
  /// cannot be read or written: the next complete state has no such scenes either.
  func forget(_ sessions: Set<String>) {
    guard access(file.path, F_OK) == 0 else { return }
    do throws(LifecycleError) {
      lock = try file.takeLock(waits: false)
      guard lock != nil else { return }
      defer { releaseLock() }
      guard var entries = try Self.entries(of: file), let scenes = entries["scenes"]?.array else { return }
      let kept = scenes.filter { scene in !sessions.contains(SavedScene(scene).identifier ?? "") }
      guard kept.count < scenes.count else { return }
      entries["scenes"] = .array(kept)
      try file.write(PropertyList.dictionary(entries).encoded())
    } catch {
      // The file stays as it is.
    }
  }

  /// Call it when the launch has survived the restoration. The next launch then gets this state, unless there is a
  /// newer one.
  func close() {
    guard hasState else { return }
    defer { releaseLock() }
    guard access(opened.path, F_OK) == 0 else { return }
    if access(file.path, F_OK) == 0 { unlink(opened.path) } else { rename(opened.path, file.path) }
  }

  private func releaseLock() {
    guard let lock else { return }
    DurableFile.releaseLock(lock)
    self.lock = nil
  }

  var applicationCoder: StateCoder { StateCoder(entries["application"]?.dictionary ?? [:]) }

  func coder(ofController identifier: String) -> StateCoder? {
    entries["controllers"]?[identifier]?.dictionary.map { StateCoder($0) }
  }

  /// The scenes of the last launch.
  var scenes: [SavedScene] { (entries["scenes"]?.array ?? []).map { SavedScene($0) } }
  /// How many sessions all launches have made, at least. Also known if the state is set aside after a failed launch.
  var madeSessions: Int {
    // A crafted file may have any number.
    min(max(entries["madeSessions"]?.integer ?? 0, entries["scenes"]?.array?.count ?? 0), Int(Int32.max))
  }

  /// - Throws: `cannotAccess` if the file cannot be written. It then keeps the previous state.
  func save(
    application: StateCoder, controllers: [String: StateCoder], scenes: [SavedScene], madeSessions: Int
  ) throws(LifecycleError) {
    let value: PropertyList = [
      "application": .dictionary(application.values),
      "controllers": .dictionary(controllers.mapValues { .dictionary($0.values) }),
      "scenes": .array(scenes.map(\.propertyList)),
      "madeSessions": .integer(madeSessions),
    ]
    try file.write(value.encoded())
    unlink(opened.path)
  }
}
#endif
