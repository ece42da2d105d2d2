// SPDX-License-Identifier: Apache-2.0

internal import CLaunchZlib

/// The location of a stripped file's debug information (section `.gnu_debuglink`).
struct DebugLink: Equatable {
  /// Name of the debug file, without a directory.
  var name: String
  /// CRC-32 of its content.
  var checksum: UInt32
}

extension ELFFile {
  /// Whether it contains DWARF, for source lines and inlined functions.
  package var hasDebugInformation: Bool {
    section(named: ".debug_info") != nil || section(named: ".zdebug_info") != nil
  }

  /// Whether it has more names than the loader needs.
  var hasSymbolTable: Bool { sections.contains { $0.type == SectionType.symbols } }

  var debugLink: DebugLink? {
    guard let section = section(named: ".gnu_debuglink"), let content = content(of: section),
      let name = content.string(at: 0), !name.isEmpty, !name.contains("/"),
      let checksum = content.read(UInt32.self, at: (UInt64(name.utf8.count) + 4) & ~3)
    else { return nil }
    return DebugLink(name: name, checksum: checksum)
  }

  /// CRC-32 of the whole file, as in a debug link; nil if the file cannot be read.
  var checksum: UInt32? {
    bytes[0, bytes.count].map { whole in
      UInt32(truncatingIfNeeded: crc32_z(0, whole.bytes.bindMemory(to: UInt8.self).baseAddress, whole.bytes.count))
    }
  }
}
