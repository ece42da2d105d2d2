// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import LaunchObserver

struct ProgramSearchTests {
  @Test func onlyNamesAreSearchedFor() {
    #expect(ProgramSearch("./a", path: Array("/x:/y".utf8)).candidates == ["./a"])
    #expect(ProgramSearch("a", path: Array("/x::/y:".utf8)).candidates == ["/x/a", "a", "/y/a", "a"])
    #expect(ProgramSearch("a", path: nil).candidates == ["/bin/a", "/usr/bin/a"])
    #expect(ProgramSearch("", path: Array("/x".utf8)).candidates == [""])
  }

  @Test func directoriesNeedNotBeUTF8() {
    let search = ProgramSearch("a", path: Array("/caf".utf8) + [0xe9] + Array(":/y".utf8))
    #expect(search.nativeCandidates == [Array("/caf".utf8) + [0xe9] + Array("/a".utf8), Array("/y/a".utf8)])
    #expect(search.candidates == ["/caf\u{fffd}/a", "/y/a"])
  }

  /// The error message for a file that cannot be executed, by the kernel's errno.
  private func told(_ path: String, _ error: Int32) -> LaunchError {
    ProgramSearch(path, path: nil).explain(error, at: 0)
  }

  @Test func theFileItselfIsLookedAt() throws {
    let directory = try TemporaryDirectory()
    #expect(told(directory.path, EACCES).message.contains("directory"))
    #expect(told(try directory.write("x", to: "plain"), EACCES).message.contains("chmod +x"))
    #expect(told(try directory.write("", to: "empty"), ENOEXEC).message.contains("empty"))
    #expect(told(try directory.write("echo hello\n", to: "script"), ENOEXEC).message.contains("#!/bin/sh"))
    #expect(told(try directory.write([0xcf, 0xfa, 0xed, 0xfe, 0], to: "mach"), ENOEXEC).message.contains("Apple"))
    #expect(told(try directory.write([0, 1, 2], to: "binary"), ENOEXEC).message == "is not in an executable format")
    let other =
      [0x7f, 0x45, 0x4c, 0x46] + [UInt8](repeating: 0, count: 14) + [243, 0] + [UInt8](repeating: 0, count: 44)
    #expect(told(try directory.write(other, to: "riscv"), ENOEXEC).message.contains("RISC-V"))
    // Big-endian, with the number of the machine in this order, too.
    var bigEndian = other
    bigEndian.replaceSubrange(4..<6, with: [2, 2])
    bigEndian.replaceSubrange(18..<20, with: [0, 22])
    #expect(told(try directory.write(bigEndian, to: "s390x"), ENOEXEC).message.contains("s390x"))
    #expect(told(try directory.write([0x7f, 0x45, 0x4c, 0x46], to: "elf"), ENOEXEC).message.contains("broken ELF"))
  }

  @Test func aMissingInterpreterIsNamed() throws {
    let directory = try TemporaryDirectory()
    let script = told(try directory.write("#! /no/such/shell -x\n", to: "script"), ENOENT)
    #expect(script.code == .notFound)
    #expect(script.message.contains("/no/such/shell does not exist"))
    // A file with Windows line ends: the carriage return must not reach the terminal.
    let windows = told(try directory.write("#!/bin/sh\r\n", to: "windows"), ENOENT)
    #expect(windows.message.contains("/bin/sh"))
    #expect(!windows.message.utf8.contains(13))
  }

  /// Its loader is missing where programs of 32 bits were never installed.
  @Test func theLoaderOfAProgramOf32BitsIsNamed() throws {
    let loader = "/no/such/ld-linux.so.2"
    func number(_ value: UInt32, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let place = UInt32(52 + 32)
    var bytes: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 1, 1, 1] + [UInt8](repeating: 0, count: 9)
    // e_type, e_machine, e_version, e_entry, e_phoff, e_shoff, e_flags, e_ehsize, e_phentsize, e_phnum, and no sections
    for (value, size) in [
      (2, 2), (3, 2), (1, 4), (0, 4), (52, 4), (0, 4), (0, 4), (52, 2), (32, 2), (1, 2), (0, 4), (0, 2),
    ] {
      bytes += number(UInt32(value), size)
    }
    // p_type, p_offset, p_vaddr, p_paddr, p_filesz, p_memsz, p_flags, p_align
    let length = UInt32(loader.utf8.count + 1)
    for value in [3, place, place, 0, length, length, 4, 1] { bytes += number(value, 4) }
    let directory = try TemporaryDirectory()
    let path = try directory.write(bytes + Array(loader.utf8) + [0], to: "program")
    #expect(told(path, ENOENT).message.contains("\(loader) does not exist"))
  }

  @Test func whatIsNotInPATHIsToldApart() {
    #expect(told("/no/such", ENOENT).message == "no such program")
    #expect(ProgramSearch("nosuch", path: Array("/x".utf8)).explain(ENOENT, at: 0).message.contains("PATH"))
    #expect(told("", ENOENT).message.contains("empty"))
  }

  @Test func corruptHeadersAreSurvived() throws {
    let directory = try TemporaryDirectory()
    var random = SeededGenerator()
    let source = try #require(readBytes("/bin/true", 4096))
    for round in 0..<300 {
      var bytes = source
      for _ in 0..<8 { bytes[Int.random(in: 0..<600, using: &random)] = UInt8.random(in: 0...255, using: &random) }
      bytes = Array(bytes.prefix(Int.random(in: 0...4096, using: &random)))
      _ = ExecutableHead(path: try directory.write(bytes, to: "\(round % 4)")).explainFormat()
    }
  }

  private func readBytes(_ path: String, _ count: Int) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return [UInt8](unsafeUninitializedCapacity: count) { $1 = max(0, read(file, $0.baseAddress, count)) }
  }
}
