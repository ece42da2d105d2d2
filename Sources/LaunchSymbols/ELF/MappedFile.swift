#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file mapped for reading; unmapped when nobody holds it any more.
final class MappedFile: @unchecked Sendable {
  /// Never written to: safe from any thread.
  let bytes: UnsafeRawBufferPointer

  init(path: String) throws(SymbolError) {
    // Not blocking: a path of a trace may name a FIFO by now.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw Self.failure(path) }
    defer { close(file) }
    var facts = stat()
    guard fstat(file, &facts) == 0 else { throw Self.failure(path) }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      throw SymbolError(.unsupported, path: path, message: "is not a regular file")
    }
    let size = Int(facts.st_size)
    guard size > 0 else { throw SymbolError(.malformed, path: path, message: "the file is empty") }
    let address = mmap(nil, size, PROT_READ, MAP_PRIVATE, file, 0)
    guard let address, address != MAP_FAILED else { throw Self.failure(path) }
    bytes = UnsafeRawBufferPointer(start: address, count: size)
  }

  deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }

  private static func failure(_ path: String) -> SymbolError {
    SymbolError(.cannotOpen, path: path, message: "cannot be read: \(String(cString: strerror(errno)))", errno: errno)
  }
}
