// SPDX-License-Identifier: Apache-2.0

/// What a program wrote to the kernel's trace marker in atrace's (systrace's) form: `B|pid|name`, `E|pid`,
/// `C|pid|name|value`, `S|pid|name|cookie`, `F|…`, `I|pid|name`, `N|pid|track|name`, `G|pid|track|name|cookie`,
/// `H|pid|track|cookie`.
struct AtracePoint {
  var phase: UInt8
  /// 0 if it is not said.
  var processID: Int32 = 0
  var name: UnsafeRawBufferPointer
  var track: UnsafeRawBufferPointer
  var value: Int64 = 0

  /// Nil for text of another form.
  init?(_ text: UnsafeRawBufferPointer) {
    var text = text
    while let last = text.last, last == UInt8(ascii: "\n") || last == 0 {
      text = UnsafeRawBufferPointer(rebasing: text.dropLast())
    }
    var rest = text
    let letter = Self.field(&rest)
    guard let first = letter.first else { return nil }
    phase = first
    let process = Self.integer(Self.field(&rest))
    processID = Int32(truncatingIfNeeded: process ?? 0)
    name = UnsafeRawBufferPointer(rebasing: rest.prefix(0))
    track = name
    if first == UInt8(ascii: "E") { return }
    guard process != nil else { return nil }
    if "NGH".utf8.contains(first) { track = Self.field(&rest) }
    switch first {
    case UInt8(ascii: "B"): name = rest
    case UInt8(ascii: "I"), UInt8(ascii: "N"): name = Self.field(&rest)
    case UInt8(ascii: "S"), UInt8(ascii: "F"), UInt8(ascii: "C"), UInt8(ascii: "G"):
      name = Self.field(&rest)
      guard let number = Self.integer(Self.field(&rest)) else { return nil }
      value = number
    case UInt8(ascii: "H"):
      let (third, fourth) = (Self.field(&rest), Self.field(&rest))
      guard let number = Self.integer(fourth.isEmpty ? third : fourth) else { return nil }
      value = number
    default: return nil
    }
    if name.isEmpty, first != UInt8(ascii: "B"), first != UInt8(ascii: "H") { return nil }
  }

  private static func field(_ rest: inout UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let end = rest.firstIndex(of: UInt8(ascii: "|")) ?? rest.count
    defer { rest = rest.from(end + 1) }
    return rest.to(end)
  }

  private static func integer(_ text: UnsafeRawBufferPointer) -> Int64? {
    text.count > 20 ? nil : Int64(String(decoding: text, as: UTF8.self))
  }
}
