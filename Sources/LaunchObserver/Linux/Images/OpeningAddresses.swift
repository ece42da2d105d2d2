// SPDX-License-Identifier: Apache-2.0

internal import LaunchSymbols
internal import LaunchSystem

/// Where `dlopen` begins and returns in a process. The loader reports only the end of mapping, not the end of
/// relocation and initialisation.
struct OpeningAddresses {
  let function: UInt64
  let returns: [UInt64]

  /// Records are searched for the C library only up to this size.
  static let mostBytes = 4 << 20

  /// nil if no library with `dlopen` is mapped yet, or if its code is not understood.
  init?(_ mappings: [PerfEvents.Mapping], images: ImageCache) {
    // Before glibc 2.34, `dlopen` is in its own library.
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

  /// Sets breakpoints there, also for all threads that are created later.
  func set(by perf: PerfSession) {
    for address in returns + [function] {
      guard perf.addBreakpoint(address, isInherited: true) else { return }
    }
  }
}

/// The virtual addresses where `dlopen` begins and returns in the file of a C library.
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
  /// The offsets of return instructions in the code.
  static func offsets(_ code: [UInt8], machine: UInt16) -> [Int] {
    switch machine {
    case 62: code.indices.filter { code[$0] == 0xc3 && isBehindEpilogue(code, $0) }
    // ret
    case 183:
      stride(from: 0, to: code.count - 3, by: 4).filter { Array(code[$0..<$0 + 4]) == [0xc0, 0x03, 0x5f, 0xd6] }
    default: []
    }
  }

  /// A return follows a pop of a register, leave, or an addition to the stack pointer. Elsewhere the byte is part of
  /// another instruction.
  private static func isBehindEpilogue(_ code: [UInt8], _ at: Int) -> Bool {
    if at >= 1, (0x58...0x5f).contains(code[at - 1]) || code[at - 1] == 0xc9 { return true }
    return at >= 4 && code[at - 4] == 0x48 && code[at - 3] == 0x83 && code[at - 2] == 0xc4
  }
}
