// SPDX-License-Identifier: Apache-2.0

/// The content of files that are compressed with Zstandard, or begin with a byte order mark, for programs that read neither.
package enum BareContent {
  /// Gives the content of the file, without the mark, to `sink`. False, without a call of it, for a file that has neither.
  ///
  /// - Throws: `TraceError` if the file cannot be read or decompressed, and what `sink` throws.
  package static func read(
    path: String, to sink: (UnsafeRawBufferPointer) throws(TraceError) -> Void
  ) throws(TraceError) -> Bool {
    let stored = try TraceInput.openStored(path: path)
    let isZstandard = try stored.require(4) && ZstandardInflater.begins(stored.bytes)
    let content = try TraceInput.content(of: stored) ?? stored
    try content.skipMark()
    guard isZstandard || content.offset > 0 else { return false }
    while try content.require(1) {
      try sink(content.bytes)
      content.consume(content.count)
    }
    return true
  }
}
