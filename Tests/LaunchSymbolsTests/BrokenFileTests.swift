// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import LaunchSymbols

/// Files with false contents of any kind.
struct BrokenFileTests {
  /// A build replaces the file while it is read. Only what is gone is missing.
  @Test func aFileThatIsCutWhileItIsRead() throws {
    let directory = try TemporaryDirectory()
    let program = try directory.write(try contents("/proc/self/exe"), to: "program")
    let file = try ELFFile(path: program)
    #expect(truncate(program, 4096) == 0)
    #expect(file.symbols(at: [file.entry]).count == 1)
    #expect(file.neededLibraries == [] && file.checksum == nil)
    // Another file at the same path is not taken for it.
    let other = try directory.write(try contents("/usr/bin/env"), to: "other")
    #expect(rename(other, program) == 0)
    #expect(file.neededLibraries == [])
  }

  /// On some files it computes for ever. Where it is ended too early, the symbol table answers.
  private static let tool: LLVMSymbolizer? = {
    var tool = LLVMSymbolizer.find()
    tool?.timeLimit = 2
    return tool
  }()

  /// Corrupts a program in a few places: anywhere, in its headers, in its DWARF, at its end.
  private func broken(
    _ source: [UInt8], _ targets: [Range<Int>], using random: inout SeededGenerator
  ) -> [UInt8] {
    var bytes = source
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      let target = targets.randomElement(using: &random) ?? 0..<bytes.count
      let place = Int.random(in: target, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes[place] = [0, 0x7f, 0x80, 0xff].randomElement(using: &random) ?? 0
      case 2: for index in place..<min(place + 8, target.upperBound) { bytes[index] = 0xff }
      default: bytes[place..<min(place + 16, target.upperBound)].shuffle(using: &random)
      }
    }
    if Int.random(in: 0..<6, using: &random) == 0 {
      bytes.removeSubrange(Int.random(in: 0..<bytes.count, using: &random)...)
    }
    return bytes
  }

  /// Where a program's headers, section names and numbers, symbols and DWARF are.
  private func targets(of program: KnownProgram, size: Int) throws -> [Range<Int>] {
    let file = try ELFFile(path: program.path)
    let names = [
      ".debug_info", ".debug_abbrev", ".debug_line", ".debug_str", ".symtab", ".strtab", ".note.gnu.build-id",
    ]
    let sections = names.compactMap(file.section(named:)).filter { $0.size > 0 }
      .map { Int($0.offset)..<Int($0.offset + $0.size) }
    #expect(sections.count >= 5)
    return sections + [0..<64, size - 64 * file.sections.count..<size]
  }

  @Test func theyAreSurvived() throws {
    let program = try KnownProgram(["-Wl,--build-id", "-Wl,--build-id"])
    let source = try contents(program.path)
    let targets = try targets(of: program, size: source.count)
    var random = SeededGenerator()
    var answers = 0
    for round in 0..<150 {
      let path = try program.directory.write(broken(source, targets, using: &random), to: "broken")
      guard let file = try? ELFFile(path: path) else { continue }
      _ = (
        file.hasDebugInformation, file.debugLink, file.checksum, file.symbols(at: program.addresses).map { $0?.name }
      )
      // The tool takes some 15 ms for each file.
      var symbolizer = Symbolizer(tool: round % 3 == 0 ? Self.tool : nil)
      let frames = try? symbolizer.frames(of: Image(path: path, buildID: file.buildID), at: program.addresses)
      answers += frames?.count ?? 0
    }
    #expect(answers > 0, "nothing was read at all, seed \(random.seed)")
  }

  private func number(_ value: UInt64, _ size: Int = 8) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private func section(
    _ name: UInt64, _ type: UInt64, _ offset: Int, _ size: Int, link: UInt64 = 0, entrySize: UInt64 = 16,
    flags: UInt64 = 0
  ) -> [UInt8] {
    number(name, 4) + number(type, 4) + number(flags) + number(0) + number(UInt64(offset)) + number(UInt64(size))
      + number(link, 4) + number(0, 4) + number(0) + number(entrySize)
  }

  /// A file of a header, contents, and section headers, the first of which is null.
  private func file(_ content: [UInt8], _ sections: [[UInt8]], in directory: TemporaryDirectory) throws -> ELFFile {
    var header: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 57)
    header.replaceSubrange(40..<48, with: number(UInt64(64 + content.count)))
    header.replaceSubrange(58..<64, with: number(64, 2) + number(UInt64(sections.count + 1), 2) + number(1, 2))
    let bytes = header + content + section(0, 0, 0, 0) + sections.flatMap { $0 }
    return try ELFFile(path: try directory.write(bytes, to: "crafted"))
  }

  /// A file with these functions: in .symtab, with the names in the section before it.
  private func file(
    functions: [(name: Int, address: UInt64, size: UInt64)], names: [UInt8], in directory: TemporaryDirectory
  ) throws -> ELFFile {
    let table = functions.flatMap { function in
      number(UInt64(function.name), 4) + [0x12, 0] + number(3, 2) + number(function.address) + number(function.size)
    }
    let sections = [
      section(0, 3, 64, names.count), section(0, 2, 64 + names.count, table.count, link: 1, entrySize: 24),
      section(0, 1, 64, 0, flags: 4),
    ]
    return try file(names + table, sections, in: directory)
  }

  /// The innermost function at each address, as a look at each function for each address finds it.
  @Test func theInnermostFunctionIsFound() throws {
    let directory = try TemporaryDirectory()
    var random = SeededGenerator()
    for _ in 0..<20 {
      let functions = (0..<60).map { (place: Int) -> (name: Int, address: UInt64, size: UInt64) in
        let size = Bool.random(using: &random) ? UInt64.random(in: 0..<100, using: &random) : .max
        return (1 + 4 * place, UInt64.random(in: 0..<100, using: &random), size)
      }
      let names: [UInt8] = [0] + (0..<60).flatMap { Array("f\($0 + 10)".utf8) + [0] }
      let file = try self.file(functions: functions, names: names, in: directory)
      let count = Int.random(in: 1...40, using: &random)
      let addresses = (0..<count).map { _ in UInt64.random(in: 0..<250, using: &random) }
      let expected = addresses.map { address -> String? in
        let covering = functions.indices.filter { place in
          let (start, size) = (functions[place].address, functions[place].size)
          return start <= address && address - start < max(size, 1)
        }
        func key(_ place: Int) -> (UInt64, Int, UInt64, Int) {
          let (_, address, size) = functions[place]
          return (.max - address, size == 0 ? 1 : 0, size, place)
        }
        return covering.min { key($0) < key($1) }.map { "f\($0 + 10)" }
      }
      #expect(file.symbols(at: addresses).map { $0?.mangledName } == expected, "seed \(random.seed)")
    }
  }

  /// Each of 40,000 functions covers each of 40,000 addresses.
  @Test func enormousFunctionsTakeNoMoreTime() throws {
    let directory = try TemporaryDirectory()
    let functions = (0..<40_000).map { (name: 1, address: UInt64($0), size: UInt64.max / 2) }
    let file = try self.file(functions: functions, names: [0, 0x66, 0], in: directory)
    let symbols = file.symbols(at: (100_000..<140_000).map { $0 })
    #expect(symbols.allSatisfy { $0?.address == 39_999 && $0?.name == "f" })
  }

  /// Each name is the one before it without its first letter.
  @Test func namesOfFunctionsThatOverlapAreBounded() throws {
    let directory = try TemporaryDirectory()
    let functions = (0..<20_000).map { (name: 1 + $0, address: UInt64($0), size: UInt64(1)) }
    let names = [0] + [UInt8](repeating: UInt8(ascii: "n"), count: 60_000) + [0]
    let file = try self.file(functions: functions, names: names, in: directory)
    let found = file.symbols(at: (0..<20_000).map { $0 }).compactMap { $0 }
    #expect(found.reduce(0) { $0 + $1.mangledName.utf8.count } <= Int(file.size))
    #expect(found.first?.mangledName.utf8.count == 60_000)
    let functionNames = file.functions.map(\.mangledName)
    #expect(functionNames.count > 5 && functionNames.reduce(0) { $0 + $1.utf8.count } <= Int(file.size))
    // One name that many addresses need counts once.
    let one = try self.file(functions: [(name: 1, address: 0, size: 100_000)], names: names, in: directory)
    #expect(one.symbols(at: (0..<20_000).map { $0 }).allSatisfy { $0?.mangledName.utf8.count == 60_000 })
  }

  /// Thousands of sections and segments that all have the same notes.
  @Test func contentsThatOverlapAreReadAFewTimes() throws {
    let directory = try TemporaryDirectory()
    let note = number(4, 4) + number(0, 4) + number(9, 4) + Array("abc\0".utf8)
    let notes = [[UInt8]](repeating: note, count: 60_000).flatMap { $0 }
    let sections = [[UInt8]](repeating: section(0, 7, 64, notes.count), count: 60_000)
    let file = try self.file(notes, sections, in: directory)
    #expect(file.buildID.isEmpty && (8..<100).contains(file.sections.count))
    let segments = [[UInt8]](
      repeating: number(4, 4) + number(0, 4) + number(64) + number(0) + number(0) + number(UInt64(notes.count))
        + number(0) + number(0), count: 60_000)
    var header: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 57)
    header.replaceSubrange(32..<40, with: number(UInt64(64 + notes.count)))
    header.replaceSubrange(54..<58, with: number(56, 2) + number(60_000, 2))
    let path = try directory.write(header + notes + segments.flatMap { $0 }, to: "segments")
    #expect(try ELFFile(path: path).buildID.isEmpty)
  }

  /// Section headers, and entries that name libraries, all with long names that overlap.
  @Test func namesThatOverlapAreBounded() throws {
    let names = [UInt8](repeating: UInt8(ascii: "n"), count: 5_000) + [0]
    // DT_NEEDED, each a byte after the one before it.
    let dynamic = (0..<5_000).flatMap { number(1) + number(UInt64($0)) }
    let sections = [
      section(0, 3, 64, names.count), section(4_999, 6, 64 + names.count, dynamic.count, link: 1),
    ]
    let directory = try TemporaryDirectory()
    let file = try self.file(names + dynamic, sections, in: directory)
    #expect(file.neededLibraries.count == 4_096 && file.neededLibraries.allSatisfy { $0.utf8.count <= 4_096 })
    #expect(file.section(named: "n")?.type == 6 && file.section(named: "nn") == nil && file.hasSection(prefix: "nnn"))
  }

  /// A file in a build ID directory, and one that a debug link names.
  @Test func brokenDebugFilesCostNoMoreThanTheirLines() throws {
    let program = try KnownProgram(["-rdynamic", "-Wl,--build-id"])
    let directory = program.directory
    try Compiler.strip("known", debugTo: "known.debug", in: directory)
    try Compiler.run("objcopy", ["--add-gnu-debuglink=known.debug", "known"], in: directory)
    let source = try contents(directory.appending("known.debug"))
    var random = SeededGenerator()
    for _ in 0..<40 {
      try directory.write(broken(source, [64..<source.count], using: &random), to: "known.debug")
      var symbolizer = Symbolizer(tool: Self.tool)
      let frames = try symbolizer.frames(of: program.image, at: [program.address])[0]
      // A broken file may say anything, also other names.
      #expect(!frames.isEmpty)
    }
  }
}
