// SPDX-License-Identifier: Apache-2.0

/// Why a file could not be read or written, or a directory not be made.
package struct FileError: Error, Equatable, CustomStringConvertible {
  package var path: String
  /// 0 if no system call failed.
  package var errno: Int32
  /// A sentence for people that says what to do.
  package var message: String

  /// - Parameter path: empty if the message names the file, or if there is none.
  package init(path: String, errno: Int32 = 0, message: String) {
    (self.path, self.errno, self.message) = (path, errno, message)
  }

  package var description: String { path.isEmpty ? message : "\(path): \(message)" }
}

/// The system's message for an errno.
package func systemMessage(_ error: Int32) -> String { String(cString: strerror(error)) }

/// The whole content of a file.
///
/// - Throws: `FileError`, also if the file is a directory or longer than `limit` bytes.
package func readFile(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
  let content = try fileHead(path, limit: limit + 1)
  guard content.count <= limit else {
    throw FileError(path: path, errno: EFBIG, message: "is longer than \(limit) bytes; is it the right file?")
  }
  return content
}

/// The first `limit` bytes of a small file as text, such as one of /proc; nil if it cannot be read.
package func fileText(_ path: String, limit: Int = 65536) -> String? {
  (try? fileHead(path, limit: limit)).map { String(decoding: $0, as: UTF8.self) }
}

/// open(2), to read a file.
package func openToRead(_ path: String) -> Int32 { open(path, O_RDONLY | O_CLOEXEC) }

/// read(2), once more if a signal interrupts it.
package func readSome(of file: Int32, into room: UnsafeMutableRawBufferPointer) -> Int {
  while true {
    let got = read(file, room.baseAddress, room.count)
    if got >= 0 || errno != EINTR { return got }
  }
}

/// The size of an open file; 0 if the system does not know it, as for a pipe or a file of /proc.
private func fileSize(of file: Int32) -> Int {
  var facts = stat()
  return fstat(file, &facts) == 0 ? max(0, Int(facts.st_size)) : 0
}

/// The first `limit` bytes of a file.
///
/// - Throws: `FileError`, also if the file is a directory.
package func fileHead(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
  let file = openToRead(path)
  guard file >= 0 else { throw FileError(path: path, errno: errno, message: systemMessage(errno)) }
  defer { close(file) }
  return try fileHead(of: file, path, limit: limit)
}

/// The next `limit` bytes of an open file.
///
/// - Throws: `FileError`, with `path`; also if the file is a directory.
package func fileHead(of file: Int32, _ path: String, limit: Int) throws(FileError) -> [UInt8] {
  var content: [UInt8] = []
  // A large file that grows by doubling takes twice the memory.
  content.reserveCapacity(min(limit, fileSize(of: file)))
  while content.count < limit {
    var failed: Int32 = 0
    let piece = max(1 << 16, min(1 << 20, content.capacity - content.count))
    let block = [UInt8](unsafeUninitializedCapacity: min(piece, limit - content.count)) { buffer, filled in
      let got = readSome(of: file, into: UnsafeMutableRawBufferPointer(buffer))
      if got < 0 { failed = errno }
      filled = max(0, got)
    }
    guard failed == 0 else {
      let message = failed == EISDIR ? "is a directory; name a file in it" : systemMessage(failed)
      throw FileError(path: path, errno: failed, message: message)
    }
    if block.isEmpty { break }
    content += block
  }
  return content
}
