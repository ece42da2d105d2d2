/// The loader's cache of where libraries are, `/etc/ld.so.cache`, in the format of glibc 2.2 and later (dl-cache.h).
package struct LoaderCache: Sendable {
  private let paths: [String: String]

  /// Empty when the file is not there or is no such cache.
  package init(path: String) {
    guard let file = try? MappedFile(path: path) else {
      paths = [:]
      return
    }
    paths = Self.paths(ByteRange(file.bytes))
  }

  package func path(of library: String) -> String? { paths[library] }

  private static let magic = "glibc-ld.so.cache1.1"
  private static let headerSize: UInt64 = 48
  private static let entrySize: UInt64 = 24
  /// FLAG_ELF_LIBC6 with the machine's flag (dl-cache.h): only libraries of this machine.
  #if arch(x86_64)
  private static let flags: UInt32 = 0x0303
  #elseif arch(arm64)
  private static let flags: UInt32 = 0x0a03
  #else
  private static let flags: UInt32 = 3
  #endif

  private static func paths(_ bytes: ByteRange) -> [String: String] {
    let characters = magic.utf8.indices.enumerated().allSatisfy { place, index in
      bytes.read(UInt8.self, at: UInt64(place)) == magic.utf8[index]
    }
    guard characters, let count = bytes.read(UInt32.self, at: 20) else { return [:] }
    var result: [String: String] = [:]
    for row in 0..<UInt64(count) {
      let at = headerSize + row * entrySize
      guard let flags = bytes.read(UInt32.self, at: at), let key = bytes.read(UInt32.self, at: at + 4),
        let value = bytes.read(UInt32.self, at: at + 8), let capabilities = bytes.read(UInt64.self, at: at + 16)
      else { break }
      // Variants for newer processors stand beside the plain one.
      guard flags == self.flags, capabilities == 0, let name = bytes.string(at: UInt64(key)), result[name] == nil,
        let path = bytes.string(at: UInt64(value))
      else { continue }
      result[name] = path
    }
    return result
  }
}
