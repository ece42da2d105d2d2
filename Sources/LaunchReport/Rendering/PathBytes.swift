// SPDX-License-Identifier: Apache-2.0

/// How long the paths of a list may be. Each repeats the names of those around it, so whole ones of a deeply nested trace
/// would fill the disk.
enum PathBytes {
  /// All paths of a launch together.
  private static let most = 1 << 28

  /// The most bytes of each path.
  ///
  /// - Parameters:
  ///   - whole: the bytes of all paths.
  ///   - paths: how many there are.
  static func limit(whole: Int, paths: Int) -> Int { whole <= most ? .max : most / max(1, paths) }
}
