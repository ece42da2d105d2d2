// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import LaunchObserver

/// The code that a process has mapped, by reads from time to time.
struct MappedCodeTests {
  /// The address of a function of the C library.
  private static let known = UInt64(UInt(bitPattern: dlsym(nil, "getpid")))

  @Test func codeWasMappedAfterTheReadThatDidNotFindIt() throws {
    var code = MappedCode(processID: getpid(), start: 1000)
    code.look(at: 2000, for: Self.known)
    let first = code.mappings
    #expect(first.contains { $0.address <= Self.known && Self.known - $0.address < $0.length })
    #expect(first.contains { $0.path == "[vdso]" })
    #expect(first.allSatisfy { $0.place.time == 1000 })
    let size = Int(getpagesize())
    let memory = mmap(nil, size, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    let page = try #require(memory == MAP_FAILED ? nil : memory)
    defer { munmap(page, size) }
    let address = UInt64(UInt(bitPattern: page))
    // It was read a moment ago.
    code.look(at: 3000, for: address)
    #expect(code.mappings.count == first.count)
    code.look(at: 600_000, for: address)
    let new = try #require(code.mappings.last { $0.address <= address && address - $0.address < $0.length })
    #expect(new.place.time == 2000)
    #expect(!new.isOfFile)
  }

  /// As a library that is opened again where another one was meanwhile.
  @Test func codeThatComesBackIsNew() throws {
    let size = Int(getpagesize())
    var code = MappedCode(processID: getpid(), start: 1000)
    let directory = try TemporaryDirectory()
    let file = open(try directory.write([UInt8](repeating: 0, count: size), to: "library"), O_RDONLY)
    defer { close(file) }
    let place = mmap(nil, size, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0)
    try #require(place != MAP_FAILED)
    let address = UInt64(UInt(bitPattern: place))
    var rows: [Int64] { code.mappings.filter { $0.contains(address) }.map(\.place.time) }
    code.look(at: 2000, for: address)
    #expect(rows == [1000])
    #expect(mprotect(place, size, PROT_READ) == 0)
    code.look(at: 100_000_000, for: address)
    #expect(mprotect(place, size, PROT_READ | PROT_EXEC) == 0)
    code.look(at: 200_000_000, for: address)
    #expect(rows == [1000, 100_000_000])
    munmap(place, size)
  }

  @Test func anotherProgramHasItsOwn() {
    var code = MappedCode(processID: getpid(), start: 1000)
    code.look(at: 2000, for: Self.known)
    let count = code.mappings.count
    code.begin(at: 9000)
    code.look(at: 9001, for: Self.known)
    #expect(code.mappings.count >= 2 * count)
    #expect(code.mappings.dropFirst(count).allSatisfy { $0.place.time == 9000 })
  }
}
