// SPDX-License-Identifier: Apache-2.0

/// Reads a linker name of Rust's scheme v0: https://doc.rust-lang.org/rustc/symbol-mangling/v0.html
///
/// The text is that of LLVM's demangler: `<app::Cache<u8>>::fill`, `app::run::<app::main::{closure#0}>`. Each function
/// below reads one rule of the grammar, and appends its text. Once something is not as the scheme says, all do nothing.
struct RustDemangler {
  /// After `_R`. Back references count from there.
  let bytes: [UInt8]
  var position = 0
  private(set) var text = ""
  private(set) var isWrong = false
  /// False while it reads a part that people do not need.
  private var writes = true
  private var depth = 0
  /// Lifetimes that a `for<…>` around this part has named.
  var boundLifetimes = 0

  private static let deepest = 200
  /// A short name may stand for a very long text, because it may refer back to its parts.
  private static let longestText = 1 << 14

  init(_ name: String) { bytes = Array(name.utf8.dropFirst(2)) }

  mutating func demangle() -> String? {
    // A number here would be that of a later version.
    guard let first = bytes.first, first >= UInt8(ascii: "A"), first <= UInt8(ascii: "Z") else { return nil }
    path(.value)
    if !isWrong, let next, next != UInt8(ascii: ".") { silently { $0.path(.value) } }
    guard !isWrong, position == bytes.count || next == UInt8(ascii: ".") else { return nil }
    return text + RustName.suffix(Substring(decoding: bytes[position...], as: UTF8.self))
  }

  // MARK: Reading and writing

  var next: UInt8? { !isWrong && position < bytes.count ? bytes[position] : nil }

  mutating func take() -> Character {
    guard let byte = next else { return fail(" ") }
    position += 1
    return Character(Unicode.Scalar(byte))
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  mutating func write(_ more: String) {
    guard writes, !isWrong else { return }
    text += more
    if text.utf8.count > Self.longestText { fail() }
  }

  mutating func fail() { isWrong = true }

  /// Fails, and gives what stands for a part that cannot be read.
  mutating func fail<Part>(_ part: Part) -> Part {
    fail()
    return part
  }

  mutating func silently(_ body: (inout RustDemangler) -> Void) {
    let before = writes
    writes = false
    body(&self)
    writes = before
  }

  mutating func nested(_ body: (inout RustDemangler) -> Void) {
    depth += 1
    if depth > Self.deepest { fail() }
    if !isWrong { body(&self) }
    depth -= 1
  }

  /// Until `E`. Between the elements it writes `separator`.
  mutating func list(_ separator: String = ", ", _ element: (inout RustDemangler) -> Void) -> Int {
    var count = 0
    while !isWrong, !take("E") {
      if count > 0 { write(separator) }
      element(&self)
      count += 1
    }
    return count
  }

  /// Reads what an earlier place of the name says.
  mutating func referBack(_ body: (inout RustDemangler) -> Void) {
    let start = position - 1
    let place = base62()
    guard !isWrong, place < start else { return fail() }
    // What is not written need not be read again.
    guard writes else { return }
    let here = position
    position = Int(place)
    body(&self)
    position = here
  }

  // MARK: Numbers and identifiers

  /// `_` is 0, `0_` is 1, `Z_` is 62.
  mutating func base62() -> UInt64 {
    if take("_") { return 0 }
    var value: UInt64 = 0
    while !isWrong, !take("_") {
      let digit: UInt64
      switch take() {
      case let c where "0"..."9" ~= c: digit = UInt64(c.asciiValue! - UInt8(ascii: "0"))
      case let c where "a"..."z" ~= c: digit = UInt64(c.asciiValue! - UInt8(ascii: "a")) + 10
      case let c where "A"..."Z" ~= c: digit = UInt64(c.asciiValue! - UInt8(ascii: "A")) + 36
      default: digit = fail(0)
      }
      let (high, overflow) = value.multipliedReportingOverflow(by: 62)
      let (sum, carry) = high.addingReportingOverflow(digit)
      if overflow || carry || sum == .max { fail() }
      value = sum
    }
    return isWrong ? 0 : value + 1
  }

  /// 0 if `tag` does not come next, else the number after it plus 1.
  mutating func optionalBase62(_ tag: Unicode.Scalar) -> UInt64 {
    guard take(tag) else { return 0 }
    let value = base62()
    if value == .max { fail() }
    return isWrong ? 0 : value + 1
  }

  mutating func decimal() -> Int {
    if take("0") { return 0 }
    var value = 0
    guard let first = next, first >= UInt8(ascii: "1"), first <= UInt8(ascii: "9") else { return fail(0) }
    while let digit = next, digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") {
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
      position += 1
      if value > bytes.count { fail() }
    }
    return value
  }

  mutating func identifier() -> String {
    let isPunycode = take("u")
    let length = decimal()
    _ = take("_")
    guard !isWrong, length <= bytes.count - position else { return fail("") }
    let name = bytes[position..<position + length]
    position += length
    guard name.allSatisfy({ $0 == UInt8(ascii: "_") || Character(Unicode.Scalar($0)).isASCIILetterOrDigit }) else {
      return fail("")
    }
    let plain = String(decoding: name, as: UTF8.self)
    // Names that a program writes with letters of other languages.
    return isPunycode ? Punycode.decode(plain) ?? fail("") : plain
  }
}

extension Character {
  fileprivate var isASCIILetterOrDigit: Bool { isASCII && (isLetter || isNumber) }
}
