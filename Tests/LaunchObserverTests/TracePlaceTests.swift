// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchSystem
import TestSupport
import Testing

@testable import LaunchObserver

struct TracePlaceTests {
  private let directory = try? TemporaryDirectory()

  private func place(_ output: String?, program: String = "/usr/bin/app", runs: Int = 1) throws -> TracePlace {
    try TracePlace(output: output, program: program, runs: runs, stamp: "20260102-030405")
  }

  /// Writes a trace for each run and returns the paths.
  private func fill(_ place: TracePlace, runs: Int) throws -> [String] {
    try (1...runs).map { run in
      var output = try place.open(run: run)
      try output.write([[UInt8(run)]])
      return output.path
    }
  }

  @Test func aFileThatWasNamedIsWrittenOver() throws {
    let directory = try #require(directory)
    let path = try directory.write("a longer content from before", to: "out.bin")
    #expect(try fill(place(path), runs: 1) == [path])
    #expect(try contents(path) == [1])
  }

  @Test func aLinkMayPointToAFileThatIsYetToBeMade() throws {
    let directory = try #require(directory)
    let link = directory.appending("link.pftrace")
    symlink(directory.appending("made.pftrace"), link)
    #expect(try fill(place(link), runs: 1) == [link])
    #expect(try contents(directory.appending("made.pftrace")) == [1])
  }

  /// So that a full disk leaves the old trace.
  @Test func aFileBehindALinkIsReplacedAsAWhole() throws {
    let directory = try #require(directory)
    let old = try directory.write("a longer content from before", to: "old.pftrace")
    let kept = open(old, O_RDONLY)
    defer { close(kept) }
    mkdir(directory.appending("links"), 0o755)
    symlink("../old.pftrace", directory.appending("links/first"))
    let link = directory.appending("second")
    symlink("links/first", link)
    #expect(try fill(place(link), runs: 1) == [link])
    #expect(try contents(old) == [1] && contents(link) == [1])
    #expect(lseek(kept, 0, SEEK_END) == 28)
  }

  /// Whoever has opened it keeps writing to it.
  @Test func aFileThatIsOpenIsWrittenInPlace() throws {
    let directory = try #require(directory)
    let path = try directory.write("before", to: "output")
    let file = open(path, O_RDWR)
    defer { close(file) }
    let link = directory.appending("link")
    symlink("/dev/fd/\(file)", link)
    func isReplaceable(_ path: String) -> Bool {
      if let replacement = FileReplacement.make(of: path) { return replacement.descriptor >= 0 }
      return false
    }
    for place in ["/dev/fd/\(file)", "/proc/self/fd/\(file)", link] { #expect(!isReplaceable(place)) }
    #expect(isReplaceable(path))
  }

  @Test func aDirectoryGetsNamesWithNumbers() throws {
    let root = try #require(directory).path
    #expect(try fill(place(root), runs: 1) == ["\(root)/app-20260102-030405.pftrace"])
    #expect(
      try fill(place(root, runs: 12), runs: 2) == [
        "\(root)/app-20260102-030405-01.pftrace", "\(root)/app-20260102-030405-02.pftrace",
      ])
    #expect(try fill(place("\(root)/a/b/", runs: 1), runs: 1) == ["\(root)/a/b/app-20260102-030405.pftrace"])
    #expect(try fill(place("\(root)/new", runs: 2), runs: 1) == ["\(root)/new/app-20260102-030405-1.pftrace"])
  }

  @Test func nothingInADirectoryIsWrittenOver() throws {
    let root = try #require(directory).path
    // Twenty launches within one second.
    let paths = try (0..<20).flatMap { _ in try fill(place(root), runs: 1) }
    #expect(Set(paths).count == 20)
    #expect(paths[1] == "\(root)/app-20260102-030405_2.pftrace")
    for path in paths { #expect(try contents(path) == [1]) }
  }

  @Test func severalRunsDoNotGoIntoOneFile() throws {
    let directory = try #require(directory)
    let file = try directory.write("x", to: "file")
    #expect(throws: LaunchError.self) { try place(file, runs: 2) }
    #expect(throws: LaunchError.self) { try place(directory.appending("new.pftrace"), runs: 2) }
  }

  @Test func aPlaceThatCannotBeWrittenToIsAnError() throws {
    let directory = try #require(directory)
    let file = try directory.write("x", to: "file")
    #expect(throws: LaunchError.self) { try place("\(file)/below/") }
    #expect(throws: LaunchError.self) { try place("") }
    // Standard output is the program's.
    #expect(throws: LaunchError.self) { try place("-") }
    let missing = try place(directory.appending("none/out.pftrace"))
    do throws(LaunchError) {
      _ = try missing.open(run: 1)
      Issue.record("written into a directory that does not exist")
    } catch {
      #expect(error.code == .cannotWrite)
      #expect(error.errno == ENOENT)
    }
  }

  @Test func theAdviceNamesTheOptionOfTheCommand() throws {
    let file = try #require(directory).write("", to: "file")
    for option in ["-o", "--traces"] {
      let error = #expect(throws: LaunchError.self) {
        try TracePlace(output: file + "/traces/", program: "app", runs: 2, option: option)
      }
      #expect(error?.message.hasSuffix("; choose another one with \(option)") == true)
    }
  }

  @Test func aLaunchThatGaveNothingLeavesNoFile() throws {
    let directory = try #require(directory)
    let kept = try directory.write("from before", to: "kept")
    do { _ = try place(directory.path).open(run: 1) }
    do { _ = try place(kept).open(run: 1) }
    #expect(try directory.contents() == ["kept"])
    #expect(try contents(kept).count == "from before".utf8.count)
  }

  @Test func aFullDiskIsAnErrorAndLeavesNoHalfTrace() throws {
    var output = try place("/dev/full").open(run: 1)
    do throws(LaunchError) {
      try output.write([[1, 2, 3]])
      Issue.record("written to a full device")
    } catch { #expect(error.errno == ENOSPC) }
  }

  @Test(arguments: [
    ("../x/my app", "my app"), ("/a/b\u{1b}[31m\n", "b_[31m_"), ("-rf", "_rf"), (".hidden", "_hidden"), ("", "program"),
    ("/", "_"), ("/b/" + String(repeating: "é", count: 300), String(repeating: "é", count: 64)),
    ("/b/a:b*c", "a_b_c"),
  ])
  func programsGiveSafeNames(program: String, name: String) throws {
    let root = try #require(directory).path
    #expect(try fill(place(root, program: program), runs: 1) == ["\(root)/\(name)-20260102-030405.pftrace"])
  }

  private func contents(_ path: String) throws -> [UInt8] {
    try Array(#require(fileText(path)).utf8)
  }
}
