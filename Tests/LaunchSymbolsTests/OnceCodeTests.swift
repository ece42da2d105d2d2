// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import LaunchSymbols

/// Finds the code in Swift's runtime that initialises lazy globals.
struct OnceCodeTests {
  private static let source = """
    @main struct Program {
      static func main() { print("hello") }
    }

    """

  @Test func aStrippedProgramHasItWhereTheSymbolSaidItWas() throws {
    let directory = try TemporaryDirectory()
    let program = try Compiler.swift(Self.source, to: "hello", in: directory, ["-O", "-static-executable"])
    let offset = try ELFFile(path: program).onceOffset
    #expect(offset != nil)
    try Compiler.run("strip", [program], in: directory)
    let file = try ELFFile(path: program)
    #expect(!file.sections.contains { $0.type == ELFFile.SectionType.symbols })
    #if arch(x86_64)
    #expect(file.onceOffset == offset)
    #endif
  }

  @Test func aProgramInCHasNone() throws {
    let program = try KnownProgram()
    #expect(try ELFFile(path: program.path).onceOffset == nil)
  }
}
