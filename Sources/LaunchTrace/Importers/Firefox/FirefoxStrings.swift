// SPDX-License-Identifier: Apache-2.0

/// The strings of a profile, or of one of its threads. One becomes a string of the trace when it is used first.
final class FirefoxStrings {
  private let array: UnsafeRawBufferPointer
  private var entries: UnreadEntries

  init(_ view: JSONView) {
    let array = view.bytes
    var entries = UnreadEntries(most: array.count / 3)
    view.forEachElement { element in
      entries.append(place: (element.bytes.baseAddress ?? array.baseAddress!) - array.baseAddress!)
    }
    (self.array, self.entries) = (array, entries)
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
    let row = UInt64(bitPattern: Int64(row))
    switch entries[row] {
    case nil: return nil
    case .read(let id): return StringID(rawValue: id)
    case .unread(let place):
      var scanner = JSONScanner(array.from(place))
      guard let value = try? scanner.skipValue(), let id = read(JSONView(bytes: value)) else { return nil }
      entries.set(row, id.rawValue)
      return id
    }
  }
}
