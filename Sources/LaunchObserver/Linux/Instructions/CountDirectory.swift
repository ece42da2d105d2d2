// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import LaunchSystem

/// A temporary directory into which callgrind writes a file for each process.
struct CountDirectory: ~Copyable {
  static let prefix = "counts."

  let path: String

  /// - Throws: `LaunchError.cannotWrite`.
  init() throws(LaunchError) {
    let made: String
    do throws(FileError) { made = try makeTemporaryDirectory() } catch { throw LaunchError(error) }
    path = made
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

  /// The count in the line `summary: N`, which is in the head of the file.
  private static func count(in path: String) -> Int64? {
    fileText(path)?.line(after: "summary: ").flatMap { Int64($0) }
  }
}
