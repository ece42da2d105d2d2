// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

/// A file of gzip members or Zstandard frames, which follow each other.
package enum CompressedFile {
  /// Whether all of a file is whole members or frames, so that readers find what is appended. An empty file is whole. This
  /// decompresses the file, in bounded memory.
  ///
  /// - Throws: `TraceError` when the file does not open, is a directory, cannot be read, or becomes much larger
  ///   than records do.
  package static func isWhole(path: String) throws(TraceError) -> Bool {
    let stored = try TraceInput.openStored(path: path)
    guard try stored.require(1) else { return true }
    guard let content = try TraceInput.content(of: stored) else { return false }
    while try content.fill() { content.consume(content.count) }
    return !content.isDamaged && !content.isFollowed
  }

  /// Whether a file in which nothing was found is sound: neither broken nor cut off. Of a pipe, which is read only once, this
  /// is not known, and it counts as sound.
  package static func isReallyEmpty(path: String) -> Bool { !isRegular(path) || (try? isWhole(path: path)) == true }
}
