// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import CLaunchSchema
internal import LaunchPlatform
internal import LaunchProfiler

/// Work that only the first launch after an installation does, for example templates or migrations.
///
///     try OneTimeSetup("templates", version: "2").run { try writeTemplates() }
///
/// The work runs once for each installation (the path of the executable, or of its AppImage) and version. If two processes reach it at the same
/// time, one does the work and the other waits. If the program crashes in the middle, the next launch does the work
/// again, and its metadata `one-time-setup` says so. So the work must tolerate that it begins twice.
///
/// In the trace, the work is the phase `one-time-setup`. The kind of the launch is `first`, and statistics do not mix
/// it with other launches.
public struct OneTimeSetup: Sendable {
  public let name: String
  public let version: String
  /// The file that marks the work as done. Its name has a checksum of the installation's path: several installations of a
  /// program, or several programs with one name, share a state directory.
  public let markPath: String
  /// Where earlier versions had it, one file for all installations.
  private let formerMarkPath: String

  /// - Parameters:
  ///   - name: identifies this set-up in the program. It becomes a part of a file name, so it has at most 220 bytes of
  ///     UTF-8. All except letters, digits, `-` and `_` of ASCII count three times.
  ///   - version: the version of the set-up. A new version does the work again.
  ///   - directory: where to keep the mark; nil for `setup` in the program's state directory.
  public init(_ name: String, version: String = "1", directory: String? = nil) {
    self.name = name
    self.version = version
    let folder = directory ?? StateDirectory.path + "/setup"
    formerMarkPath = folder + "/" + Self.fileName(name)
    let digits = String(DurableFile.checksum(StateDirectory.installation.utf8), radix: 16)
    markPath = formerMarkPath + "-" + String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  /// Does the work, unless it has been done.
  ///
  /// The work must not wait for another thread that runs the same set-up, because that thread waits for the work.
  ///
  /// - Returns: true if this call did the work.
  /// - Throws: what `work` throws; the next launch then tries again. `LifecycleError` if the mark cannot be written, or if
  ///   the work runs its own set-up again.
  @discardableResult
  public func run(_ work: () throws -> Void) throws -> Bool {
    if isDone { return false }
    // Its own lock would never be released.
    if SetupWork.isRunning(lockedBy: mark.lockPath) {
      throw LifecycleError(
        .cyclicTasks, "the work of the one-time set-up '\(name)' runs this set-up again; call the work itself there")
    }
    return try LaunchProfiler.phase(.oneTimeSetup) {
      guard let lock = try mark.takeLock(waits: true) else { return false }
      defer { DurableFile.releaseLock(lock) }
      // The previous owner of the lock has done the work, or has crashed.
      if isDone { return false }
      LaunchProfiler.metadata(kind: "first")
      if noteBegin(in: lock) {
        LaunchProfiler.metadata(LS_KEY_ONE_TIME_SETUP, "\(name): interrupted in an earlier launch, done again")
      }
      // Also if the work throws.
      defer { _ = ftruncate(lock, 0) }
      try SetupWork.run(holding: lock, work)
      try mark.write(content.encoded())
      return true
    }
  }

  /// Whether there is an undamaged mark for this installation and version.
  public var isDone: Bool {
    let content = content.encoded()
    return [markPath, formerMarkPath].contains { (try? DurableFile(path: $0).read()) == content }
  }

  private var mark: DurableFile { DurableFile(path: markPath) }

  private var content: PropertyList {
    ["name": .string(name), "version": .string(version), "installation": .string(StateDirectory.installation)]
  }

  /// Writes into the lock's file that the work begins. If the file already says this, a process ended during the work.
  ///
  /// - Returns: true if the work was begun before for this installation and version.
  private func noteBegin(in lock: Int32) -> Bool {
    let note = content.encoded()
    var found = [UInt8](repeating: 0, count: note.count + 1)
    let count = pread(lock, &found, found.count, 0)
    if count == note.count, found.starts(with: note) { return true }
    _ = ftruncate(lock, 0)
    _ = pwrite(lock, note, note.count, 0)
    return false
  }

  /// The name with all characters except letters, digits, `-` and `_` replaced by their codes, so that names stay
  /// distinct.
  private static func fileName(_ name: String) -> String {
    let safe = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_".utf8)
    return "setup-"
      + name.utf8.map { safe.contains($0) ? String(UnicodeScalar($0)) : ($0 < 16 ? "%0" : "%") + String($0, radix: 16) }
      .joined()
  }
}
#endif
