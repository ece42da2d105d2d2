// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import LaunchSymbols

/// What unwind tables say, and what is made of tables that lie.
struct UnwindTableTests {
  private static let source = """
    #include <string.h>
    volatile int sink;
    __attribute__((noinline)) int leaf(int value) { sink = value; return sink + 1; }
    __attribute__((noinline)) int saves(int a, int b, int c) {
      int x = leaf(a), y = leaf(b), z = leaf(c);
      return leaf(x + y) + leaf(y + z) + x * y * z;
    }
    __attribute__((noinline)) int grows(int count) {
      char room[count];
      memset(room, count, (size_t)count);
      return leaf(room[count / 2]);
    }
    int main(int count, char **arguments) { (void)arguments; return saves(count, 2, 3) + grows(count + 4) == 0; }

    """

  private func program(_ directory: TemporaryDirectory, _ flags: [String] = []) throws -> String {
    try Compiler.c(Self.source, to: "tables", in: directory, ["-O2", "-fomit-frame-pointer"] + flags)
  }

  /// Every instruction of every function has a rule, and the index does not matter.
  @Test func everyFunctionHasRules() throws {
    let directory = try TemporaryDirectory()
    let path = try program(directory)
    let table = try #require(UnwindTable(try ELFFile(path: path)))
    let bare = directory.appending("bare")
    try Compiler.run("objcopy", ["--remove-section=.eh_frame_hdr", path, bare], in: directory)
    let slow = try #require(UnwindTable(try ELFFile(path: bare)))
    for name in ["leaf", "saves", "grows", "main"] {
      let function = try Compiler.function(name, of: path, in: directory)
      for address in function.address..<function.address + function.size {
        let rule = try #require(table.rule(at: address), "\(name) \(address)")
        #expect("\(rule)" == slow.rule(at: address).map { "\($0)" })
      }
    }
    #expect(table.rule(at: 0) == nil && table.rule(at: .max) == nil)
  }

  /// The thread's first function says that nobody called it.
  @Test func theStartHasNoCaller() throws {
    let directory = try TemporaryDirectory()
    let file = try ELFFile(path: try program(directory))
    let rule = try #require(UnwindTable(file)?.rule(at: file.entry))
    var registers = UnwindRegisters(programCounter: file.entry)
    registers[UnwindRegisters.stackPointer] = 4096
    guard case .outermost = rule.step(&registers, StackCopy(address: 4096, bytes: [])) else {
      Issue.record("\(rule)")
      return
    }
  }

  /// Both ways of arm64 to say that a return address is signed. Assemblers for any machine can write them.
  @Test(arguments: ["0x2c", "0x2d"]) func aSignedReturnAddressLosesItsSignature(code: String) throws {
    let source = """
      __asm__(".text\\n.globl signs\\n.type signs,%function\\nsigns:\\n.cfi_startproc\\n.cfi_escape \(code)\\n"
              "nop\\nret\\n.cfi_endproc\\n.size signs,.-signs\\n");
      int main(void) { return 0; }

      """
    let directory = try TemporaryDirectory()
    let path = try Compiler.c(source, to: "signs", in: directory, ["-O1"])
    let address = try Compiler.function("signs", of: path, in: directory).address
    let rule = try #require(try UnwindTable(ELFFile(path: path))?.rule(at: address))
    var registers = UnwindRegisters(programCounter: address)
    registers[UnwindRegisters.stackPointer] = 0x1000
    registers[rule.returnRegister] = 0x00ab_0000_0000_1234
    let bytes: [UInt8] = [0x34, 0x12, 0, 0, 0, 0, 0xab, 0]
    _ = rule.step(&registers, StackCopy(address: 0x1000, bytes: bytes[...]))
    #expect(registers.programCounter == 0x1234)
  }

  /// Where a function begins, its caller is where the stack, or the link register, says.
  @Test func aStepFromTheFirstInstruction() throws {
    let directory = try TemporaryDirectory()
    let path = try program(directory)
    let address = try Compiler.function("saves", of: path, in: directory).address
    let rule = try #require(try UnwindTable(ELFFile(path: path))?.rule(at: address))
    var registers = UnwindRegisters(programCounter: address)
    registers[UnwindRegisters.stackPointer] = 0x1000
    registers[UnwindRegisters.framePointer] = 77
    #if arch(arm64)
    registers[30] = 0x1234
    let bytes: [UInt8] = []
    let pointer: UInt64 = 0x1000
    #else
    let bytes: [UInt8] = [0x34, 0x12, 0, 0, 0, 0, 0, 0]
    let pointer: UInt64 = 0x1008
    #endif
    guard case .caller = rule.step(&registers, StackCopy(address: 0x1000, bytes: bytes[...])) else {
      Issue.record("\(rule)")
      return
    }
    #expect(registers.programCounter == 0x1234)
    #expect(registers[UnwindRegisters.stackPointer] == pointer && registers[UnwindRegisters.framePointer] == 77)
  }

  /// Code without tables seemed to have no frame pointer if its frame was larger than the copy.
  @Test(arguments: [
    (0x1000, false), (0x1010, true), (0x8000, true), (0x8001, false), (0xff8, false), (UInt64.max - 7, false),
  ])
  func aFrameBeyondTheCopy(frame: UInt64, isBeyond: Bool) {
    var registers = UnwindRegisters(programCounter: 1)
    let stack = StackCopy(address: 0x1000, bytes: [UInt8](repeating: 0, count: 24)[...])
    #expect(!registers.hasFrame(beyond: stack))
    registers[UnwindRegisters.stackPointer] = 0x1000
    registers[UnwindRegisters.framePointer] = frame
    #expect(registers.hasFrame(beyond: stack) == isBeyond)
  }

  /// A register that a function has taken off the stack has its value back, whatever the table says.
  @Test func aRegisterThatIsRestored() {
    var rule = UnwindRule()
    rule.frame = .register(UnwindRegisters.stackPointer, offset: 8)
    rule.saved = Array(repeating: .same, count: UnwindRule.registerCount)
    rule.saved[UnwindRegisters.framePointer] = .inFrame(-16)
    rule.saved[16] = .inFrame(-8)
    rule.returnRegister = 16
    var registers = UnwindRegisters(programCounter: 1)
    registers[UnwindRegisters.stackPointer] = 0x1000
    registers[UnwindRegisters.framePointer] = 77
    guard case .caller = rule.step(&registers, StackCopy(address: 0x1000, bytes: [5, 0, 0, 0, 0, 0, 0, 0])) else {
      Issue.record("no caller")
      return
    }
    #expect(registers.programCounter == 5 && registers[UnwindRegisters.framePointer] == 77)
  }

  /// The linker's stubs have an expression for their frame: eight bytes more from the twelfth byte of each sixteen on.
  #if arch(x86_64)
  @Test func anExpressionOfTheLinker() throws {
    let code: [UInt8] = [0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22]
    var registers = UnwindRegisters(programCounter: 0x400010)
    registers[7] = 0x1000
    let memory = StackCopy(address: 0, bytes: [])
    #expect(UnwindExpression(code: code).value(registers, memory, nil) == 0x1008)
    registers.programCounter = 0x40001b
    #expect(UnwindExpression(code: code).value(registers, memory, nil) == 0x1010)
    // Nothing to take, an unknown operation, a value that is cut off, a stack without end.
    for broken: [UInt8] in [[0x22], [0x2f, 0, 0], [0x0e, 1], [UInt8](repeating: 0x30, count: 200)] {
      #expect(UnwindExpression(code: broken).value(registers, memory, nil) == nil)
    }
  }
  #endif

  /// Tables that are broken anywhere, of a file with an index and of one without: they are survived, quickly.
  @Test(arguments: [true, false]) func brokenTables(hasIndex: Bool) throws {
    let directory = try TemporaryDirectory()
    let built = try program(directory, ["-static"])
    let path = directory.appending("source")
    let change = hasIndex ? [] : ["--remove-section=.eh_frame_hdr"]
    try Compiler.run("objcopy", change + [built, path], in: directory)
    let file = try ELFFile(path: path)
    let sections = [".eh_frame", ".eh_frame_hdr"].compactMap(file.section(named:))
    #expect(sections.count == (hasIndex ? 2 : 1))
    let code = try #require(file.section(named: ".text"))
    let source = try contents(path)
    var random = SeededGenerator()
    var (found, steps) = (0, 0)
    for _ in 0..<60 {
      var bytes = source
      // The program headers, too: they say where the index is.
      let places = sections.map { Int($0.offset)..<Int($0.offset + $0.size) } + [64..<64 + 56 * 10]
      for _ in 0..<Int.random(in: 1...400, using: &random) {
        let place = Int.random(in: places.randomElement(using: &random) ?? 0..<1, using: &random)
        bytes[place] =
          Bool.random(using: &random)
          ? [0, 0x7f, 0x80, 0xff].randomElement(using: &random) ?? 0 : .random(in: 0...255, using: &random)
      }
      let broken = try directory.write(bytes, to: "broken")
      guard let table = (try? ELFFile(path: broken)).flatMap({ UnwindTable($0) }) else { continue }
      let stack = (0..<4096).map { _ in UInt8.random(in: 0...255, using: &random) }
      for _ in 0..<200 {
        let target = code.address &+ UInt64.random(in: 0..<code.size, using: &random)
        guard let rule = table.rule(at: target) else { continue }
        found += 1
        var registers = UnwindRegisters(programCounter: target)
        for register in 0..<40 { registers[register] = .random(in: 0...0x2000, using: &random) }
        for _ in 0..<8 {
          if case .caller = rule.step(&registers, StackCopy(address: 0x800, bytes: stack[...])) { steps += 1 }
        }
      }
    }
    #expect(found > 1000 && steps > 100, "seed \(random.seed): \(found) rules, \(steps) steps")
  }

  @Test func endlessNumbersAreBroken() {
    for (padding, isBroken) in [(15, false), (1_000, true)] {
      ([UInt8](repeating: 0x80, count: padding) + [1, 5]).withUnsafeBytes { bytes in
        var cursor = ByteCursor(ByteRange(bytes))
        _ = cursor.unsigned()
        #expect(cursor.isBroken == isBroken && cursor.offset < 32)
      }
    }
  }
}
