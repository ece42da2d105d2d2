// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import LaunchSystem

/// The file for a trace. Removed again if it was created for a launch that produced no trace.
struct TraceOutput: ~Copyable {
  let path: String
  private var file: Int32
  /// The path of the file if it was created.
  private var created: String?
  private let pipe: TracePipe?
  private var isComplete = false

  /// - Parameter interruption: the signal that asks the launcher to stop; nil as long as there is none.
  init(path: String, exclusive: Bool, interruption: @escaping () -> Int32? = { nil }) throws(LaunchError) {
    // The umask decides its mode, as for any file that a command writes.
    let fresh = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    let isPresent = fresh < 0 && !exclusive && errno == EEXIST
    let pipe = isPresent ? TracePipe(path: path, interruption: interruption) : nil
    var file = try isPresent ? pipe?.open() ?? open(path, O_WRONLY | O_CLOEXEC) : fresh
    // A symbolic link is present, and what it points to is not.
    let isLink = isPresent && file < 0 && errno == ENOENT
    if isLink { file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666) }
    guard file >= 0 else {
      let advice = ResourceLimit.advice(errno) ?? "choose another place with -o"
      throw LaunchError(
        .cannotWrite, path: path, message: "cannot write the trace: \(systemMessage(errno)); \(advice)", errno: errno)
    }
    self.path = path
    self.file = file
    self.pipe = pipe
    created = isLink ? realPath(path) : fresh >= 0 ? path : nil
  }

  deinit {
    close(file)
    if let created, !isComplete { unlink(created) }
  }

  /// Writes all pieces, one after the other, and replaces the old content: all of it, or nothing.
  ///
  /// - Throws: `LaunchError.cannotWrite`, for example if the disk is full or the file may not grow.
  mutating func write(_ pieces: [[UInt8]]) throws(LaunchError) {
    if isRemoved { try createAgain() }
    if created == nil, let replacement = FileReplacement.make(of: path) {
      try write(pieces, to: replacement.descriptor)
      let error = replacement.commit()
      if error != 0 { throw failure(error) }
    } else {
      try writeHere(pieces)
    }
    isComplete = true
  }

  /// Whether the program has removed the file, for example because it cleans its directory, or has replaced it.
  private var isRemoved: Bool {
    var (ours, other) = (stat(), stat())
    guard fstat(file, &ours) == 0, ours.st_mode & S_IFMT == S_IFREG, ours.st_nlink == 0 else { return false }
    // A file that never had a name is still behind /proc/self/fd.
    return stat(path, &other) != 0 || (other.st_dev, other.st_ino) != (ours.st_dev, ours.st_ino)
  }

  private mutating func createAgain() throws(LaunchError) {
    var other = stat()
    let isReplaced = stat(path, &other) == 0
    if !isReplaced { try? makeDirectories(directoryName(path)) }
    let again = isReplaced ? -1 : open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
    guard again >= 0 else {
      let error = isReplaced ? EEXIST : errno
      // What is there now is not ours to remove.
      created = nil
      throw LaunchError(
        .cannotWrite, path: path,
        message: "the program removed the trace's file, and it cannot be made again: \(systemMessage(error)); "
          + "choose another place with -o", errno: error)
    }
    close(file)
    file = again
  }

  private func writeHere(_ pieces: [[UInt8]]) throws(LaunchError) {
    // Remove the old content only now, because the launch might have failed before. A device has no length.
    if ftruncate(file, 0) != 0, errno != EINVAL { throw failure(errno) }
    try write(pieces, to: file)
  }

  private func write(_ pieces: [[UInt8]], to file: Int32) throws(LaunchError) {
    for piece in pieces {
      let error = try pipe?.write(piece, to: file) ?? writeAll(piece[...], to: file)
      if error != 0 { throw failure(error) }
    }
  }

  private func failure(_ error: Int32) -> LaunchError {
    LaunchError(
      .cannotWrite, path: path, message: "cannot write the trace: \(ResourceLimit.explain(error))", errno: error)
  }
}
