// SPDX-License-Identifier: Apache-2.0

/// The strings of a profile, or of one of its threads. One becomes a string of the trace when it is used first.
///
/// A file can list a string in three bytes, and use none. So a string takes four bytes until then: its place in the file,
/// or its id in the trace. A profile has at most 256 MiB, so both leave the upper bit free.
final class FirefoxStrings {
  private let array: UnsafeRawBufferPointer
  private var entries: [UInt32] = []
  private static let isUsed: UInt32 = 1 << 31

  init(_ view: JSONView) {
    array = view.bytes
    // Room that is not used costs address space only.
    entries.reserveCapacity(view.bytes.count / 3)
    view.forEachElement { element in
      entries.append(UInt32(truncatingIfNeeded: (element.bytes.baseAddress ?? array.baseAddress!) - array.baseAddress!))
    }
  }

  /// The name of a function, or a path; nil for a row that there is not, and if the trace has too many names.
  func frameName(_ row: Int32, _ builder: inout TraceBuilder) -> StringID? {
    find(row) { $0.frameName(&builder) }
  }

  /// The string of a row; nil for a row that there is not.
  func string(_ row: Int32, _ builder: inout TraceBuilder) -> StringID? {
    find(row) { $0.intern(&builder.trace.strings) }
  }

  private func find(_ row: Int32, _ read: (JSONView) -> StringID?) -> StringID? {
    guard entries.indices.contains(Int(row)) else { return nil }
    let entry = entries[Int(row)]
    if entry & Self.isUsed != 0 { return StringID(rawValue: entry & ~Self.isUsed) }
    var scanner = JSONScanner(array.from(Int(entry)))
    guard let value = try? scanner.skipValue(), let id = read(JSONView(bytes: value)) else { return nil }
    entries[Int(row)] = id.rawValue | Self.isUsed
    return id
  }
}
