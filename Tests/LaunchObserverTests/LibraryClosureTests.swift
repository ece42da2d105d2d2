// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchSymbols
import TestSupport
import Testing

@testable import LaunchObserver

/// The libraries that the loader will load, compared with what it loads and with readelf.
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

  @Test func theLoadersWordsAreRead() {
    func path(_ line: String) -> String? { LibraryClosure.entry(line[...])?.path }
    #expect(path("\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f)") == "/lib/x86_64-linux-gnu/libc.so.6")
    #expect(path("\t/lib64/ld-linux-x86-64.so.2 (0x00007f)") == "/lib64/ld-linux-x86-64.so.2")
    #expect(path("\tlibx.so => /opt/a (0x1) b/libx.so (0x00007f)") == "/opt/a (0x1) b/libx.so")
    #expect(path("\t./libx.so (0x00007f)") == "./libx.so")
    for line in ["\tlinux-vdso.so.1 (0x00007ffe)", "\tstatically linked", ""] {
      #expect(LibraryClosure.entry(line[...]) == nil, "\(line)")
    }
    let missing = LibraryClosure.entry("\tlibx.so => not found")
    #expect(missing?.name == "libx.so" && missing?.path == nil)
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
    #expect(throws: LaunchError.self) { try LibraryClosure(of: text) }
    #expect(throws: LaunchError.self) { try LibraryClosure(of: directory.appending("none")) }
  }

  /// ld.so(8): LD_LIBRARY_PATH comes before RUNPATH and after RPATH. A RUNPATH applies to one file only.
  @Test func theLoaderSearchesAsItDoes() throws {
    let directory = try TemporaryDirectory()
    for (name, value) in [("near", 1), ("far", 2)] {
      #expect(mkdir(directory.appending(name), 0o700) == 0)
      try CompiledProgram.c("int g(void) { return \(value); }", "\(name)/libg.so", ["-shared", "-fPIC"], in: directory)
    }
    let main = "int g(void); int main(void) { return g(); }"
    func program(_ name: String, _ flags: [String]) throws -> String {
      try CompiledProgram.c(
        main, name, ["-L\(directory.path)/near", "-lg", "-Wl,-rpath,\(directory.path)/near"] + flags, in: directory)
    }
    let far = ["LD_LIBRARY_PATH": "\(directory.path)/far"]
    for (name, flag, chosen, status) in [
      ("runpath", "-Wl,--enable-new-dtags", "far", 2), ("rpath", "-Wl,--disable-new-dtags", "near", 1),
    ] {
      let path = try program(name, [flag])
      let closure = try LibraryClosure(of: path, variables: far)
      #expect(closure.libraries.first { $0.name == "libg.so" }?.file.path == "\(directory.path)/\(chosen)/libg.so")
      #expect(try TestProcess.run(path, adding: far).outcome == .exited(Int32(status)))
    }
    // A library needs another one, which only the program's RUNPATH finds.
    try CompiledProgram.c(
      "int g(void); int h(void) { return g(); }", "libh.so", ["-shared", "-fPIC", "-Lnear", "-lg"], in: directory)
    let path = try CompiledProgram.c(
      "int h(void); int main(void) { return h(); }", "indirect",
      [
        "-L\(directory.path)", "-lh", "-Wl,--enable-new-dtags,-rpath,\(directory.path):\(directory.path)/near",
        "-Wl,--allow-shlib-undefined",
      ], in: directory)
    let closure = try LibraryClosure(of: path)
    #expect(closure.missing == ["libg.so"])
    #expect(try TestProcess.run(path).outcome == .exited(127))
  }

  @Test func aStaticProgramHasNoLibraries() throws {
    let directory = try TemporaryDirectory()
    let path = try CompiledProgram.c("int main(void) { return 0; }", "static", ["-static"], in: directory)
    #expect(try LibraryClosure(of: path).libraries.isEmpty)
  }

  @Test func aLoaderThatIsUnknownIsNotRun() throws {
    let directory = try TemporaryDirectory()
    let loader = try directory.write("#!/bin/sh\n: > '\(directory.path)/ran'\n", to: "loader")
    chmod(loader, 0o755)
    let path = try CompiledProgram.c(
      "int main(void) { return 0; }", "odd", ["-Wl,--dynamic-linker=\(loader)"], in: directory)
    #expect(throws: LaunchError.self) { try LibraryClosure(of: path) }
    #expect(access(directory.appending("ran"), F_OK) != 0)
  }
}
