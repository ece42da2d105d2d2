// SPDX-License-Identifier: Apache-2.0

/// Names with letters that linkers do not have: RFC 3492, with `_` instead of `-` between the plain letters and the rest.
enum Punycode {
  /// nil if `text` is not Punycode.
  static func decode(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    let separator = bytes.lastIndex(of: UInt8(ascii: "_"))
    var scalars = bytes[..<(separator ?? 0)].map { Unicode.Scalar($0) }
    var (code, bias, index) = (128, 72, 0)
    var rest = bytes[(separator.map { $0 + 1 } ?? 0)...]
    while !rest.isEmpty {
      let before = index
      var (weight, limit) = (1, 36)
      while true {
        guard let digit = rest.popFirst().flatMap(digit) else { return nil }
        // Far above all that a name can hold.
        guard index < 1 << 40, weight < 1 << 40 else { return nil }
        index += digit * weight
        let threshold = min(max(limit - bias, 1), 26)
        if digit < threshold { break }
        weight *= 36 - threshold
        limit += 36
      }
      let count = scalars.count + 1
      bias = adapt(index - before, count, isFirst: before == 0)
      code += index / count
      index %= count
      guard let value = UInt32(exactly: code), let scalar = Unicode.Scalar(value) else { return nil }
      scalars.insert(scalar, at: index)
      index += 1
    }
    var decoded = String.UnicodeScalarView()
    decoded.append(contentsOf: scalars)
    return String(decoded)
  }

  private static func digit(_ byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a"))
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0")) + 26
    default: nil
    }
  }

  private static func adapt(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
    var (delta, steps) = (isFirst ? delta / 700 : delta / 2, 0)
    delta += delta / count
    while delta > 455 {
      delta /= 35
      steps += 36
    }
    return steps + 36 * delta / (delta + 38)
  }
}
