// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import LaunchPlatform

/// A small file that is replaced as a whole. If the process or the machine stops, the file has its old or its new
/// content.
struct DurableFile {
  /// After it: the length and the FNV-1a checksum of the content, eight bytes each, little-endian; then the content.
  private static let magic = Array("LPSTATE1".utf8)
  private static let largest = 64 << 20

  let path: String
  /// A directory that is not used if it is another user's.
  var shared = StateDirectory.shared

  /// - Returns: the content; nil if there is no file.
  /// - Throws: `damaged` if the file is not as `write` wrote it; `cannotAccess` if it cannot be read, is not a regular
  ///   file, or is in the shared directory of another user.
  func read() throws(LifecycleError) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw LifecycleError(.cannotAccess, path: path, errno: errno, "cannot be read")
    }
    defer { close(file) }
    try StateDirectory.check(path, isNotOfOthersIn: shared)
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw notRegular }
    guard status.st_size <= Self.largest else { throw LifecycleError(.damaged, path: path, "is not a state file") }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var count = 0
    while count < bytes.count {
      let got = bytes.withUnsafeMutableBytes {
        LaunchPlatform.read(file, $0.baseAddress?.advanced(by: count), $0.count - count)
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw LifecycleError(.cannotAccess, path: path, errno: errno, "cannot be read") }
      if got == 0 { break }
      count += got
    }
    return try content(of: bytes.prefix(count))
  }

  private var notRegular: LifecycleError { LifecycleError(.cannotAccess, path: path, "is not a regular file") }

  private func content(of bytes: ArraySlice<UInt8>) throws(LifecycleError) -> [UInt8] {
    let head = Self.magic.count + 16
    guard bytes.count >= head, bytes.starts(with: Self.magic) else {
      throw LifecycleError(.damaged, path: path, "is not a state file, or was truncated")
    }
    func number(_ place: Int) -> UInt64 { bytes[place..<place + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) } }
    let content = Array(bytes[head...])
    guard number(8) == UInt64(content.count), number(16) == Self.checksum(content) else {
      throw LifecycleError(.damaged, path: path, "was truncated or changed")
    }
    return content
  }

  /// Replaces the file: writes a new file beside it, flushes that to the disk, and renames it.
  ///
  /// - Throws: `cannotAccess`. The file then keeps its content. Also if the path is that of a directory, a link or a
  ///   device: `rename` would replace it.
  func write(_ content: [UInt8]) throws(LifecycleError) {
    // `read` would take it for damaged.
    guard content.count <= Self.largest - Self.magic.count - 16 else {
      throw LifecycleError(.cannotAccess, path: path, "would be larger than 64 MiB, so it is not written")
    }
    var status = stat()
    guard lstat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else { throw notRegular }
    let directory = try makeDirectory()
    var bytes = Self.magic
    for number in [UInt64(content.count), Self.checksum(content)] {
      withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
    bytes += content
    let (file, temporary) = try makeTemporary()
    var error = writeAll(file, bytes)
    if error == 0, fsync(file) != 0 { error = errno }
    // While it has its temporary name, it is locked.
    if error == 0, rename(temporary, path) != 0 { error = errno }
    close(file)
    guard error == 0 else {
      unlink(temporary)
      throw LifecycleError(.cannotAccess, path: path, errno: error, "cannot be written")
    }
    Self.flush(directory: directory)
    removeLeftovers(in: directory)
  }

  /// Makes a file beside this one, and locks it. The number in its name is random: containers that share a directory have
  /// the same process ids.
  private func makeTemporary() throws(LifecycleError) -> (file: Int32, path: String) {
    while true {
      let temporary = "\(path).\(UInt32.random(in: 100_000...999_999)).new"
      let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      if file < 0, errno == EEXIST { continue }
      guard file >= 0 else { throw LifecycleError(.cannotAccess, path: temporary, errno: errno, "cannot be created") }
      // Another process may have taken it for a leftover before it was locked. It holds the lock, or has removed the file.
      let isTaken = flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
      var status = stat()
      if !isTaken, fstat(file, &status) != 0 || status.st_nlink > 0 { return (file, temporary) }
      close(file)
    }
  }

  /// Removes the files of processes that were killed during a `write`: these have no lock.
  private func removeLeftovers(in directory: String) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard let listing = opendir(directory) else { return }
    defer { closedir(listing) }
    while let entry = readdir(listing) {
      let found = withUnsafePointer(to: entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard found.hasPrefix(name + "."), found.hasSuffix(".new"),
        UInt32(found.dropFirst(name.count + 1).dropLast(4)) != nil
      else { continue }
      let leftover = "\(directory)/\(found)"
      let file = open(leftover, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      guard file >= 0 else { continue }
      if flock(file, LOCK_EX | LOCK_NB) == 0 { unlink(leftover) }
      close(file)
    }
  }

  /// Renames the file to `<path>.broken`, and replaces an earlier one. Returns where the file is then.
  func setAside() -> String {
    let broken = path + ".broken"
    return rename(path, broken) == 0 ? broken : path
  }

  /// Returns the directory of the file.
  @discardableResult
  func makeDirectory() throws(LifecycleError) -> String {
    let directory = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    var made = ""
    for part in directory.split(separator: "/") {
      made += (made.isEmpty && !directory.hasPrefix("/") ? "" : "/") + part
      guard mkdir(made, 0o700) == 0 || errno == EEXIST else {
        throw LifecycleError(.cannotAccess, path: made, errno: errno, "cannot be created")
      }
    }
    try StateDirectory.check(path, isNotOfOthersIn: shared)
    return !directory.isEmpty ? directory : path.hasPrefix("/") ? "/" : "."
  }

  /// Flushes the directory, which makes a rename durable.
  private static func flush(directory: String) {
    let file = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { return }
    fsync(file)
    close(file)
  }

  /// FNV-1a with 64 bits. It detects accidental damage, not forgery.
  static func checksum(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}

/// Writes all bytes; returns 0 or an errno. Waits also if the file does not block: all programs of a terminal share its modes.
func writeAll(_ file: Int32, _ bytes: [UInt8]) -> Int32 {
  var place = 0
  while place < bytes.count {
    let count = bytes.withUnsafeBytes { write(file, $0.baseAddress?.advanced(by: place), $0.count - place) }
    if count < 0, errno == EAGAIN {
      var ready = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
      poll(&ready, 1, -1)
    } else if count < 0, errno != EINTR {
      return errno
    }
    place += max(0, count)
  }
  return 0
}
#endif
