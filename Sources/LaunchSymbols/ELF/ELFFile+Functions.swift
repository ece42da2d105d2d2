// SPDX-License-Identifier: Apache-2.0

extension ELFFile {
  /// A function that this file defines.
  package struct Function: Sendable, Equatable {
    /// The name that the compiler gave it.
    package var name: String
    /// Virtual address in the file.
    package var address: UInt64
    package var size: UInt64
  }

  /// The functions that have code in this file, by address, each address once. Assembly labels without a size are
  /// omitted, because they may point into an instruction. Empty for a file without a symbol table.
  package var functions: [Function] {
    var found: [UInt64: Function] = [:]
    for section in sections where section.type == SectionType.symbols { add(section, to: &found) }
    return found.values.sorted { $0.address < $1.address }
  }

  private func add(_ section: Section, to found: inout [UInt64: Function]) {
    forEachSymbol(of: section) { symbol in
      // STT_FUNC with code in this file.
      guard symbol.type == 2, symbol.size > 0, symbol.section != 0, sections.indices.contains(symbol.section),
        sections[symbol.section].isCode, let text = symbol.names.string(at: symbol.name), !text.isEmpty
      else { return }
      if found[symbol.address] == nil {
        found[symbol.address] = Function(name: text, address: symbol.address, size: symbol.size)
      }
    }
  }
}
