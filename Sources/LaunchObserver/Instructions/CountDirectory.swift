import Glibc

/// A temporary directory into which callgrind writes a file for each process.
struct CountDirectory: ~Copyable {
  static let prefix = "counts."

  let path: String

  /// - Throws: `LaunchError.cannotWrite`.
  init() throws(LaunchError) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    var template = Array("\(parent.isEmpty ? "/tmp" : parent)/launchprof-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      let error = errno
      throw LaunchError(
        .cannotWrite, path: parent,
        message:
          "cannot create a temporary directory: \(describe(error)); set TMPDIR to a directory that can be written",
        errno: error)
    }
    path = String(cString: made)
  }

  deinit {
    clear()
    rmdir(path)
  }

  func clear() { for name in fileNames(in: path) { unlink("\(path)/\(name)") } }

  /// The instructions of all processes; nil if no process has written its file.
  func sum() -> Int64? {
    let counts = fileNames(in: path).filter { $0.hasPrefix(Self.prefix) }.map { Self.count(in: "\(path)/\($0)") }
    return counts.isEmpty || counts.contains(nil) ? nil : counts.compactMap(\.self).reduce(0, &+)
  }

  /// Of the line `summary: N`, which is in the head of the file.
  private static func count(in path: String) -> Int64? {
    readSmallFile(path)?.split(separator: "\n").first { $0.hasPrefix("summary: ") }
      .flatMap { Int64($0.dropFirst("summary: ".count)) }
  }
}
