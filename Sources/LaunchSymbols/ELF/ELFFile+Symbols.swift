// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

extension ELFFile {
  /// The function at each virtual address; nil if there is none.
  ///
  /// The tables are read once for all addresses, and nothing is kept, because they have tens of thousands of entries
  /// and a launch needs a few dozen.
  package func symbols(at addresses: [UInt64]) -> [Symbol?] {
    let wanted = Array(Set(addresses)).sorted()
    // A tree: the last half of its nodes are the addresses, and node n is above 2n and 2n + 1. A symbol is kept in the few nodes
    // that are above the addresses that it covers, and no others. So large symbols take no more time than small ones.
    var best = [SymbolEntry?](repeating: nil, count: 2 * wanted.count)
    // .symtab first. Unless the file is stripped, it contains everything in .dynsym.
    for type in [SectionType.symbols, SectionType.dynamicSymbols] { walk(type, wanted, &best) }
    var names = SymbolNames(self)
    return addresses.map { address in
      var node = wanted.count + wanted.partitioningIndex { $0 >= address }
      var found: SymbolEntry?
      while node > 0 {
        if let symbol = best[node], found.map(symbol.isBetter) ?? true { found = symbol }
        node /= 2
      }
      return found.flatMap { symbol in
        names.name(of: symbol).map { Symbol(mangledName: $0, address: symbol.address, size: symbol.size) }
      }
    }
  }

  /// The symbol at an address, demangled with `Symbol.name`.
  package func symbol(at address: UInt64) -> Symbol? { symbols(at: [address])[0] }

  /// A function, an indirect function, or a label of assembly such as `_init`; not an undefined symbol (section 0).
  private func isFunction(_ type: UInt8, in section: Int) -> Bool {
    switch type {
    case 2, 10: section != 0
    case 0: section != 0 && sections.indices.contains(section) && sections[section].isCode
    default: false
    }
  }

  /// A symbol that says where code and data begin, in files for arm64 and RISC-V (their psABIs): `$x`, `$d`, `$x.…`.
  private func isMapping(_ symbol: SymbolEntry) -> Bool {
    guard symbol.type == 0, !symbol.isGlobal, machine == 183 || machine == 243 else { return false }
    return symbol.names.has(Array("$x".utf8), at: symbol.name) || symbol.names.has(Array("$d".utf8), at: symbol.name)
  }

  private func walk(_ type: UInt32, _ wanted: [UInt64], _ best: inout [SymbolEntry?]) {
    forEachSymbol(ofType: type) { symbol in
      guard isFunction(symbol.type, in: symbol.section), symbol.name != 0, !isMapping(symbol) else { return }
      // A symbol without a size covers only its first byte.
      let (sum, overflow) = symbol.address.addingReportingOverflow(max(symbol.size, 1))
      let end = overflow ? .max : sum
      let first = wanted.partitioningIndex { $0 >= symbol.address }
      guard first < wanted.count, wanted[first] < end else { return }
      var nodes = wanted.count + first..<wanted.count + wanted.partitioningIndex { $0 >= end }
      func offer(_ node: Int) { if best[node].map(symbol.isBetter) ?? true { best[node] = symbol } }
      while !nodes.isEmpty {
        if nodes.lowerBound & 1 == 1 { offer(nodes.lowerBound) }
        if nodes.upperBound & 1 == 1 { offer(nodes.upperBound - 1) }
        nodes = (nodes.lowerBound + 1) / 2..<max((nodes.lowerBound + 1) / 2, nodes.upperBound / 2)
      }
    }
  }
}

extension ELFFile.SymbolEntry {
  /// The innermost symbol. If a function has several names, an exported one.
  fileprivate func isBetter(than other: Self) -> Bool {
    if address != other.address { return address > other.address }
    if size != other.size { return other.size == 0 || (size != 0 && size < other.size) }
    return isGlobal && !other.isGlobal
  }
}
