import Glibc

/// The file that a trace will be in. Removed again when it was made for a launch that gave none.
struct TraceOutput: ~Copyable {
  let path: String
  private let file: Int32
  private let isNew: Bool
  private var isComplete = false

  init(path: String, exclusive: Bool) throws(LaunchError) {
    // Like any file that a command writes, its mode is the umask's business.
    let fresh = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    let file = fresh >= 0 || exclusive || errno != EEXIST ? fresh : open(path, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else {
      throw LaunchError(
        .cannotWrite, path: path,
        message: "the trace cannot be written: \(describe(errno)); name another place with -o", errno: errno)
    }
    self.path = path
    self.file = file
    isNew = fresh >= 0
  }

  deinit {
    close(file)
    if isNew, !isComplete { unlink(path) }
  }

  /// Writes the first `count` bytes of `source` (-1 for none) and then `packets`.
  ///
  /// - Throws: `LaunchError.cannotWrite`: a full disk, a file that may not grow.
  mutating func write(_ source: Int32, count: Int64, then packets: [[UInt8]]) throws(LaunchError) {
    // What was there goes only now: until here the launch might not have taken place. A device has no length.
    if ftruncate(file, 0) != 0, errno != EINVAL { throw failure(errno) }
    var block = [UInt8](repeating: 0, count: Int(min(1 << 20, max(count, 1))))
    var offset: Int64 = 0
    while offset < count {
      let wanted = Int(min(Int64(block.count), count - offset))
      let got = pread(source, &block, wanted, off_t(offset))
      if got < 0, errno == EINTR { continue }
      if got < 0 { throw failure(errno) }
      if got == 0 { break }
      try writeAll(block, count: got)
      offset += Int64(got)
    }
    for packet in packets { try writeAll(packet, count: packet.count) }
    isComplete = true
  }

  private func writeAll(_ bytes: [UInt8], count: Int) throws(LaunchError) {
    var done = 0
    while done < count {
      let written = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress?.advanced(by: done), count - done) }
      if written < 0, errno == EINTR { continue }
      guard written >= 0 else { throw failure(errno) }
      done += written
    }
  }

  private func failure(_ error: Int32) -> LaunchError {
    LaunchError(.cannotWrite, path: path, message: "the trace cannot be written: \(describe(error))", errno: error)
  }
}
