// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem
internal import LaunchTrace

/// A directory in memory where programs write their traces while they run, so that recording does not wait for a disk.
///
/// The launcher holds a lock on it. The next launcher deletes a spool that is abandoned, because it may use 64 MiB of memory.
struct TraceSpool: ~Copyable {
  private var directory: String
  /// An open, locked descriptor of the directory.
  private var lock: Int32
  private var isKept = false
  /// The number of the launch whose traces are expected.
  private var launch = 0
  /// Why there is no directory for that launch; 0 if there is one.
  private var refusal: Int32 = 0

  private static let prefix = "launchprof-spool-"
  private static let keptPrefix = "launchprof-kept-"

  /// Creates one in the first of `XDG_RUNTIME_DIR`, `/dev/shm` that is a tmpfs with room, otherwise in `TMPDIR` or
  /// `/tmp`. Deletes what killed launchers of this user have left in memory, or in the directory that it uses.
  ///
  /// - Throws: `LaunchError.cannotWrite` if none is writable.
  init(environment: LaunchEnvironment) throws(LaunchError) {
    let inMemory = [environment["XDG_RUNTIME_DIR"], "/dev/shm"].compactMap { $0 }.filter(Self.isRoomyMemory)
    let onDisk = [environment["TMPDIR"], "/tmp"].compactMap { $0 }
    let isAbsolute = { (path: String) in path.hasPrefix("/") }
    for parent in Set(inMemory.filter(isAbsolute)) { Self.clearAbandoned(in: parent) }
    var refusal: Int32 = 0
    for parent in (inMemory + onDisk).filter(isAbsolute) {
      // A directory on a disk may have thousands of files. Read it only if it is used.
      if !inMemory.contains(parent) { Self.clearAbandoned(in: parent) }
      do {
        let made = try LockedDirectory(in: parent, prefix: Self.prefix)
        (directory, lock) = (made.path, made.lock)
        return
      } catch { refusal = error.errno }
    }
    let advice = ResourceLimit.advice(refusal) ?? "set TMPDIR"
    throw LaunchError(
      .cannotWrite, path: onDisk[0], message: "cannot write to any directory for temporary files; \(advice)",
      errno: refusal)
  }

  deinit {
    if !isKept { Self.remove(directory) }
    close(lock)
  }

  /// Makes a directory for the traces of the next launch. A process that an earlier launch left running does not know it.
  /// Returns the value of `LAUNCHPROF_TRACE`; nil if there can be none, as on a full disk. The launch is then observed only
  /// from outside.
  mutating func beginLaunch() -> String? {
    launch += 1
    var isMade = mkdir(launchDirectory, 0o700) == 0
    if !isMade, errno == ENOENT {
      replaceDirectory()
      isMade = mkdir(launchDirectory, 0o700) == 0
    }
    refusal = isMade ? 0 : errno
    return isMade ? "\(launchDirectory)/{pid}.pftrace" : nil
  }

  /// Makes the spool again: a program may clear the directory for temporary files.
  private mutating func replaceDirectory() {
    guard let made = try? LockedDirectory(in: directoryName(directory), prefix: Self.prefix) else { return }
    close(lock)
    (directory, lock) = (made.path, made.lock)
  }

  /// Removes all traces of the launch.
  func endLaunch() { Self.remove(launchDirectory) }

  private var launchDirectory: String { path(of: "\(launch)") }

  /// Where the agent writes during the launch. As for traces, a process of an earlier launch does not know it.
  ///
  /// - Throws: `LaunchError.cannotWrite` if the launch has no directory.
  func agentFile() throws(LaunchError) -> String {
    guard refusal == 0 else {
      throw LaunchError(
        .cannotWrite, path: launchDirectory,
        message: "cannot create a directory for the agent: \(ResourceLimit.explain(refusal))", errno: refusal)
    }
    return "\(launchDirectory)/agent"
  }

  /// The file for the trace of the next process. nil if the user set a limit: its recorder must then create its own
  /// file.
  func prepare(_ environment: LaunchEnvironment) -> PreparedTrace? {
    environment[LaunchVariable.limit] == nil ? PreparedTrace(path: "\(launchDirectory)/prepared") : nil
  }

  /// Writes a file beside the traces for the program to read, and returns its path.
  func add(_ name: String, text: String) throws(LaunchError) -> String {
    let path = path(of: name)
    var output = try TraceOutput(path: path, exclusive: true)
    try output.write([Array(text.utf8)])
    return path
  }

  func path(of name: String) -> String { "\(directory)/\(name)" }

  /// Keeps the directory, because its traces could not be moved. It gets a name that is never cleared. Returns the new
  /// path of the trace.
  mutating func keep(_ trace: SpooledTrace) -> String {
    isKept = true
    let kept = directory.replacing(Self.prefix, with: Self.keptPrefix)
    if rename(directory, kept) == 0 { directory = kept }
    return "\(launchDirectory)/\(fileName(trace.path))"
  }

  /// The traces that processes of the launch have written so far.
  func traces() -> [SpooledTrace] { Self.traces(in: launchDirectory) }

  private static func traces(in directory: String) -> [SpooledTrace] {
    fileNames(in: directory).compactMap { SpooledTrace(path: "\(directory)/\($0)", name: $0) }
  }

  /// Looks at what a program has recorded so far.
  ///
  /// - Parameter prepared: the trace that was prepared for it.
  func ownEnd(beside prepared: PreparedTrace?) -> OwnEndWait.Question {
    { [launchDirectory] processID, hasEnded in
      let traces = Self.traces(in: launchDirectory) + [prepared?.trace(of: processID)].compactMap(\.self)
      guard let chosen = RecordedLaunch.choose(from: traces, processID: processID),
        let bytes = try? chosen.bytes(), let trace = try? bytes.withUnsafeBytes({ try TraceReader().read(bytes: $0) })
      else { return .notRecorded }
      if let time = RecordedLaunch.ownEnd(in: trace) { return .reached(time) }
      // An ended process says nothing more.
      return hasEnded && chosen.processID == processID ? .notRecorded : .open
    }
  }

  private static func remove(_ directory: String) {
    for name in fileNames(in: directory) {
      let path = "\(directory)/\(name)"
      // The directory of a launch.
      if unlink(path) != 0, errno == EISDIR { remove(path) }
    }
    rmdir(directory)
  }

  private static func clearAbandoned(in parent: String) {
    LockedDirectory.clearAbandoned(in: parent, prefix: prefix) { remove($0) }
  }

  /// A recorder may use 64 MiB. A smaller file system (a container's /dev/shm) would lose events.
  private static func isRoomyMemory(_ path: String) -> Bool { lo_memory_room(path) >= 96 << 20 }
}

/// A trace in the spool: the prepared one, `<pid>.pftrace`, or `<pid>-<image>.pftrace` for a program executed later.
struct SpooledTrace: Equatable {
  var path: String
  var processID: Int32
  /// The number of the process's image: 0 for the prepared one, which precedes those with a name.
  var image: Int
}

extension SpooledTrace {
  init?(path: String, name: String) {
    guard name.hasSuffix(".pftrace") else { return nil }
    let parts = name.dropLast(8).split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count <= 2, let first = parts.first, let id = Int32(first), id > 0,
      let image = parts.count == 2 ? Int(parts[1]) : 1
    else { return nil }
    self.path = path
    processID = id
    self.image = image
  }

  /// The program's content, without the filler after it.
  ///
  /// - Throws: `LaunchError.cannotWrite`: the launch's trace cannot be written without it.
  func bytes() throws(LaunchError) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { throw unreadable(errno) }
    defer { close(file) }
    // A process that still runs may truncate the file meanwhile.
    do throws(FileError) { return try fileHead(of: file, path, limit: Int(TraceTail.end(of: file))) } catch {
      throw unreadable(error.errno)
    }
  }

  private func unreadable(_ error: Int32) -> LaunchError {
    LaunchError(
      .cannotWrite, path: path, message: "cannot read the program's trace: \(systemMessage(error))", errno: error)
  }
}
