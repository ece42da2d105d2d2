// SPDX-License-Identifier: Apache-2.0

/// The content of files that are compressed with Zstandard, for programs that do not read it.
package enum ZstandardContent {
  /// Gives the content of the file to `sink`. False, without a call of it, for a file that is not compressed so.
  ///
  /// - Throws: `TraceError` if the file cannot be read or decompressed, and what `sink` throws.
  package static func read(
    path: String, to sink: (UnsafeRawBufferPointer) throws(TraceError) -> Void
  ) throws(TraceError) -> Bool {
    let stored = try TraceInput.openStored(path: path)
    guard try stored.require(4), ZstandardInflater.begins(stored.bytes),
      let content = try TraceInput.content(of: stored)
    else { return false }
    while try content.require(1) {
      try sink(content.bytes)
      content.consume(content.count)
    }
    return true
  }
}
