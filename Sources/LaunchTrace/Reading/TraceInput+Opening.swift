#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension TraceInput {
  /// Opens a file; a gzip'ed one is decompressed as it is read.
  ///
  /// - Throws: `TraceError` when it does not open, is a directory, is empty, or can't be read.
  static func open(path: String) throws(TraceError) -> TraceInput {
    let descriptor = openReadOnly(path)
    if descriptor < 0 {
      let code = errno
      throw TraceError(.cannotOpen, path: path, message: "can't be opened: \(errorText(code))", errno: code)
    }
    let input = TraceInput(source: .file(descriptor), path: path)
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw TraceError(.isDirectory, path: path, message: "is a directory; name the trace file in it", errno: EISDIR)
    }
    return try decompressing(input)
  }

  /// Reads from memory; gzip'ed bytes are decompressed as they are read.
  static func open(bytes: UnsafeRawBufferPointer, path: String) throws(TraceError) -> TraceInput {
    try decompressing(TraceInput(memory: bytes, path: path))
  }

  private static func decompressing(_ input: TraceInput) throws(TraceError) -> TraceInput {
    guard try input.require(1) else {
      throw TraceError(.empty, path: input.path, message: "is empty; was the program stopped before it wrote anything?")
    }
    guard try input.require(3), input.bytes[0] == 0x1f, input.bytes[1] == 0x8b, input.bytes[2] == 8 else {
      return input
    }
    let inflated = TraceInput(source: .gzip(try Inflater(input)), path: input.path)
    guard try inflated.require(1) else {
      throw TraceError(.empty, path: input.path, message: "is compressed, and empty within")
    }
    return inflated
  }

  private static func openReadOnly(_ path: String) -> Int32 {
    #if canImport(Glibc)
    Glibc.open(path, O_RDONLY | O_CLOEXEC)
    #elseif canImport(Musl)
    Musl.open(path, O_RDONLY | O_CLOEXEC)
    #else
    Darwin.open(path, O_RDONLY | O_CLOEXEC)
    #endif
  }
}
