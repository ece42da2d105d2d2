// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

@testable import LaunchSymbols

struct SymbolizerTests {
  private let inlined = "inner:4 outer:9"

  /// All answers about an image's addresses.
  private func answers(_ symbolizer: Symbolizer, _ image: Image, _ addresses: [UInt64]) throws -> Set<String> {
    var symbolizer = symbolizer
    return Set(try symbolizer.frames(of: image, at: addresses).map(text))
  }

  @Test func linesAndInlinedFunctionsAreFound() throws {
    let program = try KnownProgram()
    let answers = try answers(Symbolizer(), program.image, program.addresses)
    #expect(answers.contains(inlined), "\(answers)")
    #expect(answers.contains("outer:8") || answers.contains("outer:9"), "\(answers)")
    var symbolizer = Symbolizer()
    let frames = try symbolizer.frames(of: program.image, at: [program.address])[0]
    #expect(frames.last?.file.hasSuffix("/known.c") == true)
  }

  @Test func answersKeepTheOrderOfTheQuestions() throws {
    let program = try KnownProgram()
    let main = try Compiler.function("main", of: program.path, in: program.directory).address
    var symbolizer = Symbolizer()
    for _ in 0..<2 {
      let frames = try symbolizer.frames(of: program.image, at: [main, program.address, main, 0, .max])
      #expect(frames.map { $0.last?.mangledName } == ["main", "outer", "main", nil, nil])
    }
  }

  /// Firefox's profiles count from the start of the image, and pprof's from that of the file.
  @Test(arguments: [(["-no-pie"], 0x40_0000), ([], 0)] as [([String], UInt64)])
  func addressesOfOtherToolsAreFound(options: [String], base: UInt64) throws {
    let program = try KnownProgram(options + ["-Wl,--build-id"])
    var symbolizer = Symbolizer()
    let given = [program.address - base, UInt64.max]
    for origin in [AddressOrigin.imageStart, .fileStart] {
      #expect(symbolizer.virtual(given, of: program.image, from: origin)[0] == program.address)
    }
    #expect(symbolizer.virtual(given, of: program.image, from: .fileStart)[1] == .max)
    #expect(symbolizer.virtual(given, of: program.image, from: .virtual) == given)
    #expect(symbolizer.virtual(given, of: Image(path: "/no/such/file"), from: .imageStart) == given)
  }

  /// GNU ld writes it into the name in .symtab, but not in .dynsym.
  @Test func namesHaveNoVersion() throws {
    let directory = try TemporaryDirectory()
    try directory.write("V1 { global: bar; local: *; };\nV2 { global: bar; } V1;\n", to: "versions")
    let path = try Compiler.c(
      """
      __asm__(".symver bar_old, bar@V1\\n.symver bar_new, bar@@V2");
      __attribute__((noinline)) int bar_old(void) { return 1; }
      __attribute__((noinline)) int bar_new(void) { return 2; }
      """, to: "libbar.so", in: directory,
      ["-shared", "-fPIC", "-Wl,--version-script,\(directory.appending("versions"))"])
    let file = try ELFFile(path: path)
    let address = try #require(file.functions.first { $0.mangledName == "bar_new" || $0.mangledName == "bar" }).address
    #expect(file.symbol(at: address)?.name == "bar")
  }

  /// For a series of launches whose traces have the same file and build ID, each address is looked up once.
  @Test func nothingIsAskedTwice() throws {
    let program = try KnownProgram(["-Wl,--build-id"])
    let log = program.directory.appending("asked")
    let tool = program.directory.appending("tool")
    let real = try #require(LLVMSymbolizer.find()).path
    try program.directory.write("#!/bin/sh\necho \"$#\" >> '\(log)'\nexec '\(real)' \"$@\"\n", to: "tool")
    chmod(tool, 0o755)
    var symbolizer = Symbolizer(tool: LLVMSymbolizer([tool]))
    func asked() throws -> Int { try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").count }
    let first = try symbolizer.frames(of: program.image, at: [program.address])
    #expect(first[0].last?.mangledName == "outer" && first[0].last?.line ?? 0 > 0)
    #expect(try asked() == 1)
    #expect(try symbolizer.frames(of: program.image, at: [program.address]) == first)
    #expect(try asked() == 1)
    _ = try symbolizer.frames(of: program.image, at: program.addresses)
    #expect(try asked() == 2)
  }

  /// A tool of an old LLVM may come first in PATH.
  @Test func aToolThatFailsIsNotTheLast() throws {
    let program = try KnownProgram(["-Wl,--build-id"])
    try program.directory.write("#!/bin/sh\nexit 1\n", to: "llvm-symbolizer")
    chmod(program.directory.appending("llvm-symbolizer"), 0o755)
    let real = try #require(LLVMSymbolizer.find()).path
    symlink(real, program.directory.appending("llvm-symbolizer-14"))
    let tool = try #require(LLVMSymbolizer.find(in: [program.directory.path]))
    #expect(tool.path.hasSuffix("/llvm-symbolizer"))
    var symbolizer = Symbolizer(tool: tool)
    #expect(try symbolizer.frames(of: program.image, at: [program.address])[0].last?.line ?? 0 > 0)
    #expect(symbolizer.filesWithoutAnswer.isEmpty)
  }

  /// Another one would hang in the same file: llvm-symbolizer reads a few broken files for ever.
  @Test func aToolThatHangsIsTheLast() throws {
    let program = try KnownProgram(["-Wl,--build-id"])
    let next = program.directory.appending("llvm-symbolizer-14")
    for (path, script) in [("llvm-symbolizer", "exec sleep 1000"), ("llvm-symbolizer-14", "echo >> '\(next).asked'")] {
      try program.directory.write("#!/bin/sh\n\(script)\n", to: path)
      chmod(program.directory.appending(path), 0o755)
    }
    var tool = try #require(LLVMSymbolizer.find(in: [program.directory.path]))
    tool.timeLimit = 1
    var symbolizer = Symbolizer(tool: tool)
    #expect(try symbolizer.frames(of: program.image, at: [program.address])[0].last?.mangledName == "outer")
    #expect(symbolizer.filesWithoutAnswer.count == 1)
    #expect(access(next + ".asked", F_OK) != 0)
  }

  /// An old tool without JSON hung in one file, and no other tool was asked for the rest.
  @Test func aToolThatHangsInOneFileIsNotTheLastForOthers() throws {
    let (program, broken) = try (KnownProgram(["-Wl,--build-id"]), KnownProgram(["-Wl,--build-id"]))
    let script = "case \"$*\" in *\(broken.directory.path)/*) exec sleep 1000 ;; esac"
    try program.directory.write("#!/bin/sh\n\(script)\n", to: "llvm-symbolizer")
    chmod(program.directory.appending("llvm-symbolizer"), 0o755)
    let real = try #require(LLVMSymbolizer.find()).path
    symlink(real, program.directory.appending("llvm-symbolizer-14"))
    var tool = try #require(LLVMSymbolizer.find(in: [program.directory.path]))
    tool.timeLimit = 1
    var symbolizer = Symbolizer(tool: tool)
    let answers = symbolizer.frames(of: [broken, program].map { ($0.image, [$0.address]) })
    #expect(try answers[1].get()[0].last?.line ?? 0 > 0)
    #expect(try answers[0].get()[0].last.map { $0.mangledName == "outer" && $0.line == 0 } == true)
    #expect(symbolizer.filesWithoutAnswer.count == 1)
  }

  /// More files than the tool reads at once: each answer is that of its file, and a file that is missing is only that.
  @Test func severalFilesAreReadAtOnce() throws {
    let programs = try (0..<6).map { _ in try KnownProgram(["-Wl,--build-id"]) }
    let missing = Image(path: "/no/such/program", buildID: "")
    var symbolizer = Symbolizer()
    let answers = symbolizer.frames(
      of: programs.map { ($0.image, $0.addresses) } + [(missing, [1])] + programs.map { ($0.image, [$0.address]) })
    #expect(throws: SymbolError.self) { try answers[6].get() }
    for (index, program) in programs.enumerated() {
      let frames = try answers[index].get()
      #expect(Set(frames.map(text)).contains(inlined))
      #expect(frames.allSatisfy { $0.last.map { $0.file.hasPrefix(program.directory.path) } ?? true })
      #expect(try answers[7 + index].get()[0].last?.mangledName == "outer")
    }
  }

  @Test func aStrippedFileNamesWhatOthersMayCall() throws {
    let program = try KnownProgram(["-rdynamic", "-Wl,--build-id"])
    try Compiler.run("strip", ["known"], in: program.directory)
    #expect(try answers(Symbolizer(), program.image, [program.address]) == ["outer"])
  }

  /// All of its instructions have one name, so that they count as one function.
  @Test func aFunctionWithoutASymbolIsNamedByItsStart() throws {
    let program = try KnownProgram()
    try Compiler.run("strip", ["known"], in: program.directory)
    #expect(try answers(Symbolizer(), program.image, program.addresses) == [program.place])
    try Compiler.run(
      "objcopy", ["--remove-section=.eh_frame_hdr", "--remove-section=.eh_frame", "known"], in: program.directory)
    #expect(try answers(Symbolizer(), program.image, program.addresses) == [""])
  }

  @Test func aDebugFileIsFoundByBuildID() throws {
    let program = try KnownProgram()
    try Compiler.strip("known", debugTo: "known.debug", in: program.directory)
    #expect(try answers(Symbolizer(), program.image, [program.address]) == [program.place])
    let id = program.buildID
    try Compiler.run("mkdir", ["-p", "debug/.build-id/\(id.prefix(2))"], in: program.directory)
    let place = "debug/.build-id/\(id.prefix(2))/\(id.dropFirst(2)).debug"
    try Compiler.run("cp", ["known.debug", place], in: program.directory)
    let symbolizer = Symbolizer(debugRoots: [program.directory.appending("debug")])
    #expect(try answers(symbolizer, program.image, program.addresses).contains(inlined))
    // A file of another build at that place is not accepted.
    let other = try KnownProgram(["-Wl,--build-id", "-DOTHER=1", "-O0"])
    try Compiler.run("cp", [other.path, place], in: program.directory)
    #expect(try answers(symbolizer, program.image, [program.address]) == [program.place])
  }

  @Test(arguments: [".", ".debug"])
  func aDebugFileIsFoundByItsLink(place: String) throws {
    let program = try KnownProgram(["-Wl,--build-id=none"])
    #expect(program.buildID.isEmpty)
    let directory = program.directory
    try Compiler.strip("known", debugTo: "known.debug", in: directory)
    try Compiler.run("objcopy", ["--add-gnu-debuglink=known.debug", "known"], in: directory)
    if place != "." {
      try Compiler.run("mkdir", [place], in: directory)
      try Compiler.run("mv", ["known.debug", place], in: directory)
    }
    #expect(try answers(Symbolizer(), program.image, program.addresses).contains(inlined))
    // With one more byte, it is no longer the file that was linked.
    try Compiler.run("sh", ["-c", "echo >> \(place)/known.debug"], in: directory)
    #expect(try answers(Symbolizer(), program.image, program.addresses) == [program.place])
  }

  @Test func anotherBuildIsRefusedByName() throws {
    let program = try KnownProgram()
    let recorded = Image(path: program.path, buildID: "0123456789abcdef")
    var symbolizer = Symbolizer()
    for _ in 0..<2 {
      let error = #expect(throws: SymbolError.self) { try symbolizer.frames(of: recorded, at: [program.address]) }
      #expect(error?.code == .buildIDMismatch)
      #expect(error?.description.contains(program.path) == true)
      #expect(error?.description.contains(program.buildID) == true)
      #expect(error?.description.contains("0123456789abcdef") == true)
    }
    // A program without a build ID does not match an image with one.
    let error = #expect(throws: SymbolError.self) {
      try symbolizer.frames(of: Image(path: program.path), at: [program.address])
    }
    #expect(error?.message.contains("the trace has none for \(program.path): it had none, or was not readable") == true)
  }

  /// The names that the user expects from the directory are missing. The stripped program still has its own.
  @Test func anotherBuildInTheDirectoryIsNotPassedOverForAStrippedProgram() throws {
    let program = try KnownProgram()
    let other = try KnownProgram(["-Wl,--build-id", "-O0"])
    var symbolizer = Symbolizer(directory: try SymbolDirectory(path: other.directory.path))
    #expect(try Set(symbolizer.frames(of: program.image, at: program.addresses).map(text)).contains(inlined))
    #expect(symbolizer.otherBuilds.isEmpty)
    try Compiler.run("strip", ["known"], in: program.directory)
    symbolizer = Symbolizer(directory: try SymbolDirectory(path: other.directory.path))
    #expect(try symbolizer.frames(of: program.image, at: [program.address]).map(text) == [program.place])
    #expect(symbolizer.otherBuilds.map(\.code) == [.buildIDMismatch])
    #expect(symbolizer.otherBuilds.first?.description.contains(program.buildID) == true)
  }

  @Test func withoutTheToolThereAreNamesOnly() throws {
    let program = try KnownProgram()
    var symbolizer = Symbolizer(tool: nil)
    #expect(try symbolizer.frames(of: program.image, at: [program.address]).map(text) == ["outer"])
    #expect(symbolizer.filesWithoutTool == [program.path])
    // A broken tool is no worse than none.
    for tool in ["/bin/false", "/bin/cat", "/no/such/tool"] {
      var broken = Symbolizer(tool: LLVMSymbolizer([tool]))
      #expect(try broken.frames(of: program.image, at: [program.address]).map(text) == ["outer"], "\(tool)")
      #expect(broken.filesWithoutAnswer == [program.path], "\(tool)")
    }
  }

  @Test func manyAddressesAreAsked() throws {
    let program = try KnownProgram()
    var symbolizer = Symbolizer()
    let addresses = (0..<9000).map { UInt64($0) } + program.addresses
    let frames = try symbolizer.frames(of: program.image, at: addresses)
    #expect(frames.count == addresses.count)
    #expect(Set(frames.suffix(program.addresses.count).map(text)).contains(inlined))
  }

  @Test func namesOfCXXAndSwiftAreReadable() throws {
    let directory = try TemporaryDirectory()
    let cxx = try Compiler.cxx(
      "namespace burn { template <typename T> struct Slow { __attribute__((noinline)) T run(T a) { return a * 3; } }; }\n"
        + "template struct burn::Slow<int>; int main() { return burn::Slow<int>().run(0); }\n",
      to: "cxx", in: directory)
    let slow = try Compiler.function("_ZN4burn4SlowIiE3runEi", of: cxx, in: directory)
    let image = Image(path: cxx, buildID: try ELFFile(path: cxx).buildID)
    #expect(try answers(Symbolizer(), image, [slow.address]) == ["burn::Slow<int>::run(int):1"])
  }

  @Test func swiftFunctionsAndTheirCopiesAreReadable() throws {
    let directory = try TemporaryDirectory()
    let path = try Compiler.swift(
      """
      @main struct App {
        @inline(__always) static func inner(_ text: String) -> Int {
          text.utf8.reduce(7) { $0 &* 31 &+ Int($1) }
        }
        @inline(never) static func slow(_ text: String) -> Int {
          inner(text) + 1
        }
        static func main() { print(slow(CommandLine.arguments[0])) }
      }
      """, to: "swift", in: directory)
    let image = Image(path: path, buildID: try ELFFile(path: path).buildID)
    // The optimiser may have made a copy with another signature.
    var symbolizer = Symbolizer()
    var frames: [[SourceFrame]] = []
    for name in ["$s5swift3AppV4slowySiSSFZ", "$s5swift3AppV4slowySiSSFZTf4nd_n"] {
      guard let function = try? Compiler.function(name, of: path, in: directory) else { continue }
      frames += try symbolizer.frames(of: image, at: (function.address..<function.address + function.size).map { $0 })
    }
    #expect(
      Set(frames.compactMap(\.last).map { FunctionName($0.name).text }) == ["static swift.App.slow(String) -> Int"])
    #expect(frames.contains { text($0).contains("static swift.App.inner(Swift.String) -> Swift.Int:3") })
    #expect(frames.contains { $0.last?.line == 6 && $0.last?.file.hasSuffix("/swift.swift") == true })
  }
}
