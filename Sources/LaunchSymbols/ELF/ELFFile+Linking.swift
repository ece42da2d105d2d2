// SPDX-License-Identifier: Apache-2.0

/// The loader's work for a file, counted from the file alone (System V ABI, chapter 5; elf(5)).
extension ELFFile {
  /// More libraries, and a longer path, than the loader takes.
  private static let mostStrings = 4096
  private static let longestPath = 4096

  /// The libraries that the file needs (DT_NEEDED), in its order.
  package var neededLibraries: [String] {
    guard let dynamic = sections.first(where: { $0.type == SectionType.dynamic }), let table = content(of: dynamic),
      sections.indices.contains(Int(dynamic.link)), let names = content(of: sections[Int(dynamic.link)])
    else { return [] }
    var result: [String] = []
    for at in stride(from: 0, to: table.count, by: 16) where result.count < Self.mostStrings {
      guard let found = table.read(UInt64.self, at: at), let value = table.read(UInt64.self, at: at + 8), found != 0
      else { break }
      if found == 1, let name = names.string(at: value, longest: Self.longestPath) { result.append(name) }
    }
    return result
  }

  /// Relocations that the loader applies.
  package var relocationCount: Int64 {
    // Sections for other tools are not loaded and have no address.
    sections.filter { $0.address != 0 }.reduce(0) { sum, section in
      switch section.type {
      case SectionType.relocations: sum + Int64(clamping: section.size / max(24, section.entrySize))
      case SectionType.packedRelocations: sum + packedRelocations(section)
      default: sum
      }
    }
  }

  /// The number of functions that run before `main`, from their arrays.
  package var initializerCount: Int64 {
    sections.filter { $0.type == SectionType.initializers || $0.type == SectionType.earlyInitializers }
      .reduce(0) { $0 + Int64(clamping: $1.size / 8) }
  }

  /// The size of the file, bytes.
  package var size: Int64 { Int64(clamping: bytes.count) }

  /// The compilers and linkers that wrote their names into the file (`.comment`), each once.
  package var toolchain: String? {
    guard let text = section(named: ".comment").flatMap(content(of:)) else { return nil }
    var found: Set<String> = []
    var at: UInt64 = 0
    while at < text.count, found.count < 8, let line = text.string(at: at) {
      if !line.isEmpty { found.insert(String(line.prefix(160))) }
      at += UInt64(line.utf8.count) + 1
    }
    return found.isEmpty ? nil : found.sorted().joined(separator: "; ")
  }

  /// An even entry is an address. An odd entry is a bitmap of 63 more addresses.
  private func packedRelocations(_ section: Section) -> Int64 {
    guard let table = content(of: section) else { return 0 }
    return stride(from: 0, to: table.count, by: 8).reduce(0) { sum, at in
      guard let entry = table.read(UInt64.self, at: at) else { return sum }
      return sum + (entry & 1 == 0 ? 1 : Int64((entry >> 1).nonzeroBitCount))
    }
  }
}
