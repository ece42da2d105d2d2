// SPDX-License-Identifier: Apache-2.0

extension RustDemangler {
  private static let basicTypes: [Character: String] = [
    "a": "i8", "b": "bool", "c": "char", "d": "f64", "e": "str", "f": "f32", "h": "u8", "i": "isize", "j": "usize",
    "l": "i32", "m": "u32", "n": "i128", "o": "u128", "p": "_", "s": "i16", "t": "u16", "u": "()", "v": "...",
    "x": "i64", "y": "u64", "z": "!",
  ]

  mutating func type() {
    nested { $0.typeInside() }
  }

  private mutating func typeInside() {
    let start = position
    let tag = take()
    if let name = Self.basicTypes[tag] { return write(name) }
    switch tag {
    case "A":
      write("[")
      type()
      write("; ")
      constant()
      write("]")
    case "S":
      write("[")
      type()
      write("]")
    case "T":
      write("(")
      if list(", ", { $0.type() }) == 1 { write(",") }
      write(")")
    case "R", "Q":
      write("&")
      if take("L") {
        let index = base62()
        if index > 0 {
          lifetime(index)
          write(" ")
        }
      }
      if tag == "Q" { write("mut ") }
      type()
    case "P", "O":
      write(tag == "P" ? "*const " : "*mut ")
      type()
    case "F": functionType()
    case "D":
      write("dyn ")
      withBinder { demangler in _ = demangler.list(" + ") { $0.dynamicTrait() } }
      guard take("L") else { return fail() }
      let index = base62()
      if index > 0 {
        write(" + ")
        lifetime(index)
      }
    case "B": referBack { $0.type() }
    default:
      position = isWrong ? position : start
      path(.type)
    }
  }

  private mutating func functionType() {
    withBinder { demangler in
      if demangler.take("U") { demangler.write("unsafe ") }
      if demangler.take("K") {
        let convention = demangler.take("C") ? "C" : demangler.identifier()
        demangler.write("extern \"\(convention.replacing("_", with: "-"))\" ")
      }
      demangler.write("fn(")
      _ = demangler.list { $0.type() }
      demangler.write(")")
      // It returns nothing.
      if demangler.take("u") { return }
      demangler.write(" -> ")
      demangler.type()
    }
  }

  // MARK: Constants

  mutating func constant() {
    nested { $0.constantInside() }
  }

  private mutating func constantInside() {
    switch take() {
    case "p": write("_")
    case "a", "s", "l", "x", "n", "i":
      if take("n") { write("-") }
      integer()
    case "h", "t", "m", "y", "o", "j": integer()
    case "b":
      switch hexadecimal() {
      case "0": write("false")
      case "1": write("true")
      default: fail()
      }
    case "c":
      guard let code = UInt32(hexadecimal(), radix: 16), let scalar = Unicode.Scalar(code) else { return fail() }
      write("'\(scalar.escaped(asASCII: false))'")
    case "B": referBack { $0.constant() }
    // Strings and values of structures are rare.
    default: fail()
    }
  }

  private mutating func integer() {
    let digits = hexadecimal()
    // Larger ones stay hexadecimal.
    write(UInt64(digits, radix: 16).map { String($0) } ?? "0x\(digits)")
  }

  /// Digits before `_`; `0` for none.
  private mutating func hexadecimal() -> String {
    var digits = ""
    while !isWrong, !take("_") {
      let digit = take()
      guard digit.isHexDigit, !digit.isUppercase else { return fail("") }
      digits.append(digit)
    }
    return digits.isEmpty ? "0" : digits
  }
}
