// SPDX-License-Identifier: Apache-2.0

extension ELFFile {
  /// How relocations of a machine say that a slot gets an address of the same file (psABIs of x86-64 and AArch64).
  private struct PointerTypes {
    /// The load bias plus the addend.
    var relative: UInt32
    /// A symbol's address, and a symbol's address plus the addend.
    var ofSymbol: [UInt32]

    init?(machine: UInt16) {
      switch machine {
      case 62: (relative, ofSymbol) = (8, [1, 6])
      case 183: (relative, ofSymbol) = (1027, [257, 1025])
      default: return nil
      }
    }
  }

  /// The virtual address to which the pointer at a virtual address leads after relocation; nil if it leads out of the
  /// file, or to nothing.
  package func pointer(at slot: UInt64) -> UInt64? {
    guard let types = PointerTypes(machine: machine) else { return nil }
    for section in sections where section.type == SectionType.relocations && section.entrySize >= 24 {
      guard let table = content(of: section) else { continue }
      for at in stride(from: 0, to: table.count, by: Int(clamping: section.entrySize)) {
        guard table.read(UInt64.self, at: at) == slot, let info = table.read(UInt64.self, at: at + 8),
          let addend = table.read(UInt64.self, at: at + 16)
        else { continue }
        let type = UInt32(truncatingIfNeeded: info)
        if type == types.relative { return addend }
        guard types.ofSymbol.contains(type), let symbol = definedAddress(info >> 32, of: section) else { return nil }
        return symbol &+ addend
      }
    }
    // The linker has filled it. Packed relocations (SHT_RELR) have their addends there, too.
    let content = content(at: slot, count: 8)
    guard content.count == 8 else { return nil }
    let address = content.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return address == 0 ? nil : address
  }

  /// The address of a symbol that this file defines, by its number.
  private func definedAddress(_ number: UInt64, of relocations: Section) -> UInt64? {
    guard sections.indices.contains(Int(relocations.link)) else { return nil }
    let symbols = sections[Int(relocations.link)]
    guard symbols.entrySize >= 24, number < symbols.size / symbols.entrySize, let table = content(of: symbols),
      table.read(UInt16.self, at: number * symbols.entrySize + 6) != 0
    else { return nil }
    return table.read(UInt64.self, at: number * symbols.entrySize + 8)
  }
}
