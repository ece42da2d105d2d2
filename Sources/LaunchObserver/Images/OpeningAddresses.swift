internal import LaunchSymbols

/// Where `dlopen` begins and returns in a process: the loader tells only when it has mapped what was asked for, not when
/// that is relocated and initialised.
struct OpeningAddresses {
  let function: UInt64
  let returns: [UInt64]
  /// `dlopen` is seen to begin and to return.
  private(set) var isComplete = false

  /// Records are looked through for the C library as long as they are few.
  static let mostBytes = 4 << 20

  /// nil as long as no library with `dlopen` is mapped, or when its code is not understood.
  init?(_ mappings: [PerfEvents.Mapping], images: ImageCache) {
    // Before glibc 2.34 it is in a library of its own.
    let library = mappings.last { mapping in
      let name = fileName(mapping.path)
      return name.hasPrefix("libc.so") || name.hasPrefix("libdl.so")
    }
    guard let library, let image = images.image(library.path), let start = image.address(ofOffset: library.offset),
      let code = images.openingCode(library.path)
    else { return nil }
    let bias = library.address &- start
    function = code.function &+ bias
    returns = code.returns.map { $0 &+ bias }
  }

  /// Breaks in there, on all threads that are made from now on, too.
  mutating func set(by perf: PerfSession) {
    isComplete = (returns + [function]).allSatisfy { perf.addBreakpoint($0, isInherited: true) }
  }
}

/// Where `dlopen` begins and returns in the file of a C library. Virtual addresses.
struct OpeningCode {
  let function: UInt64
  let returns: [UInt64]

  init?(path: String) {
    guard let file = try? ELFFile(path: path), let function = file.address(ofFunction: "dlopen"),
      let symbol = file.symbol(at: function), symbol.size < 4096
    else { return nil }
    let code = file.content(at: function, count: symbol.size)
    self.function = function
    returns = ReturnCode.offsets(code, machine: file.machine).prefix(2).map { function &+ UInt64($0) }
    if returns.isEmpty { return nil }
  }
}

/// Finds where a function returns.
enum ReturnCode {
  /// Offsets in the code of return instructions.
  static func offsets(_ code: [UInt8], machine: UInt16) -> [Int] {
    switch machine {
    case 62: code.indices.filter { code[$0] == 0xc3 && isBehindEpilogue(code, $0) }
    // ret
    case 183:
      stride(from: 0, to: code.count - 3, by: 4).filter { Array(code[$0..<$0 + 4]) == [0xc0, 0x03, 0x5f, 0xd6] }
    default: []
    }
  }

  /// pop of a register, leave, or add to the stack pointer: elsewhere the byte is a part of another instruction.
  private static func isBehindEpilogue(_ code: [UInt8], _ at: Int) -> Bool {
    if at >= 1, (0x58...0x5f).contains(code[at - 1]) || code[at - 1] == 0xc9 { return true }
    return at >= 4 && code[at - 4] == 0x48 && code[at - 3] == 0x83 && code[at - 2] == 0xc4
  }
}
