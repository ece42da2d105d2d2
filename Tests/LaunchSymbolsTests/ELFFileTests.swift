// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import LaunchSymbols

struct ELFFileTests {
  /// Where the loader put a function: its image, and its address in the file.
  private func locate(_ function: String) throws -> (image: String, address: UInt64) {
    let address = UInt64(UInt(bitPattern: try #require(dlsym(nil, function))))
    var base: [String: UInt64] = [:]
    for line in String(decoding: try contents("/proc/self/maps"), as: UTF8.self).split(separator: "\n") {
      // proc(5): address range, permissions, offset, device, inode, path
      let fields = line.split(separator: " ", maxSplits: 5)
      guard fields.count == 6 else { continue }
      let range = fields[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
      let path = String(fields[5].drop { $0 == " " })
      // The nearest mapping below, because other tests map the same file for reading, at any address.
      if UInt64(fields[2], radix: 16) == 0 { base[path] = range[0] }
      if range[0] <= address, address < range[1] { return (path, address - (base[path] ?? 0)) }
    }
    throw ToolFailure("\(function) is in no image")
  }

  @Test(arguments: ["swift_retain", "swift_allocObject", "strerror", "qsort"])
  func functionsAreFoundWhereTheLoaderPutThem(function: String) throws {
    let (image, address) = try locate(function)
    let file = try ELFFile(path: image)
    let names = file.symbols(at: [address, address + 1]).map { $0?.mangledName }
    #expect(names[0] == function)
    #expect(names[1] == function)
    #expect(file.buildID.count == 40 || file.buildID.isEmpty || file.buildID.count == 32 || file.buildID.count == 16)
  }

  @Test func addressesOutsideOfFunctionsHaveNoSymbol() throws {
    let file = try ELFFile(path: try locate("swift_retain").image)
    #expect(file.symbols(at: [0, .max, 1 << 40]) == [nil, nil, nil])
    #expect(file.symbols(at: []).isEmpty)
  }

  @Test func answersKeepTheOrderOfTheQuestions() throws {
    let (image, first) = try locate("swift_retain")
    let (_, second) = try locate("swift_allocObject")
    let file = try ELFFile(path: image)
    let names = file.symbols(at: [second, first, second]).map { $0?.mangledName }
    #expect(names == ["swift_allocObject", "swift_retain", "swift_allocObject"])
  }

  /// In files for arm64 and RISC-V, names such as `$x` say where code begins behind data. They name no function.
  @Test func marksOfCodeAreNoFunctions() throws {
    let source = """
      __asm__(".text\\n.globl outer\\n.type outer,%function\\nouter:\\n.byte 0\\n\\"$d\\":\\n.byte 0\\n"
              "\\"$x.7\\":\\n.byte 0\\nlabel:\\n.byte 0\\n.size outer,.-outer\\n");
      int main(void) { return 0; }

      """
    let directory = try TemporaryDirectory()
    let path = try Compiler.c(source, to: "marks", in: directory)
    let address = try Compiler.function("outer", of: path, in: directory).address
    func names(machine: UInt8) throws -> [String?] {
      var bytes = try contents(path)
      bytes[18] = machine
      let file = try ELFFile(path: try directory.write(bytes, to: "machine"))
      return file.symbols(at: (0..<4).map { address + $0 }).map { $0?.mangledName }
    }
    #expect(try names(machine: 62) == ["outer", "$d", "$x.7", "label"])
    #expect(try names(machine: 183) == ["outer", "outer", "outer", "label"])
    #expect(try names(machine: 243) == ["outer", "outer", "outer", "label"])
  }

  @Test func whatIsNoELFFileSaysSo() throws {
    let directory = try TemporaryDirectory()
    func code(_ path: String) -> SymbolError.Code? {
      do throws(SymbolError) {
        _ = try ELFFile(path: path)
        return nil
      } catch { return error.code }
    }
    #expect(code(directory.appending("none")) == .cannotOpen)
    #expect(code(directory.path) == .unsupported)
    #expect(code("/dev/null") == .unsupported)
    #expect(code(try directory.write("", to: "empty")) == .malformed)
    #expect(code(try directory.write("#!/bin/sh\n", to: "script")) == .unsupported)
    // 32-bit, and big-endian.
    #expect(code(try directory.write([0x7f, 0x45, 0x4c, 0x46, 1, 1], to: "elf32")) == .unsupported)
    #expect(code(try directory.write([0x7f, 0x45, 0x4c, 0x46, 2, 2], to: "big")) == .unsupported)
    #expect(code(try directory.write([0x7f, 0x45, 0x4c, 0x46, 2, 1], to: "short")) == .malformed)
  }
}
