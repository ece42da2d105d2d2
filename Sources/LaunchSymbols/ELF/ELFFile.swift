// SPDX-License-Identifier: Apache-2.0

/// A 64-bit little-endian ELF file: an executable, a shared library, or a separate debug file.
///
/// The file is not trusted. Reading it never traps, and takes time in proportion to its size. For the layout, see
/// System V ABI, chapters 4 and 5, and elf(5).
package struct ELFFile: Sendable {
  package let path: String
  /// The GNU build id, hexadecimal; empty if the file has none.
  package let buildID: String

  let bytes: FileContent
  let sections: [Section]
  /// The section with the sections' names.
  private let nameSection: Int

  struct Section: Sendable {
    var name: UInt32
    var type: UInt32
    var isCode: Bool
    var address: UInt64
    var offset: UInt64
    var size: UInt64
    var link: UInt32
    var entrySize: UInt64
  }

  enum SectionType {
    static let symbols: UInt32 = 2
    static let relocations: UInt32 = 4
    static let dynamic: UInt32 = 6
    static let note: UInt32 = 7
    static let noBits: UInt32 = 8
    static let dynamicSymbols: UInt32 = 11
    static let initializers: UInt32 = 14
    static let earlyInitializers: UInt32 = 16
    /// Relative relocations as bitmaps (SHT_RELR).
    static let packedRelocations: UInt32 = 19
  }

  /// Opens `path` and reads its headers.
  ///
  /// - Throws: `SymbolError` if it cannot be opened, is not such a file, or has headers outside the file.
  package init(path: String) throws(SymbolError) { try self.init(FileContent(path: path), path: path) }

  /// Reads the headers of a file that is in memory, such as the kernel's `[vdso]`, and copies it.
  ///
  /// - Parameter path: what errors call it.
  /// - Throws: `SymbolError` if it is not such a file, or has headers outside the memory.
  package init(copying bytes: UnsafeRawBufferPointer, path: String) throws(SymbolError) {
    try self.init(FileContent(copying: bytes, path: path), path: path)
  }

  private init(_ bytes: FileContent, path: String) throws(SymbolError) {
    self.path = path
    self.bytes = bytes
    guard bytes.read(UInt32.self, at: 0) == 0x464c_457f else {
      throw SymbolError(.unsupported, path: path, message: "is not an ELF file")
    }
    // EI_CLASS 2: 64 bits; EI_DATA 1: little-endian.
    guard bytes.read(UInt8.self, at: 4) == 2, bytes.read(UInt8.self, at: 5) == 1 else {
      throw SymbolError(.unsupported, path: path, message: "only 64-bit little-endian ELF files can be read")
    }
    guard let sections = Self.sections(bytes) else {
      throw SymbolError(
        .malformed, path: path, message: "its section headers are outside the file; was it copied completely?",
        offset: bytes.read(UInt64.self, at: 40))
    }
    self.sections = sections
    nameSection = Int(bytes.read(UInt16.self, at: 62) ?? 0)
    buildID = Self.buildID(bytes, sections) ?? ""
  }

  func content(of section: Section) -> ByteRange? {
    section.type == SectionType.noBits ? nil : bytes[section.offset, section.size]
  }

  /// The first section of this name that has content in the file.
  func section(named name: String) -> Section? {
    guard let names = sectionNames else { return nil }
    let name = Array(name.utf8) + [0]
    return sections.first { $0.type != SectionType.noBits && names.has(name, at: UInt64($0.name)) }
  }

  func hasSection(prefix: String) -> Bool {
    guard let names = sectionNames else { return false }
    return sections.contains { names.has(Array(prefix.utf8), at: UInt64($0.name)) }
  }

  private var sectionNames: ByteRange? {
    sections.indices.contains(nameSection) ? content(of: sections[nameSection]) : nil
  }

  private static func sections(_ bytes: FileContent) -> [Section]? {
    guard let table = bytes.read(UInt64.self, at: 40), let entrySize = bytes.read(UInt16.self, at: 58),
      var count = bytes.read(UInt16.self, at: 60).map(UInt64.init)
    else { return nil }
    if table == 0 { return [] }
    guard entrySize >= 64 else { return nil }
    // With more than 65,279 sections, the size of the first one is their number.
    if count == 0 { count = bytes.read(UInt64.self, at: table.addingReportingOverflow(32).partialValue) ?? 0 }
    let (size, overflow) = count.multipliedReportingOverflow(by: UInt64(entrySize))
    guard !overflow, let headers = bytes[table, size] else { return nil }
    return (0..<count).compactMap { index in
      let at = index * UInt64(entrySize)
      guard let name = headers.read(UInt32.self, at: at), let type = headers.read(UInt32.self, at: at + 4),
        let flags = headers.read(UInt64.self, at: at + 8), let address = headers.read(UInt64.self, at: at + 16),
        let offset = headers.read(UInt64.self, at: at + 24), let size = headers.read(UInt64.self, at: at + 32),
        let link = headers.read(UInt32.self, at: at + 40),
        let entrySize = headers.read(UInt64.self, at: at + 56)
      else { return nil }
      // SHF_EXECINSTR
      return Section(
        name: name, type: type, isCode: flags & 4 != 0, address: address, offset: offset, size: size, link: link,
        entrySize: entrySize)
    }
    .prefix(content: bytes) { $0.type == SectionType.noBits ? (0, 0) : ($0.offset, $0.size) }
  }
}

extension Array {
  /// Sections and segments hardly overlap. A broken file may have thousands with the same content, which would be read thousands of
  /// times: the ones after those that hold several times the file are left out.
  func prefix(content file: FileContent, _ range: (Element) -> (offset: UInt64, size: UInt64)) -> [Element] {
    var sum: UInt64 = 0
    return Array(
      prefix { element in
        let (offset, size) = range(element)
        if offset <= file.count, size <= file.count - offset { sum += size }
        return sum / 8 <= file.count
      })
  }
}
