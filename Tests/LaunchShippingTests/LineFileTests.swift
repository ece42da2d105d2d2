// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import LaunchRecord
import LaunchShipping
import TestSupport
import Testing

struct LineFileTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func path(_ ending: String) -> String { directory.appending("launches.jsonl" + ending) }

  private func bytes(_ path: String) throws -> [UInt8] {
    let file = try #require(fopen(path, "re"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
    return bytes
  }

  @Test(arguments: ["", ".gz", ".zst"])
  func linesAreReadByOtherTools(ending: String) throws {
    var file = LineFile(path: path(ending))
    try file.replace(with: ["left"])
    try file.replace(with: ["{1}", "{2}"])
    try file.append(["{3}"])
    try file.append(["{4}"])
    try file.append([])
    let tool = ["": "cat", ".gz": "zcat", ".zst": "zstdcat"][ending] ?? ""
    let run = try TestProcess.run("/usr/bin/env", [tool, file.path])
    #expect(run.text == "{1}\n{2}\n{3}\n{4}\n")
  }

  /// What another writer appended until then goes, too: no part of it stays behind the new lines.
  @Test func aFileIsReplacedWhenItsTurnComes() throws {
    let lines = (0..<40).map { sampleRecord($0).line }
    var other = LineFile(path: path(""))
    try other.append([lines[0]])
    // A lock belongs to what open(2) made, so it does not keep out this other descriptor.
    let holder = open(other.path, O_WRONLY | O_APPEND | O_CLOEXEC)
    defer { close(holder) }
    #expect(flock(holder, LOCK_EX) == 0)
    let replaced = DispatchSemaphore(value: 0)
    DispatchQueue.global().async { [file = LineFile(path: path(""))] in
      try? file.replace(with: ["one", "two"])
      replaced.signal()
    }
    var status = stat()
    fstat(holder, &status)
    // `1: -> FLOCK  ADVISORY  WRITE 77 08:01:1234 0 EOF` waits for a lock.
    try waitUntil("the other writer waits for its turn") {
      let locks = String(decoding: try contents("/proc/locks"), as: UTF8.self).split(separator: "\n")
      return locks.contains { $0.contains("->") && $0.contains(":\(status.st_ino) ") }
    }
    let text = Array(lines.map { $0 + "\n" }.joined().utf8)
    #expect(write(holder, text, text.count) == text.count)
    flock(holder, LOCK_UN)
    replaced.wait()
    #expect(try String(decoding: bytes(path("")), as: UTF8.self) == "one\ntwo\n")
  }

  /// Also by another name: the file would be doubled.
  @Test func aFileIsNotShippedToItself() throws {
    try directory.write(Array((sampleRecord(1).line + "\n").utf8), to: "launches.jsonl")
    #expect(symlink("launches.jsonl", path(".link")) == 0)
    for name in [path(""), path(".link")] {
      let destination = try Destination(name, format: .json, headers: [])
      let error = #expect(throws: ShippingError.self) { try destination.check(source: path("")) }
      #expect(error?.code == .badDestination)
    }
    for name in [path(".new"), "otlp=http://localhost"] {
      try Destination(name, format: .json, headers: []).check(source: path(""))
    }
  }

  /// A trace begins with an end of line.
  @Test(arguments: ["\n\u{3}abc", "\u{7f}ELF", "notes\n"]) func nothingIsAppendedToOtherFiles(content: String) throws {
    try directory.write(content, to: "launches.jsonl")
    var file = LineFile(path: path(""))
    #expect(throws: ShippingError.self) { try file.check() }
    #expect(throws: ShippingError.self) { try file.append([sampleRecord(1).line]) }
    #expect(try bytes(file.path) == Array(content.utf8))
  }

  @Test func aFileThatCannotBeWrittenIsNamed() {
    var file = LineFile(path: "/nowhere/at/all")
    let error = #expect(throws: ShippingError.self) { try file.append(["line"]) }
    #expect(error?.description == "/nowhere/at/all: cannot be written: No such file or directory")
  }

  /// A writer that is killed leaves a part of its last line. What follows is not joined to it.
  @Test func theLineOfAKilledWriterStaysAlone() throws {
    var file = LineFile(path: path(""))
    try file.append([sampleRecord(1).line])
    let whole = try bytes(file.path)
    for size in [whole.count + 1, whole.count + 40, 2 * whole.count - 1] {
      try directory.write((whole + Array(sampleRecord(2).line.utf8))[..<size].map { $0 }, to: "launches.jsonl")
      try file.append([sampleRecord(3).line])
      try file.append([sampleRecord(4).line])
      let (lines, broken) = try file.records()
      let isComplete = size == 2 * whole.count - 1
      #expect(lines == [1, 2, 3, 4].filter { $0 != 2 || isComplete }.map { sampleRecord($0).line })
      #expect(broken == (isComplete ? 0 : 1))
    }
  }

  /// Readers stop at a torn frame: nothing is appended behind it, and nothing is cut.
  @Test(arguments: [".gz", ".zst"])
  func nothingIsAppendedBehindTheFrameOfAKilledWriter(ending: String) throws {
    var file = LineFile(path: path(ending))
    try file.append([sampleRecord(1).line])
    let first = try bytes(file.path)
    try file.append([sampleRecord(2).line])
    let both = try bytes(file.path)
    for size in 1..<both.count where size != first.count {
      try directory.write(Array(both[..<size]), to: "launches.jsonl" + ending)
      // One that knows the file from before, and one that does not.
      var other = LineFile(path: file.path)
      for _ in 0..<2 {
        let error = #expect(throws: ShippingError.self) { try other.append([sampleRecord(3).line]) }
        #expect(error?.code == .cannotWrite && error?.message.contains("whole compressed frame") == true)
        #expect(throws: ShippingError.self) { try file.append([sampleRecord(3).line]) }
      }
      #expect(try bytes(file.path) == Array(both[..<size]))
    }
    rename(file.path, file.path + ".torn")
    try file.append([sampleRecord(3).line])
    #expect(try file.records().lines == [sampleRecord(3).line])
  }

  @Test(arguments: [".gz", ".zst"])
  func nothingIsAppendedToWhatIsNotCompressed(ending: String) throws {
    try directory.write(sampleRecord(1).line + "\n", to: "launches.jsonl" + ending)
    var file = LineFile(path: path(ending))
    #expect(throws: ShippingError.self) { try file.append([sampleRecord(2).line]) }
    // Nor behind the zeros that a power failure leaves.
    try file.replace(with: [sampleRecord(1).line])
    try directory.write(try bytes(file.path) + [0, 0, 0, 0], to: "launches.jsonl" + ending)
    #expect(throws: ShippingError.self) { try file.append([sampleRecord(2).line]) }
  }

  @Test(arguments: [".gz", ".zst"])
  func emptyFilesAreAppendedTo(ending: String) throws {
    for start in [[], nil] as [[String]?] {
      if let start { try LineFile(path: path(ending)).replace(with: start) } else { unlink(path(ending)) }
      if start == nil { try directory.write("", to: "launches.jsonl" + ending) }
      var file = LineFile(path: path(ending))
      #expect(try file.records() == ([], 0))
      try file.append([sampleRecord(1).line])
      #expect(try file.records().lines == [sampleRecord(1).line])
    }
  }

  /// The end of a full disk: the limit of the size of a file ends a write in its middle, too.
  @Test(arguments: ["", ".gz", ".zst"])
  func aFullDiskLosesNothing(ending: String) throws {
    let spool = try FilledSpool(150)
    var file = LineFile(path: path(ending))
    try file.append([sampleRecord(1000).line])
    try file.append([sampleRecord(1001).line])
    let before = try bytes(file.path)
    let program = try BuiltProgram.product("shipping-program")
    let ship = [program, spool.path, file.path]
    let limited = "ulimit -f 4; trap '' XFSZ; exec \"$0\" \"$@\""
    let run = try TestProcess.run("/bin/sh", ["-c", limited] + ship)
    #expect(run.outcome == .exited(1))
    #expect(run.text == "\(file.path): cannot be written: File too large\n")
    #expect(try bytes(file.path) == before)
    #expect(spool.left.count == 150)
    #expect(try TestProcess.run(program, Array(ship.dropFirst())).succeeded)
    #expect(spool.left.isEmpty)
    let (lines, broken) = try file.records()
    #expect(lines.count == 152 && broken == 0)
    let ids = Set(lines.compactMap { RecordReader.read($0)?.text(.id) })
    #expect(ids.isSuperset(of: spool.ids))
  }

  // MARK: Reading

  @Test(arguments: [".gz", ".zst"])
  func aFileThatIsCutOffIsNotReadInPart(ending: String) throws {
    var file = LineFile(path: path(ending))
    try file.append([sampleRecord(1).line])
    let first = try bytes(file.path)
    try file.append([sampleRecord(2).line])
    let both = try bytes(file.path)
    for size in [8, 20, first.count - 1, first.count + 8, both.count - 1] {
      try directory.write(Array(both[..<size]), to: "launches.jsonl" + ending)
      let error = #expect(throws: ShippingError.self) { try file.records() }
      #expect(
        error?.description == "\(file.path): cannot be read: its compressed data are broken or cut off", "\(size)")
    }
    try directory.write(
      Array(both[..<20]) + [UInt8](repeating: 0xff, count: 20) + both[40...], to: "launches.jsonl" + ending)
    #expect(throws: ShippingError.self) { try file.records() }
  }

  /// Records that are not read must not count as sent.
  @Test(arguments: [".gz", ".zst"])
  func whatFollowsTheCompressedRecordsIsNotPassedOver(ending: String) throws {
    let file = LineFile(path: path(ending))
    try file.replace(with: [sampleRecord(1).line])
    try directory.write(try bytes(file.path) + Array((sampleRecord(2).line + "\n").utf8), to: "launches.jsonl" + ending)
    #expect(throws: ShippingError.self) { try file.records() }
  }

  @Test func whatCannotBeReadIsSaid() throws {
    for (path, reason) in [
      ("/nowhere/at/all", "No such file or directory"),
      (directory.path, "it is a directory; --spool sends the records of a spool"),
    ] {
      let error = #expect(throws: ShippingError.self) { try LineFile(path: path).records() }
      #expect(error?.description == "\(path): cannot be read: \(reason)")
    }
  }

  @Test func longLinesAreNoRecords() throws {
    let file = LineFile(path: path(".zst"))
    let long = "{\"x\":\"" + String(repeating: "x", count: 3 << 20) + "\"}"
    try file.replace(with: [long, sampleRecord(1).line, long])
    let (lines, broken) = try file.records()
    #expect(lines == [sampleRecord(1).line] && broken == 2)
  }

  /// The file is read 1 MiB at a time. A member may end one byte before the end of such a piece.
  @Test func membersEndAnywhereInAPiece() throws {
    var file = LineFile(path: path(".gz"))
    try file.replace(with: [sampleRecord(1).line])
    let member = try bytes(file.path)
    for size in (1 << 20) - 2...(1 << 20) + 2 {
      // A comment behind the ten bytes of the head (RFC 1952, 2.3) makes a member as long as wanted.
      var long = member
      long[3] |= 0x10
      long.insert(contentsOf: [UInt8](repeating: 0x78, count: size - member.count - 1) + [0], at: 10)
      #expect(long.count == size)
      try directory.write(long, to: "launches.jsonl.gz")
      try file.append([sampleRecord(2).line])
      #expect(try file.records().lines == [sampleRecord(1).line, sampleRecord(2).line])
    }
  }
}
