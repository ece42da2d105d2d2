// SPDX-License-Identifier: Apache-2.0

/// A value of a JSON document that is completely in memory. It is parsed only when it is read.
///
/// A member that the document does not have, or has in another type, is absent. No accessor fails.
package struct JSONView {
  package let bytes: UnsafeRawBufferPointer

  /// The object or array that a text consists of; nil for a text that is not one, or ends within it.
  package init?(_ text: UnsafeRawBufferPointer) {
    var scanner = JSONScanner(text)
    guard let bytes = try? scanner.skipValue() else { return nil }
    self.init(bytes: bytes)
  }

  init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The value that a file consists of.
  ///
  /// - Throws: `TraceError` for a file that is not JSON, ends within a value, or is larger than what may lie in memory.
  static func document(_ input: TraceInput) throws(TraceError) -> JSONView {
    while try input.fill() {}
    guard input.isAtEnd else {
      throw TraceError(
        .tooLarge, path: input.path,
        message: "is a JSON profile of more than \(TraceInput.largestWindow >> 20) MiB; record or export less of it")
    }
    try input.skipMark()
    var scanner = JSONScanner(input.bytes)
    do throws(JSONScanner.Failure) { return JSONView(bytes: try scanner.skipValue()) } catch {
      let offset = input.offset + (scanner.cursor - input.start)
      throw TraceError(
        .malformed, path: input.path,
        message: error == .incomplete ? "ends within a value; is the file complete?" : "is not JSON from here on",
        offset: offset)
    }
  }

  var isArray: Bool { bytes.first == UInt8(ascii: "[") }
  var isObject: Bool { bytes.first == UInt8(ascii: "{") }
  var isEmptyArray: Bool {
    var elements = JSONElements(self)
    return elements.next() == nil
  }

  // MARK: Objects and arrays

  /// Visits the members of an object. A key is the text between its quotes.
  package func forEachMember(_ body: (_ key: UnsafeRawBufferPointer, _ value: JSONView) -> Void) {
    guard isObject else { return }
    var scanner = JSONScanner(bytes)
    // Everything after a broken place is absent.
    try? scanner.forEachMember { key, scanner throws(JSONScanner.Failure) in
      body(key, JSONView(bytes: try scanner.skipValue()))
    }
  }

  /// A member of an object; the first of several.
  package subscript(name: StaticString) -> JSONView? {
    let wanted = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    var found: JSONView?
    forEachMember { key, value in
      if found == nil, key.elementsEqual(wanted) { found = value }
    }
    return found
  }

  /// Visits the elements of an array.
  package func forEachElement(_ body: (JSONView) -> Void) { JSONElements(self).forEach(body) }

  /// The elements of an array, as far as `body` makes something of them.
  package func elements<Element>(_ body: (JSONView) -> Element?) -> [Element] { JSONElements(self).compactMap(body) }

  // MARK: Scalars

  /// The bytes between the quotes of a string; nil if the value is not a string.
  private var quoted: UnsafeRawBufferPointer? {
    guard bytes.first == UInt8(ascii: "\""), bytes.count >= 2 else { return nil }
    return UnsafeRawBufferPointer(rebasing: bytes[1..<(bytes.count - 1)])
  }

  package var string: String? {
    quoted.map { JSONEscapes.withText($0) { String(decoding: $0, as: UTF8.self) } }
  }

  func intern(_ strings: inout StringTable) -> StringID {
    quoted.map { JSONEscapes.withText($0) { strings.intern(utf8: $0) } } ?? .empty
  }

  /// The name of a frame, as `TraceBuilder.frameName`.
  func frameName(_ builder: inout TraceBuilder) -> StringID? {
    guard let quoted else { return .empty }
    return JSONEscapes.withText(quoted) { builder.frameName(utf8: $0) }
  }

  package var isTrue: Bool { bytes.elementsEqual("true".utf8) }

  /// A whole number. Other numbers are rounded, and numbers that do not fit are absent.
  package var integer: Int64? {
    if let whole = bytes.decimal { return whole }
    guard let value = number?.rounded(), abs(value) < 9.2e18 else { return nil }
    return Int64(value)
  }

  /// -1 for a value that is not an index.
  var index: Int32 { bytes.decimal.flatMap { Int32(exactly: $0) } ?? -1 }

  /// Finite.
  package var number: Double? {
    guard let first = bytes.first, first == UInt8(ascii: "-") || first &- 0x30 <= 9 else { return nil }
    if let whole = bytes.decimal { return Double(whole) }
    return JSONValues.double(bytes)
  }

  // MARK: Columns

  /// The first elements of an array of indices; -1 for a value that is not an index.
  func indices(most: Int) -> [Int32] { JSONElements(self).prefix(most).map(\.index) }

  /// The first elements of an array of numbers; not a number where there is none.
  func numbers(most: Int) -> [Double] { JSONElements(self).prefix(most).map { $0.number ?? .nan } }
}

extension Double {
  /// A number of some unit as ns. What does not fit becomes the nearest number that does, which no trace keeps.
  func nanoseconds(unit: Double) -> Int64 {
    let value = (self * unit).rounded()
    if value.isNaN { return .max }
    return abs(value) < 9.2e18 ? Int64(value) : value < 0 ? .min : .max
  }
}
