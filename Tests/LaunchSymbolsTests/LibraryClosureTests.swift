import Glibc
import TestSupport
import Testing

@testable import LaunchSymbols

/// What the loader will do, counted from files, beside what readelf and the loader itself say.
struct LibraryClosureTests {
  private func run(_ program: String, _ arguments: [String]) throws -> String {
    let run = try TestProcess.run(program, arguments, adding: ["LC_ALL": "C"])
    #expect(run.succeeded, "\(program) \(arguments): \(run.errorText)")
    return run.text
  }

  @Test(arguments: ["/proc/self/exe", "/usr/bin/env"])
  func librariesAreThoseOfTheLoader(path: String) throws {
    let path = try #require(realpath(path, nil).map { String(cString: $0) })
    let closure = try LibraryClosure(of: path)
    let listed = try run("/usr/bin/ldd", [path]).split(separator: "\n")
    let theirs = listed.compactMap { line -> String? in
      let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
      return words.count > 2 && words[1] == "=>" ? words[0] : nil
    }
    // The loader names itself by its path.
    #expect(Set(closure.libraries.map(\.name)).filter { !$0.hasPrefix("ld-linux") } == Set(theirs))
    #expect(closure.missing.isEmpty)
  }

  @Test func relocationsAreThoseOfReadelf() throws {
    let path = try #require(realpath("/proc/self/exe", nil).map { String(cString: $0) })
    for file in [path, "/usr/bin/env"] {
      let listed = try run("/usr/bin/readelf", ["--relocs", "--wide", file]).split(separator: "\n")
      let theirs = listed.compactMap { line -> Int64? in
        guard line.hasPrefix("Relocation section") else { return nil }
        let words = line.split(separator: " ")
        return words.firstIndex(of: "contains").flatMap { Int64(words[$0 + 1]) }
      }.reduce(0, +)
      #expect(try ELFFile(path: file).relocationCount == theirs, "\(file)")
      #expect(try ELFFile(path: file).initializerCount > 0)
    }
    #expect(try ELFFile(path: path).toolchain?.contains("clang") == true)
  }

  @Test func whatIsNoProgramIsAnError() throws {
    let directory = try TemporaryDirectory()
    let text = try directory.write("#!/bin/sh\n", to: "script")
    #expect(throws: SymbolError.self) { try LibraryClosure(of: text) }
    #expect(LoaderCache(path: text).path(of: "libc.so.6") == nil)
    #expect(LoaderCache(path: directory.appending("none")).path(of: "libc.so.6") == nil)
    // A cache that is cut off says what it can.
    let cache = try contents("/etc/ld.so.cache")
    for size in [10, 24, 60, 200, cache.count / 2] {
      let cut = try directory.write(Array(cache.prefix(size)), to: "cache-\(size)")
      #expect(LoaderCache(path: cut).path(of: "no such library") == nil)
    }
  }

  private func contents(_ path: String) throws -> [UInt8] {
    let file = try #require(fopen(path, "re"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }
}
