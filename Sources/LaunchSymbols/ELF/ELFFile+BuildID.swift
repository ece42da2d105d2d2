// SPDX-License-Identifier: Apache-2.0

extension ELFFile {
  /// The build id, hexadecimal, from the sections, or from the segments if the sections were stripped.
  static func buildID(_ bytes: FileContent, _ sections: [Section]) -> String? {
    // PT_NOTE
    let segments = sections.isEmpty ? programHeaders(bytes).filter { $0.type == 4 }.map(\.segment) : []
    let notes =
      segments.map { ($0.offset, $0.fileSize) }
      + sections.filter { $0.type == SectionType.note }.map { ($0.offset, $0.size) }
    return notes.lazy.compactMap { offset, size in bytes[offset, size].flatMap(buildID(in:)) }.first
  }

  /// The note `GNU` of type 3 (NT_GNU_BUILD_ID).
  private static func buildID(in notes: ByteRange) -> String? {
    var at: UInt64 = 0
    while let nameSize = notes.read(UInt32.self, at: at), let size = notes.read(UInt32.self, at: at + 4),
      let type = notes.read(UInt32.self, at: at + 8)
    {
      let description = at + 12 + padded(nameSize)
      if type == 3, notes.has(Array("GNU\0".utf8), at: at + 12) { return notes[description, UInt64(size)]?.hexadecimal }
      at = description + padded(size)
    }
    return nil
  }

  private static func padded(_ size: UInt32) -> UInt64 { (UInt64(size) + 3) & ~3 }
}
