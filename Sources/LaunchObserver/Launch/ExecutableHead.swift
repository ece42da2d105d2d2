// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The first bytes of a file that should be executable: enough to say why it is not.
package struct ExecutableHead {
  /// The program that runs this one, named by `#!` or the ELF header.
  let interpreter: String?
  /// Whether the file is a script: its first bytes are `#!`.
  var isScript: Bool { bytes.starts(with: Array("#!".utf8)) }
  /// Whether the file is a binary or a script, of any machine.
  package var isOfProgram: Bool { isScript || Self.isELF(bytes) }
  /// A script whose first line is only `#!`.
  var namesNoProgram: Bool { isScript && interpreter == nil }
  /// The argument after the interpreter in a script's first line; nil if there is none.
  var scriptArgument: String? {
    guard isScript else { return nil }
    let line = String(decoding: bytes.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    return words.count == 2 ? String(words[1]) : nil
  }
  /// The interpreter of a script has a carriage return at its end: the file has line ends of Windows.
  var hasWindowsLineEnds: Bool { isScript && interpreter?.hasSuffix(Self.printable([UInt8(ascii: "\r")])) == true }
  private let path: String
  private let bytes: [UInt8]

  /// Of a file that cannot be read, nothing is known.
  package init(path: String) {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    defer { if file >= 0 { close(file) } }
    self.path = path
    bytes = file >= 0 ? Self.read(file, at: 0, count: 256) : []
    interpreter = Self.scriptInterpreter(bytes) ?? Self.loader(bytes, file)
  }

  /// Why the kernel does not accept the file as a program (ENOEXEC).
  func explainFormat() -> String {
    if bytes.isEmpty { return "the file is empty" }
    if Self.isELF(bytes) {
      let number = bytes.count >= 20 ? UInt16(Self.number(bytes, at: 18, size: 2)) : 0
      // EI_DATA says that the file is big-endian: elf(5).
      let machine = bytes.count >= 20 && bytes[5] == 2 ? number.byteSwapped : number
      if let name = Self.machines[machine], machine != Self.ownMachine {
        return "is built for \(name); build it for this machine"
      }
      return "is a broken ELF file; build it again"
    }
    if bytes.starts(with: [0xcf, 0xfa, 0xed, 0xfe]) || bytes.starts(with: [0xca, 0xfe, 0xba, 0xbe]) {
      return "is built for an Apple platform; build it for this machine"
    }
    if isScript { return "its first line, #!, does not name a program" }
    if !bytes.contains(0) {
      return "has no first line such as #!/bin/sh; add one, or launch the shell with it: -- sh \"\(path)\""
    }
    return "is not in an executable format"
  }

  private static func isELF(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x7f, 0x45, 0x4c, 0x46]) }

  private static func scriptInterpreter(_ bytes: [UInt8]) -> String? {
    guard bytes.starts(with: Array("#!".utf8)) else { return nil }
    let blanks: Set<UInt8> = [UInt8(ascii: " "), UInt8(ascii: "\t")]
    let line = bytes.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
    let word = line.drop { blanks.contains($0) }.prefix { !blanks.contains($0) }
    return word.isEmpty ? nil : printable(word)
  }

  /// PT_INTERP of an ELF file: elf(5).
  private static func loader(_ bytes: [UInt8], _ file: Int32) -> String? {
    guard isELF(bytes), bytes.count >= 64 else { return nil }
    // EI_CLASS. In a file of 32 bits, addresses and sizes have four bytes.
    let isLong = bytes[4] == 2
    let word = isLong ? 8 : 4
    let table = number(bytes, at: isLong ? 32 : 28, size: word)
    let (entrySize, count) = (
      number(bytes, at: isLong ? 54 : 42, size: 2), number(bytes, at: isLong ? 56 : 44, size: 2)
    )
    guard entrySize >= (isLong ? 56 : 32), table < 1 << 32 else { return nil }
    for index in 0..<min(count, 64) {
      let entry = read(file, at: Int64(table + index * entrySize), count: 7 * word)
      guard entry.count == 7 * word, number(entry, at: 0, size: 4) == 3 else { continue }
      let (offset, size) = (number(entry, at: word, size: word), number(entry, at: 4 * word, size: word))
      guard offset < 1 << 40, size < 4096 else { return nil }
      let name = read(file, at: Int64(offset), count: Int(size)).prefix { $0 != 0 }
      return name.isEmpty ? nil : printable(name)
    }
    return nil
  }

  /// A carriage return after `#!/bin/sh` is a common reason for a missing interpreter, so it must be visible.
  private static func printable(_ bytes: some Sequence<UInt8>) -> String {
    bytes.reduce(into: "") {
      $0 += (0x20..<0x7f).contains($1) ? String(Unicode.Scalar($1)) : "\\x" + String($1, radix: 16)
    }
  }

  private static func number(_ bytes: [UInt8], at offset: Int, size: Int) -> UInt64 {
    (0..<size).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
  }

  private static func read(_ file: Int32, at offset: Int64, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, pread(file, buffer.baseAddress, count, off_t(offset)))
    }
  }

  private static let machines: [UInt16: String] = [
    3: "32-bit x86", 40: "32-bit arm", 62: "x86-64", 183: "arm64", 243: "RISC-V", 21: "POWER", 22: "s390x",
  ]
  #if arch(x86_64)
  private static let ownMachine: UInt16 = 62
  #elseif arch(arm64)
  private static let ownMachine: UInt16 = 183
  #else
  private static let ownMachine: UInt16 = 0
  #endif
}
