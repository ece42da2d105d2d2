// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

extension TraceInput {
  /// Opens a file. If it is compressed with gzip or Zstandard, it is decompressed while it is read.
  ///
  /// - Throws: `TraceError` if the file cannot be opened or read, is a directory, or is empty.
  static func open(path: String) throws(TraceError) -> TraceInput { try decompressing(try openStored(path: path)) }

  /// Opens a file, and gives its bytes as they are stored.
  static func openStored(path: String) throws(TraceError) -> TraceInput {
    let descriptor = openToRead(path)
    if descriptor < 0 {
      let code = errno
      throw TraceError(.cannotOpen, path: path, message: "cannot be opened: \(systemMessage(code))", errno: code)
    }
    let input = TraceInput(source: .file(descriptor), path: path)
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      let isDocument = path.hasSuffix(".trace") || path.hasSuffix(".trace/")
      let message =
        isDocument
        ? "is a document of Instruments; export a table: \(TimeProfileReader.export)"
        : "is a directory; name the trace file in it"
      throw TraceError(.isDirectory, path: path, message: message, errno: EISDIR)
    }
    return input
  }

  /// Reads from memory. Bytes that are compressed with gzip are decompressed while they are read.
  static func open(bytes: UnsafeRawBufferPointer, path: String) throws(TraceError) -> TraceInput {
    try decompressing(TraceInput(memory: bytes, path: path))
  }

  private static func decompressing(_ input: TraceInput) throws(TraceError) -> TraceInput {
    guard try input.require(1) else {
      throw TraceError(
        .empty, path: input.path,
        message: "is empty: it is still being recorded, or the program was stopped before it wrote anything")
    }
    guard let inflated = try content(of: input) else { return input }
    guard try inflated.require(1) else {
      throw TraceError(.empty, path: input.path, message: "is compressed, and its content is empty")
    }
    return inflated
  }

  /// The decompressed bytes of an input; nil if it is not compressed.
  static func content(of input: TraceInput) throws(TraceError) -> TraceInput? {
    if try input.require(3), input.bytes.starts(with: [0x1f, 0x8b, 8]) {
      return TraceInput(source: .compressed(try Inflater(input)), path: input.path)
    }
    if try input.require(4), ZstandardInflater.begins(input.bytes) {
      return TraceInput(source: .compressed(try ZstandardInflater(input)), path: input.path)
    }
    return nil
  }
}
