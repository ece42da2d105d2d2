// SPDX-License-Identifier: Apache-2.0

/// An answer in ClickHouse's format RowBinary: values one after the other, without names.
struct RowBinary {
  private let bytes: [UInt8]
  private let server: String
  private var place = 0

  init(_ bytes: [UInt8], of server: String) { (self.bytes, self.server) = (bytes, server) }

  var isAtEnd: Bool { place == bytes.count }

  /// The length of a text or an array: never more than what is left.
  mutating func count() throws(FleetError) -> Int {
    var (value, shift) = (0, 0)
    while place < bytes.count, shift < 56 {
      let byte = bytes[place]
      place += 1
      value |= Int(byte & 0x7f) << shift
      if byte < 0x80 {
        guard value <= bytes.count - place else { break }
        return value
      }
      shift += 7
    }
    throw malformed()
  }

  mutating func text() throws(FleetError) -> String {
    let count = try count()
    defer { place += count }
    return String(decoding: bytes[place..<place + count], as: UTF8.self)
  }

  /// A number of the type `UInt32`.
  mutating func number() throws(FleetError) -> UInt32 {
    guard bytes.count - place >= 4 else { throw malformed() }
    defer { place += 4 }
    return (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << (8 * UInt32($1)) }
  }

  mutating func numbers() throws(FleetError) -> [UInt32] {
    var numbers: [UInt32] = []
    for _ in 0..<(try count()) { numbers.append(try number()) }
    return numbers
  }

  private func malformed() -> FleetError {
    FleetError(.refused, path: server, message: "the answer is not a table; is this ClickHouse's HTTP port (8123)?")
  }
}
