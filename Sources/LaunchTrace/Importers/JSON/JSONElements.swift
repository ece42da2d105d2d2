// SPDX-License-Identifier: Apache-2.0

/// The elements of an array, one after the other. A value of another type has none, and after a broken place come no more.
struct JSONElements: Sequence, IteratorProtocol {
  private var scanner: JSONScanner
  private var isAtEnd: Bool

  init(_ array: JSONView) {
    scanner = JSONScanner(array.bytes)
    isAtEnd = !array.isArray
    if !isAtEnd { scanner.take() }
  }

  mutating func next() -> JSONView? {
    while !isAtEnd, let byte = try? scanner.peek(), byte != UInt8(ascii: "]") {
      if byte == UInt8(ascii: ",") {
        scanner.take()
        continue
      }
      guard let element = try? scanner.skipValue() else { break }
      return JSONView(bytes: element)
    }
    isAtEnd = true
    return nil
  }
}
