extension ELFFile {
  /// A function of the file's own.
  package struct Function: Sendable, Equatable {
    /// As the compiler named it.
    package var name: String
    /// Virtual, as the file says it.
    package var address: UInt64
    package var size: UInt64
  }

  /// The functions that have code in this file, by address, each address once. Labels of assembly, which say no size, are left out:
  /// they may stand inside of an instruction. Empty for a file without a symbol table.
  package var functions: [Function] {
    var found: [UInt64: Function] = [:]
    for section in sections where section.type == SectionType.symbols { add(section, to: &found) }
    return found.values.sorted { $0.address < $1.address }
  }

  private func add(_ section: Section, to found: inout [UInt64: Function]) {
    guard section.entrySize >= 24, let table = content(of: section), sections.indices.contains(Int(section.link)),
      let names = content(of: sections[Int(section.link)])
    else { return }
    for index in 0..<section.size / section.entrySize {
      let at = index * section.entrySize
      guard let name = table.read(UInt32.self, at: at), let info = table.read(UInt8.self, at: at + 4),
        let home = table.read(UInt16.self, at: at + 6), let address = table.read(UInt64.self, at: at + 8),
        let size = table.read(UInt64.self, at: at + 16)
      else { return }
      // STT_FUNC, with code of its own.
      guard info & 15 == 2, size > 0, home != 0, sections.indices.contains(Int(home)), sections[Int(home)].isCode,
        let text = names.string(at: UInt64(name)), !text.isEmpty
      else { continue }
      if found[address] == nil { found[address] = Function(name: text, address: address, size: size) }
    }
  }
}
