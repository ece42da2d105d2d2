// SPDX-License-Identifier: Apache-2.0

extension ELFFile {
  /// The functions that have code in this file, by address, each address once. Assembly labels without a size are
  /// omitted, because they may point into an instruction. Empty for a file without a symbol table.
  package var functions: [Symbol] {
    var found: [UInt64: Symbol] = [:]
    var names = SymbolNames(self)
    forEachSymbol(ofType: SectionType.symbols) { symbol in
      // STT_FUNC with code in this file.
      guard symbol.type == 2, symbol.size > 0, symbol.section != 0, sections.indices.contains(symbol.section),
        sections[symbol.section].isCode, found[symbol.address] == nil, let text = names.name(of: symbol), !text.isEmpty
      else { return }
      found[symbol.address] = Symbol(mangledName: text, address: symbol.address, size: symbol.size)
    }
    return found.values.sorted { $0.address < $1.address }
  }
}
