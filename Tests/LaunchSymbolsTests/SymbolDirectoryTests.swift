// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import LaunchSymbols

/// Traces from another machine.
struct SymbolDirectoryTests {
  private let elsewhere = "/opt/app/bin/known"

  private func answers(
    _ program: KnownProgram, _ directory: TemporaryDirectory, buildID: String? = nil
  ) throws -> Set<String> {
    var symbolizer = Symbolizer(directory: try SymbolDirectory(path: directory.path), debugRoots: [])
    let image = Image(path: elsewhere, buildID: buildID ?? program.buildID)
    return Set(try symbolizer.frames(of: image, at: program.addresses).map(text))
  }

  @Test func binariesAreKnownByTheirBuildIDs() throws {
    let program = try KnownProgram()
    let directory = try TemporaryDirectory()
    try Compiler.run("mkdir", ["-p", "a/b c"], in: directory)
    try Compiler.run("cp", [program.path, "a/b c/renamed"], in: directory)
    try directory.write("not a binary", to: "known")
    #expect(try answers(program, directory).contains("inner:4 outer:9"))
  }

  @Test func aBinaryAndItsDebugFileComplementEachOther() throws {
    let program = try KnownProgram()
    try Compiler.strip("known", debugTo: "known.debug", in: program.directory)
    let directory = try TemporaryDirectory()
    try Compiler.run("cp", [program.path, "stripped"], in: directory)
    #expect(try answers(program, directory) == [program.place])
    try Compiler.run("cp", [program.path + ".debug", "debug"], in: directory)
    #expect(try answers(program, directory).contains("inner:4 outer:9"))
  }

  @Test func anotherBuildIsRefusedByName() throws {
    let program = try KnownProgram()
    let error = #expect(throws: SymbolError.self) { try answers(program, program.directory, buildID: "00ff") }
    #expect(error?.code == .buildIDMismatch)
    #expect(error?.path == program.path)
    #expect(error?.message.contains("00ff") == true)
    #expect(error?.message.contains(program.buildID) == true)
    let missing = #expect(throws: SymbolError.self) {
      var symbolizer = Symbolizer(directory: try SymbolDirectory(path: program.directory.path), debugRoots: [])
      return try symbolizer.frames(of: Image(path: "/opt/other", buildID: "00ff"), at: [1])
    }
    #expect(missing?.code == .cannotOpen)
  }

  @Test func withoutABuildIDTheNameDecides() throws {
    let program = try KnownProgram(["-Wl,--build-id=none"])
    #expect(try answers(program, program.directory).contains("inner:4 outer:9"))
    // But not if the file has another build ID.
    let other = try KnownProgram()
    #expect(throws: SymbolError.self) { try answers(other, other.directory, buildID: "") }
  }

  @Test func directoriesThatHaveNothingSaySo() throws {
    func code(_ path: String) -> SymbolError.Code? {
      do throws(SymbolError) {
        _ = try SymbolDirectory(path: path)
        return nil
      } catch { return error.code }
    }
    let directory = try TemporaryDirectory()
    #expect(code(directory.appending("none")) == .cannotOpen)
    #expect(code(try directory.write("x", to: "file")) == .cannotOpen)
    #expect(code(directory.path) == .unsupported)
    // A link to its own directory does not cause an endless loop.
    symlink(directory.path, directory.appending("loop"))
    #expect(code(directory.path) == .unsupported)
  }
}
