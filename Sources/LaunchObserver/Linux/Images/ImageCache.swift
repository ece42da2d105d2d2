// SPDX-License-Identifier: Apache-2.0

internal import LaunchSymbols

/// Images by file, so that only the first launch of a series reads symbols.
final class ImageCache {
  private var images: [FileIdentity: ProgramImage?] = [:]
  private var mains: [FileIdentity: UInt64?] = [:]
  private var notifications: [FileIdentity: UInt64?] = [:]
  private var loaders: [FileIdentity: Bool] = [:]
  private var openings: [FileIdentity: OpeningCode?] = [:]
  private var runtimeOffsets: [FileIdentity: [RuntimeFunction: UInt64]] = [:]
  private var unwindTables: [FileIdentity: UnwindTable?] = [:]
  /// Where the files of a launch are that the launcher does not find at their paths.
  private(set) var kept: [String: String] = [:]

  /// The image of the file at `path`; nil if it is not a 64-bit ELF file, or cannot be read.
  func image(_ path: String) -> ProgramImage? { known(path, \.images) { ProgramImage(path: $0) } ?? nil }

  /// `main` of the program at `path`; nil if it is not found.
  func main(_ path: String) -> UInt64? {
    known(path, \.mains) { (try? ELFFile(path: $0)).flatMap(LoadFunctions.main) } ?? nil
  }

  /// `_dl_debug_state` of the loader at `path`; nil if it is not found.
  func notification(_ path: String) -> UInt64? {
    known(path, \.notifications) { (try? ELFFile(path: $0)).flatMap(LoadFunctions.notification) } ?? nil
  }

  /// Whether the file at `path`, which names no loader, is one itself.
  func isLoader(_ path: String) -> Bool {
    known(path, \.loaders) { (try? ELFFile(path: $0)).map(LoadFunctions.isLoader) ?? false } ?? false
  }

  /// `dlopen` in the C library at `path`; nil if it is not found.
  func openingCode(_ path: String) -> OpeningCode? { known(path, \.openings) { OpeningCode(path: $0) } ?? nil }

  /// The file offsets of functions of Swift's runtime; empty if the file has none.
  func runtimeOffsets(_ path: String) -> [RuntimeFunction: UInt64] {
    known(path, \.runtimeOffsets) { (try? ELFFile(path: $0)).map(RuntimeFunction.offsets) ?? [:] } ?? [:]
  }

  /// The unwind table of the file at `path`; nil if it has none.
  func unwindTable(_ path: String) -> UnwindTable? {
    known(path, \.unwindTables) { (try? ELFFile(path: $0)).flatMap { UnwindTable($0) } } ?? nil
  }

  /// Keeps the programs of a launch whose paths lead to no file, or to another one.
  ///
  /// - Returns: the paths, without the mark of removed files.
  func keep(_ files: [ExecutedFile], mappedBy mappings: [PerfEvents.Mapping]) -> Set<String> {
    kept = [:]
    for mapping in mappings where kept[mapping.path] == nil {
      guard let file = files.last(where: { $0.isMapped(by: mapping) }), FileIdentity(mapping.path) == nil else {
        continue
      }
      kept[mapping.path] = file.place
    }
    let mark = ReplacedFiles.removalMark
    return Set(kept.keys.map { $0.hasSuffix(mark) ? String($0.dropLast(mark.count)) : $0 })
  }

  /// What is known of a regular file, read only once; nil if there is none.
  private func known<Value>(
    _ path: String, _ cache: ReferenceWritableKeyPath<ImageCache, [FileIdentity: Value]>,
    or read: (_ path: String) -> Value
  ) -> Value? {
    let path = kept[path] ?? path
    guard let identity = FileIdentity(path) else { return nil }
    if let known = self[keyPath: cache][identity] { return known }
    let value = read(path)
    self[keyPath: cache][identity] = value
    return value
  }
}
