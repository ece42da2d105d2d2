// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import LaunchSymbols

/// Images by file, so that only the first launch of a series reads symbols.
final class ImageCache {
  private var images: [FileIdentity: ProgramImage?] = [:]
  private var mains: [FileIdentity: UInt64?] = [:]
  private var notifications: [FileIdentity: UInt64?] = [:]
  private var openings: [FileIdentity: OpeningCode?] = [:]
  private var runtimeOffsets: [FileIdentity: [RuntimeFunction: UInt64]] = [:]
  private var unwindTables: [FileIdentity: UnwindTable?] = [:]

  /// The image of the file at `path`; nil if it is not a 64-bit ELF file, or cannot be read.
  func image(_ path: String) -> ProgramImage? { known(path, \.images) { ProgramImage(path: path) } ?? nil }

  /// `main` of the program at `path`; nil if it is not found.
  func main(_ path: String) -> UInt64? {
    known(path, \.mains) { (try? ELFFile(path: path)).flatMap(LoadFunctions.main) } ?? nil
  }

  /// `_dl_debug_state` of the loader at `path`; nil if it is not found.
  func notification(_ path: String) -> UInt64? {
    known(path, \.notifications) { (try? ELFFile(path: path)).flatMap(LoadFunctions.notification) } ?? nil
  }

  /// `dlopen` in the C library at `path`; nil if it is not found.
  func openingCode(_ path: String) -> OpeningCode? { known(path, \.openings) { OpeningCode(path: path) } ?? nil }

  /// The file offsets of functions of Swift's runtime; empty if the file has none.
  func runtimeOffsets(_ path: String) -> [RuntimeFunction: UInt64] {
    known(path, \.runtimeOffsets) { (try? ELFFile(path: path)).map(RuntimeFunction.offsets) ?? [:] } ?? [:]
  }

  /// The unwind table of the file at `path`; nil if it has none.
  func unwindTable(_ path: String) -> UnwindTable? {
    known(path, \.unwindTables) { (try? ELFFile(path: path)).flatMap { UnwindTable($0) } } ?? nil
  }

  /// What is known of a regular file, read only once; nil if there is none.
  private func known<Value>(
    _ path: String, _ cache: ReferenceWritableKeyPath<ImageCache, [FileIdentity: Value]>, or read: () -> Value
  ) -> Value? {
    guard let identity = FileIdentity(path) else { return nil }
    if let known = self[keyPath: cache][identity] { return known }
    let value = read()
    self[keyPath: cache][identity] = value
    return value
  }
}
