// SPDX-License-Identifier: Apache-2.0

extension RustDemangler {
  enum PathPlace {
    case type
    /// Generic arguments have `::` before them.
    case value
  }

  mutating func path(_ place: PathPlace) {
    nested { _ = $0.openPath(place, leavesOpen: false) }
  }

  /// - Parameter leavesOpen: whether to leave out `>`, because associated types of a trait follow.
  /// - Returns: whether `>` is missing.
  private mutating func openPath(_ place: PathPlace, leavesOpen: Bool) -> Bool {
    switch take() {
    case "C":
      _ = optionalBase62("s")
      write(identifier())
    case "M":
      implementation()
      write("<")
      type()
      write(">")
    case "X":
      implementation()
      implementedTrait()
    case "Y": implementedTrait()
    case "N": nestedName(place)
    case "I":
      path(place)
      write(place == .type ? "<" : "::<")
      _ = list { $0.genericArgument() }
      if leavesOpen { return true }
      write(">")
    case "B":
      var isOpen = false
      referBack { demangler in demangler.nested { isOpen = $0.openPath(place, leavesOpen: leavesOpen) } }
      return isOpen
    default: fail()
    }
    return false
  }

  /// The path of an `impl`, which says nothing that its type does not.
  private mutating func implementation() {
    silently {
      _ = $0.optionalBase62("s")
      $0.path(.value)
    }
  }

  private mutating func implementedTrait() {
    write("<")
    type()
    write(" as ")
    path(.type)
    write(">")
  }

  private mutating func nestedName(_ place: PathPlace) {
    let namespace = take()
    path(place)
    let number = optionalBase62("s")
    let name = identifier()
    switch namespace {
    case "A"..."Z":
      // What the compiler made: `{closure#0}`, `{shim:vtable#0}`.
      let kind = namespace == "C" ? "closure" : namespace == "S" ? "shim" : String(namespace)
      write("::{\(kind)\(name.isEmpty ? "" : ":\(name)")#\(number)}")
    case "a"..."z": if !name.isEmpty { write("::\(name)") }
    default: fail()
    }
  }

  private mutating func genericArgument() {
    if take("L") {
      lifetime(base62())
    } else if take("K") {
      constant()
    } else {
      type()
    }
  }

  /// The trait of a `dyn`, with its associated types: `Iterator<Item = u8>`.
  mutating func dynamicTrait() {
    var isOpen = false
    nested { isOpen = $0.openPath(.type, leavesOpen: true) }
    while take("p") {
      write(isOpen ? ", " : "<")
      isOpen = true
      write("\(identifier()) = ")
      type()
    }
    if isOpen { write(">") }
  }

  /// `for<'a, 'b> `, if it comes next. Its lifetimes have names inside `body`.
  mutating func withBinder(_ body: (inout RustDemangler) -> Void) {
    let before = boundLifetimes
    let count = optionalBase62("G")
    // A real function has few.
    if count > 256 { fail() }
    if !isWrong, count > 0 {
      write("for<")
      for index in 0..<Int(count) {
        if index > 0 { write(", ") }
        boundLifetimes += 1
        lifetime(1)
      }
      write("> ")
    }
    body(&self)
    boundLifetimes = before
  }

  /// 0 for an erased one; 1 for the innermost.
  mutating func lifetime(_ index: UInt64) {
    guard index > 0 else { return write("'_") }
    guard index <= UInt64(boundLifetimes) else { return fail() }
    let number = boundLifetimes - Int(index)
    write(number < 26 ? "'\(Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8(number))))" : "'z\(number - 25)")
  }
}
