#if !canImport(os)
internal import CLaunchSchema
internal import LaunchProfiler
#if canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Work that only the first launch after an installation does: templates, files that people may change, migrations.
///
///     try OneTimeSetup("templates", version: "2").run { try writeTemplates() }
///
/// Runs once for each installation (the executable's path) and version. When two processes come at once, one does the work
/// and the other waits for it; after a crash midway the next launch does it again, so it must bear being begun twice; the
/// metadata `one-time-setup` of that launch says so. It is the phase `one-time-setup`, and makes the launch one of kind `first`, which statistics keep apart.
public struct OneTimeSetup: Sendable {
  public let name: String
  public let version: String
  /// The file that says that it was done.
  public let markPath: String

  /// - Parameters:
  ///   - name: tells the program's set-ups apart.
  ///   - version: of what is set up; another one is set up anew.
  ///   - directory: where the mark is kept; nil is `setup` in the program's state directory.
  public init(_ name: String, version: String = "1", directory: String? = nil) {
    self.name = name
    self.version = version
    let folder = directory ?? StateDirectory.path(program: StateDirectory.executable) + "/setup"
    markPath = folder + "/" + Self.fileName(name)
  }

  /// Does the work, unless it was done.
  ///
  /// - Returns: true when this call did it.
  /// - Throws: what `work` throws, and the next launch tries again; `LifecycleError` when the mark cannot be kept.
  @discardableResult
  public func run(_ work: () throws -> Void) throws -> Bool {
    if isDone { return false }
    LaunchProfiler.metadata(kind: "first")
    return try LaunchProfiler.phase(.oneTimeSetup) {
      let lock = try takeLock()
      defer { close(lock) }
      // Whoever had the lock before us has done it meanwhile, or has crashed.
      if isDone { return false }
      if noteBegin(in: lock) {
        LaunchProfiler.metadata(LS_KEY_ONE_TIME_SETUP, "\(name): interrupted before, done again")
      }
      // However it ends by itself.
      defer { _ = ftruncate(lock, 0) }
      try work()
      try mark.write(content.encoded())
      return true
    }
  }

  /// True when the mark is there, for this installation and version. One that is damaged is none.
  public var isDone: Bool { (try? mark.read()).flatMap { $0 } == content.encoded() }

  private var mark: DurableFile { DurableFile(path: markPath) }

  private var content: PropertyList {
    ["name": .string(name), "version": .string(version), "installation": .string(StateDirectory.executable)]
  }

  /// Notes in the file of the lock that the work begins: what is found there was left by a process that died of it.
  ///
  /// - Returns: true when this installation and version have been begun before.
  private func noteBegin(in lock: Int32) -> Bool {
    let note = content.encoded()
    var found = [UInt8](repeating: 0, count: note.count + 1)
    let count = pread(lock, &found, found.count, 0)
    if count == note.count, found.starts(with: note) { return true }
    _ = ftruncate(lock, 0)
    _ = pwrite(lock, note, note.count, 0)
    return false
  }

  /// A lock that the kernel gives back when the process ends, however it does.
  private func takeLock() throws(LifecycleError) -> Int32 {
    try mark.makeDirectory()
    let path = markPath + ".lock"
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw LifecycleError(.cannotAccess, path: path, errno: errno, "cannot be made") }
    while flock(file, LOCK_EX) != 0 {
      guard errno == EINTR else {
        let error = errno
        close(file)
        throw LifecycleError(.cannotAccess, path: path, errno: error, "cannot be locked")
      }
    }
    return file
  }

  /// Every other character than letters, digits, `-` and `_` as its code, so that no two names meet.
  private static func fileName(_ name: String) -> String {
    let safe = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_".utf8)
    return "setup-"
      + name.utf8.map { safe.contains($0) ? String(UnicodeScalar($0)) : "%" + String($0, radix: 16) }.joined()
  }
}
#endif
