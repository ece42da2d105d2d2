// SPDX-License-Identifier: Apache-2.0

/// The parts of a file that the kernel and the loader use: segments, entry and interpreter (elf(5), `Elf64_Phdr`).
extension ELFFile {
  /// A PT_LOAD segment.
  package struct Segment: Sendable {
    /// Offset in the file.
    package var offset: UInt64
    /// Virtual address in the file.
    package var address: UInt64
    package var fileSize: UInt64
    package var memorySize: UInt64
  }

  /// e_machine: 62 for x86-64, 183 for arm64.
  package var machine: UInt16 { bytes.read(at: 18) ?? 0 }

  /// The virtual address of the first instruction.
  package var entry: UInt64 { bytes.read(at: 24) ?? 0 }

  /// The path of the loader; nil for a static executable or a library.
  package var interpreter: String? {
    segment(ofType: 3).flatMap { bytes[$0.offset, $0.fileSize]?.string(at: 0) }
  }

  package var segments: [Segment] { programHeaders.filter { $0.type == 1 }.map(\.segment) }

  /// The first segment of a type (`PT_…`).
  func segment(ofType type: UInt32) -> Segment? { programHeaders.first { $0.type == type }?.segment }

  /// The number of bytes from the lowest to the highest address in memory.
  package var memorySpan: UInt64 {
    let segments = segments
    guard let first = segments.map(\.address).min() else { return 0 }
    return segments.map { $0.address.addingReportingOverflow($0.memorySize).partialValue }.max().map { $0 &- first }
      ?? 0
  }

  /// At most `count` bytes at a virtual address; empty if no segment contains it.
  package func content(at address: UInt64, count: UInt64) -> [UInt8] {
    guard let rest = rest(at: address), let range = bytes[rest.offset, min(count, rest.size)] else { return [] }
    return Array(range.bytes)
  }

  /// What the file has from a virtual address to the end of its segment; nil if no segment contains the address.
  func rest(at address: UInt64) -> (offset: UInt64, size: UInt64)? {
    guard let home = segments.first(where: { address >= $0.address && address - $0.address < $0.fileSize }) else {
      return nil
    }
    let inside = address - home.address
    let (offset, overflow) = home.offset.addingReportingOverflow(inside)
    return overflow ? nil : (offset, home.fileSize - inside)
  }

  /// The virtual address of a defined function with this name in the file.
  package func address(ofFunction name: String) -> UInt64? { addresses(ofFunctions: [name])[name] }

  /// The virtual addresses of the defined functions with these names. One walk through the symbols finds them all.
  package func addresses(ofFunctions names: [String]) -> [String: UInt64] {
    var missing = names.map { (name: $0, bytes: Array($0.utf8) + [0]) }
    var found: [String: UInt64] = [:]
    for type in [SectionType.symbols, SectionType.dynamicSymbols] where !missing.isEmpty {
      forEachSymbol(ofType: type) { symbol in
        // STT_FUNC, or a label of assembly; not an undefined symbol.
        guard symbol.section != 0, symbol.type == 2 || symbol.type == 0,
          let match = missing.firstIndex(where: { symbol.names.has($0.bytes, at: symbol.name) })
        else { return }
        found[missing.remove(at: match).name] = symbol.address
      }
    }
    return found
  }

  /// Whether other files can call a function with this name in the file.
  package func exports(function name: String) -> Bool {
    let name = Array(name.utf8) + [0]
    var isFound = false
    forEachSymbol(ofType: SectionType.dynamicSymbols) { symbol in
      if symbol.section != 0, symbol.type == 2, symbol.names.has(name, at: symbol.name) { isFound = true }
    }
    return isFound
  }

  struct ProgramHeader {
    var type: UInt32
    var segment: Segment
  }

  private var programHeaders: [ProgramHeader] { Self.programHeaders(bytes) }

  static func programHeaders(_ bytes: FileContent) -> [ProgramHeader] {
    guard let table: UInt64 = bytes.read(at: 32), let size: UInt16 = bytes.read(at: 54),
      let count: UInt16 = bytes.read(at: 56), size >= 56, let headers = bytes[table, UInt64(size) * UInt64(count)]
    else { return [] }
    return (0..<UInt64(count)).compactMap { index in
      let at = index * UInt64(size)
      guard let type: UInt32 = headers.read(at: at), let offset: UInt64 = headers.read(at: at + 8),
        let address: UInt64 = headers.read(at: at + 16), let fileSize: UInt64 = headers.read(at: at + 32),
        let memorySize: UInt64 = headers.read(at: at + 40)
      else { return nil }
      return ProgramHeader(
        type: type, segment: Segment(offset: offset, address: address, fileSize: fileSize, memorySize: memorySize))
    }
    .prefix(content: bytes) { ($0.segment.offset, $0.segment.fileSize) }
  }
}
