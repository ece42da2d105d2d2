// SPDX-License-Identifier: Apache-2.0

extension ELFFile {
  /// An entry of a symbol table (elf(5), Elf64_Sym).
  struct SymbolEntry {
    /// The table of names, and the offset of this name.
    var names: ByteRange
    var name: UInt64
    /// STT_…
    var type: UInt8
    var isGlobal: Bool
    /// 0 for an undefined symbol.
    var section: Int
    var address: UInt64
    var size: UInt64
  }

  /// Reads names of symbols. In a broken file, long names may overlap: then only as many are read as would fit into the file.
  struct SymbolNames {
    /// By address.
    private var known: [UInt64: (place: UInt64, name: String)] = [:]
    private var left: UInt64

    init(_ file: ELFFile) { left = file.bytes.count }

    mutating func name(of symbol: SymbolEntry) -> String? {
      if let known = known[symbol.address], known.place == symbol.name { return known.name }
      let longest = Int(min(left, 1 << 16))
      let name = symbol.names.string(at: symbol.name, longest: longest)
      left -= UInt64(min(longest, name?.utf8.count ?? longest))
      let unversioned = name.map(Self.withoutVersion)
      known[symbol.address] = unversioned.map { (symbol.name, $0) }
      return unversioned
    }

    /// GNU ld writes `name@VERSION` and `name@@VERSION` into .symtab. In .dynsym, the version is elsewhere.
    private static func withoutVersion(_ name: String) -> String {
      guard let mark = name.utf8.firstIndex(of: UInt8(ascii: "@")), mark > name.startIndex else { return name }
      return String(name[..<mark])
    }
  }

  /// Calls `body` for each entry of the symbol tables of a type (a file has one), up to the first incomplete one.
  func forEachSymbol(ofType type: UInt32, _ body: (SymbolEntry) -> Void) {
    for section in sections where section.type == type { forEachSymbol(of: section, body) }
  }

  private func forEachSymbol(of section: Section, _ body: (SymbolEntry) -> Void) {
    guard section.entrySize >= 24, let table = content(of: section), sections.indices.contains(Int(section.link)),
      let names = content(of: sections[Int(section.link)])
    else { return }
    for index in 0..<section.size / section.entrySize {
      let at = index * section.entrySize
      guard let name = table.read(UInt32.self, at: at), let info = table.read(UInt8.self, at: at + 4),
        let home = table.read(UInt16.self, at: at + 6), let address = table.read(UInt64.self, at: at + 8),
        let size = table.read(UInt64.self, at: at + 16)
      else { return }
      body(
        SymbolEntry(
          names: names, name: UInt64(name), type: info & 15, isGlobal: info >> 4 != 0, section: Int(home),
          address: address, size: size))
    }
  }
}
