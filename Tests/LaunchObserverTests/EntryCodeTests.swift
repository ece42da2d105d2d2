// SPDX-License-Identifier: Apache-2.0

import LaunchSymbols
import TestSupport
import Testing

@testable import LaunchObserver

/// In a stripped program, the start code shows where `main` is. The programs here have symbols, to compare.
struct EntryCodeTests {
  private static let source = """
    __attribute__((visibility("default"))) int main(void) { return 0; }
    """

  private func expectMain(_ path: String) throws {
    let file = try ELFFile(path: path)
    let main = try #require(file.address(ofFunction: "main"))
    #expect(LoadFunctions.mainByCode(file) == main)
  }

  @Test(arguments: [
    ["-fPIE", "-pie"], ["-fno-PIE", "-no-pie"],
    // The address is in a slot.
    ["-fPIE", "-pie", "-Wl,--no-relax"],
    // The slot is relocated by the symbol's name, because a library may define it.
    ["-fPIE", "-pie", "-Wl,--no-relax", "-rdynamic"],
    // The address is in the slot, and packed relocations say only where the slot is.
    ["-fPIE", "-pie", "-Wl,--no-relax", "-fuse-ld=lld", "-Wl,-z,pack-relative-relocs"],
  ])
  func mainIsFoundInTheStartCode(arguments: [String]) throws {
    let directory = try TemporaryDirectory()
    try expectMain(try Compiler.c(Self.source, to: "program", in: directory, arguments))
  }

  /// arm64 keeps the address in a slot unless the program has a fixed place.
  @Test func mainOfTheOtherArchitectureIsFound() throws {
    try expectMain(try BuiltProgram.crossRecorder("dynamic"))
  }

  #if arch(x86_64)
  /// Its symbols are not read: a compiler has so many that its `main` would begin meanwhile.
  @Test func theStartCodeIsAskedBeforeTheSymbols() throws {
    let source = """
      __asm__(".globl _start; _start: xor %ebp, %ebp; lea passed(%rip), %rdi; call passed");
      __attribute__((used)) static int passed(void) { return 0; }
      int main(void) { return 0; }
      """
    let directory = try TemporaryDirectory()
    let path = try Compiler.c(source, to: "program", in: directory, ["-nostartfiles"])
    let file = try ELFFile(path: path)
    let passed = try #require(file.address(ofFunction: "passed"))
    #expect(LoadFunctions.main(file) == passed)
  }
  #endif

  @Test func noStartCodeHasNoMain() {
    let code = [UInt8](repeating: 0, count: 64)
    for machine: UInt16 in [0, 62, 183] {
      #expect(EntryCode.main(code, at: 0x1000, machine: machine) == nil)
      #expect(EntryCode.main([], at: 0x1000, machine: machine) == nil)
    }
  }
}
