// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// The unwind table of an ELF file: `.eh_frame`, found by its index `.eh_frame_hdr` as the loader finds it, else by its section.
///
/// The file is not trusted: a broken table gives wrong rules or none, and a lookup takes bounded time.
package struct UnwindTable: Sendable {
  private let file: ELFFile
  /// Where `.eh_frame` lies in the file, and its virtual address.
  private let range: (offset: UInt64, size: UInt64)
  private let address: UInt64
  /// Sorted by the address of the function.
  private let index: Index

  private enum Index {
    /// A part of the file: pairs of distances from the virtual address `base`.
    case sorted(offset: UInt64, count: UInt64, base: UInt64)
    case built([(start: UInt64, offset: UInt64)])
  }

  /// Entries of one table. The largest libraries have some hundred thousand.
  private static let mostEntries: UInt64 = 1 << 22
  /// The largest `.eh_frame` that is read. The largest browsers have 20 MiB.
  private static let mostBytes: UInt64 = 64 << 20

  /// nil if the file has no table.
  package init?(_ file: ELFFile) {
    self.file = file
    if let (index, start) = Self.header(file), let range = file.rest(at: start) {
      (self.index, address) = (index, start)
      self.range = (range.offset, min(range.size, Self.mostBytes))
    } else if let section = file.section(named: ".eh_frame"), section.size <= Self.mostBytes {
      (range, address) = ((section.offset, section.size), section.address)
      guard let section = Self.section(file, range, address) else { return nil }
      index = .built(Self.entries(section))
    } else {
      return nil
    }
  }

  /// The rule for the instruction at a virtual address; nil where the table says nothing.
  package func rule(at target: UInt64) -> UnwindRule? {
    entry(covering: target).flatMap { UnwindProgram.rule(of: $0, at: target) }
  }

  /// The virtual address at which the function around a virtual address begins; nil where the table says nothing.
  ///
  /// A part of a function that the compiler moved elsewhere has an entry of its own.
  package func functionStart(at target: UInt64) -> UInt64? { entry(covering: target)?.start }

  private func entry(covering target: UInt64) -> UnwindEntry? {
    guard let offset = offset(at: target), let section = Self.section(file, range, address),
      let entry = UnwindEntry(section, at: offset), entry.start <= target, target < entry.end
    else { return nil }
    return entry
  }

  private static func section(
    _ file: ELFFile, _ range: (offset: UInt64, size: UInt64), _ address: UInt64
  ) -> UnwindSection? {
    file.bytes[range.offset, range.size].map { UnwindSection(bytes: $0, address: address) }
  }

  // MARK: The index

  /// `.eh_frame_hdr`: {version 1, encodings, address of .eh_frame, count, pairs}
  private static func header(_ file: ELFFile) -> (Index, UInt64)? {
    guard let place = file.unwindIndex, let bytes = file.bytes[place.offset, place.fileSize],
      bytes.read(UInt8.self, at: 0) == 1,
      // udata4 for the count; sdata4 relative to the index for the pairs: linkers write nothing else.
      bytes.read(UInt8.self, at: 2) == 0x03, bytes.read(UInt8.self, at: 3) == 0x3b,
      let encoding: UInt8 = bytes.read(at: 1)
    else { return nil }
    var cursor = ByteCursor(bytes, at: 4)
    let header = UnwindSection(bytes: bytes, address: place.address)
    guard let start = header.readAddress(encoding, &cursor, at: 0) else { return nil }
    let count = UInt64(cursor.read(UInt32.self))
    guard !cursor.isBroken, count > 0, count <= mostEntries, bytes[cursor.offset, count * 8] != nil else { return nil }
    return (.sorted(offset: place.offset + cursor.offset, count: count, base: place.address), start)
  }

  /// Every entry of a file without an index, one after the other.
  private static func entries(_ section: UnwindSection) -> [(start: UInt64, offset: UInt64)] {
    var found: [(start: UInt64, offset: UInt64)] = []
    var offset: UInt64 = 0
    while found.count < mostEntries, let size: UInt32 = section.bytes.read(at: offset), size >= 4, size < 0xffff_fff0 {
      if let entry = UnwindEntry(section, at: offset) { found.append((entry.start, offset)) }
      offset += UInt64(size) + 4
    }
    return found.sorted { $0.start < $1.start }
  }

  /// The offset in `.eh_frame` of the last entry that begins at an address or before.
  private func offset(at target: UInt64) -> UInt64? {
    switch index {
    case .built(let entries):
      let end = entries.partitioningIndex { $0.start > target }
      return end > 0 ? entries[end - 1].offset : nil
    case .sorted(let offset, let count, let base):
      guard let pairs = file.bytes[offset, count * 8] else { return nil }
      func address(_ place: Int) -> UInt64 {
        base &+ UInt64(bitPattern: Int64(pairs.read(Int32.self, at: UInt64(place)) ?? 0))
      }
      let end = (0..<Int(count)).partitioningIndex { address($0 * 8) > target }
      return end > 0 ? address((end - 1) * 8 + 4) &- self.address : nil
    }
  }
}

extension ELFFile {
  /// PT_GNU_EH_FRAME
  fileprivate var unwindIndex: Segment? { segment(ofType: 0x6474_e550) }
}
