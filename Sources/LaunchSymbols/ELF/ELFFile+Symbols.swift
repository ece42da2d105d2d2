// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

extension ELFFile {
  /// The function at each virtual address; nil if there is none.
  ///
  /// The tables are read once for all addresses, and nothing is kept, because they have tens of thousands of entries
  /// and a launch needs a few dozen.
  package func symbols(at addresses: [UInt64]) -> [Symbol?] {
    let wanted = Array(Set(addresses)).sorted()
    var best = [Candidate?](repeating: nil, count: wanted.count)
    // .symtab first. Unless the file is stripped, it contains everything in .dynsym.
    for type in [SectionType.symbols, SectionType.dynamicSymbols] {
      for section in sections where section.type == type { walk(section, wanted, &best) }
    }
    return addresses.map { address in
      let index = wanted.partitioningIndex { $0 >= address }
      guard let candidate = best[index], let name = candidate.names.string(at: candidate.name) else { return nil }
      return Symbol(mangledName: name, address: candidate.address, size: candidate.size)
    }
  }

  /// The symbol at an address, demangled with `Symbol.name`.
  package func symbol(at address: UInt64) -> Symbol? { symbols(at: [address])[0] }

  private struct Candidate {
    var names: ByteRange
    var name: UInt64
    var address: UInt64
    var size: UInt64
    var isGlobal: Bool

    /// The innermost symbol. If a function has several names, an exported one.
    func isBetter(than other: Candidate) -> Bool {
      if address != other.address { return address > other.address }
      if size != other.size { return other.size == 0 || (size != 0 && size < other.size) }
      return isGlobal && !other.isGlobal
    }
  }

  /// A function, an indirect function, or a label of assembly such as `_init`; not an undefined symbol (section 0).
  private func isFunction(_ type: UInt8, in section: Int) -> Bool {
    switch type {
    case 2, 10: section != 0
    case 0: section != 0 && sections.indices.contains(section) && sections[section].isCode
    default: false
    }
  }

  private func walk(_ section: Section, _ wanted: [UInt64], _ best: inout [Candidate?]) {
    forEachSymbol(of: section) { symbol in
      guard isFunction(symbol.type, in: symbol.section), symbol.name != 0 else { return }
      let (address, size) = (symbol.address, symbol.size)
      let candidate = Candidate(
        names: symbol.names, name: symbol.name, address: address, size: size, isGlobal: symbol.isGlobal)
      // A symbol without a size covers only its first byte.
      let (sum, overflow) = address.addingReportingOverflow(max(size, 1))
      let end = overflow ? .max : sum
      var hit = wanted.partitioningIndex { $0 >= address }
      while hit < wanted.count, wanted[hit] < end {
        if best[hit].map(candidate.isBetter) ?? true { best[hit] = candidate }
        hit += 1
      }
    }
  }
}
