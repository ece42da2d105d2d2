import Glibc
internal import LaunchSymbols

/// Images by file, so that only the first launch of a series reads symbols.
final class ImageCache {
  /// Identifies the content of a file.
  private struct Identity: Hashable {
    var device: UInt64
    var inode: UInt64
    var size: Int64
    var seconds: Int
    var nanoseconds: Int
  }

  private var images: [Identity: ProgramImage?] = [:]
  private var functions: [Identity: LoadFunctions?] = [:]
  private var openings: [Identity: OpeningCode?] = [:]
  private var runtimeOffsets: [Identity: [RuntimeFunction: UInt64]] = [:]
  private var unwindTables: [Identity: UnwindTable?] = [:]

  /// The image of the file at `path`; nil if it is not a 64-bit ELF file, or cannot be read.
  func image(_ path: String) -> ProgramImage? {
    guard let identity = identity(path) else { return nil }
    if let known = images[identity] { return known }
    let image = ProgramImage(path: path)
    images[identity] = image
    return image
  }

  /// Where a program or a loader is observed; nil as for `image`.
  func functions(_ path: String) -> LoadFunctions? {
    guard let identity = identity(path) else { return nil }
    if let known = functions[identity] { return known }
    let found = LoadFunctions(path: path)
    functions[identity] = found
    return found
  }

  /// `dlopen` in the C library at `path`; nil if it is not found.
  func openingCode(_ path: String) -> OpeningCode? {
    guard let identity = identity(path) else { return nil }
    if let known = openings[identity] { return known }
    let code = OpeningCode(path: path)
    openings[identity] = code
    return code
  }

  /// The file offsets of functions of Swift's runtime; empty if the file has none.
  func runtimeOffsets(_ path: String) -> [RuntimeFunction: UInt64] {
    guard let identity = identity(path) else { return [:] }
    if let known = runtimeOffsets[identity] { return known }
    let offsets = (try? ELFFile(path: path)).map(RuntimeFunction.offsets) ?? [:]
    runtimeOffsets[identity] = offsets
    return offsets
  }

  /// The unwind table of the file at `path`; nil if it has none.
  func unwindTable(_ path: String) -> UnwindTable? {
    guard let identity = identity(path) else { return nil }
    if let known = unwindTables[identity] { return known }
    let table = (try? ELFFile(path: path)).flatMap { UnwindTable($0) }
    unwindTables[identity] = table
    return table
  }

  private func identity(_ path: String) -> Identity? {
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
    return Identity(
      device: UInt64(facts.st_dev), inode: UInt64(facts.st_ino), size: Int64(facts.st_size),
      seconds: facts.st_mtim.tv_sec, nanoseconds: facts.st_mtim.tv_nsec)
  }
}
