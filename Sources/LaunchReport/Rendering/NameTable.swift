internal import LaunchTrace

/// The names of a trace, escaped once for a format: bytes in one pool, by string id.
struct NameTable {
  private var pool: [UInt8] = []
  private var offsets: [Int] = [0]
  /// Names that a CSV field must quote.
  private(set) var needsQuotes: [Bool] = []

  init(_ strings: StringTable, escape: (String) -> String) {
    offsets.reserveCapacity(strings.count + 1)
    needsQuotes.reserveCapacity(strings.count)
    for row in 0..<strings.count {
      let name = escape(strings[StringID(rawValue: UInt32(row))])
      pool.append(contentsOf: name.utf8)
      offsets.append(pool.count)
      needsQuotes.append(name.utf8.contains { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") })
    }
  }

  @inline(__always)
  func append(_ id: UInt32, to output: inout OutputBuffer) {
    let row = Int(id)
    pool.withUnsafeBytes { bytes in
      output.append(UnsafeRawBufferPointer(rebasing: bytes[offsets[row]..<offsets[row + 1]]))
    }
  }

  func firstByte(_ id: UInt32) -> UInt8? {
    let row = Int(id)
    return offsets[row] < offsets[row + 1] ? pool[offsets[row]] : nil
  }
}
