import Glibc

/// Why a file could not be read.
struct FileError: Error {
  var errno: Int32
  var message: String
}

/// The whole content of a file.
///
/// - Throws: `FileError`, also if the file is a directory or longer than `limit` bytes.
func readFile(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { throw FileError(errno: errno, message: systemMessage(errno)) }
  defer { close(file) }
  var content: [UInt8] = []
  while content.count <= limit {
    var failed: Int32 = 0
    let block = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, filled in
      let got = read(file, buffer.baseAddress, buffer.count)
      if got < 0 { failed = errno }
      filled = max(0, got)
    }
    if failed == EINTR { continue }
    guard failed == 0 else {
      throw FileError(
        errno: failed, message: failed == EISDIR ? "is a directory; name a file in it" : systemMessage(failed))
    }
    if block.isEmpty { return content }
    content += block
  }
  throw FileError(errno: EFBIG, message: "is longer than \(limit) bytes; is it the right file?")
}

/// The message of an errno.
func systemMessage(_ error: Int32) -> String { String(cString: strerror(error)) }
