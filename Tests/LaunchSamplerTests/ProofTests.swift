// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Short versions of the checks in scripts/check-sampler.
struct ProofTests {
  private func run(_ arguments: String...) throws -> [String: Int] {
    let run = try TestProcess.run(try BuiltProgram.product("sampler-program"), arguments)
    try #require(run.succeeded, "\(run.outcome) \(run.errorText)")
    var values: [String: Int] = [:]
    for line in run.text.split(separator: "\n") {
      let words = line.split(separator: " ")
      values[words.dropLast().joined(separator: " ")] = words.last.flatMap { Int($0) }
    }
    return values
  }

  @Test func stacksAreThoseOfLibunwind() throws {
    let found = try run("stacks", "10000")
    #expect(found["stacks"] == 10_000)
    #expect(try #require(found["same"]) == 10_000)
    #expect(try #require(found["same_first"]) == 10_000)
  }

  @Test func nothingWaitsForEver() throws {
    // The program gives fewer stacks in a second if others take its processors.
    var found: [String: Int] = [:]
    for seconds in [3, 20, 80] where found["samples"] ?? 0 <= 100 { found = try run("stress", "\(seconds)") }
    #expect(try #require(found["samples"]) > 100)
    for work in ["loads", "allocations", "throws", "threads"] { #expect(try #require(found[work]) > 0) }
  }

  /// The child of a fork has no watchdog, which may have held a lock of the loader's.
  @Test func noChildOfAForkWaitsForTheWatchdog() throws {
    #expect(try run("forks", "1000")["ended"] == 1000)
  }

  /// The loader does not read these parts, so it opens a library in which they are nowhere in memory.
  @Test(arguments: [4, 0x6474_e550] as [UInt32])
  func aLibraryWhoseNotesOrTablesAreNotInMemoryIsSampled(part: UInt32) throws {
    let directory = try TemporaryDirectory()
    let library = try Compiler.c(
      "int spin(_Bool (*goes_on)(void)) { int rounds = 0; while (goes_on()) rounds++; return rounds; }", to: "lib.so",
      in: directory, ["-shared", "-fPIC", "-Wl,--build-id"])
    var bytes = try contents(library)
    func number(_ place: Int, _ size: Int) -> Int { (0..<size).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) } }
    // elf(5): e_phoff, e_phentsize and e_phnum; p_type and p_vaddr.
    let headers = (0..<number(56, 2)).map { number(32, 8) + $0 * number(54, 2) }
    let found = headers.filter { number($0, 4) == Int(part) }
    #expect(!found.isEmpty)
    for header in found { bytes[header + 16 + 4] = 1 }
    try directory.write(bytes, to: "lib.so")
    #expect(try #require(run("library", library)["samples"]) > 0)
  }

  /// libunwind.so also contains a C++ unwinder, which must not replace the program's own.
  @Test func theProgramKeepsItsOwnExceptions() throws {
    for program in ["sampled-program", "sampler-program"] {
      let needed = try TestProcess.run(
        "/usr/bin/env", ["readelf", "--dynamic", "--wide", try BuiltProgram.product(program)]
      ).text
      #expect(needed.contains("[libunwind-"))
      #expect(!needed.contains("[libunwind.so"), "\(needed)")
    }
  }

  @Test func callsThatCanBeRestartedAre() throws {
    let found = try run("interruptions", "1")
    for call in ["read from a pipe", "recv", "waitpid", "pthread_mutex_lock"] {
      #expect(found["EINTR in \(call):"] == 0, "\(call)")
    }
    // These calls cannot be restarted: signal(7). docs/sampler.md names them.
    for call in ["nanosleep", "poll", "select", "epoll_wait"] {
      #expect(try #require(found["EINTR in \(call):"]) > 0, "\(call)")
    }
  }

  @Test func noCallThatWaitsIsInterruptedWhenOnlyRunningCodeIs() throws {
    let found = try run("interruptions", "2", "running")
    #expect(try #require(found["samples"]) > 0)
    // A tick may come between the entry of a call and its wait.
    #expect(found.filter { $0.key.hasPrefix("EINTR") }.values.reduce(0, +) <= 1, "\(found)")
  }
}
