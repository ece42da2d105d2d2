// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchRecord
import LaunchShipping
import TestSupport
import Testing

struct SpoolTests {
  let directory: TemporaryDirectory
  var spool: String { directory.appending("spool") }

  init() throws { directory = try TemporaryDirectory() }

  func launch(_ mode: String, files: Int? = nil, oneIn: Int? = nil) throws {
    let more = [files ?? (oneIn == nil ? nil : 1000), oneIn].compactMap { $0.map(String.init) }
    let run = try TestProcess.run(
      try BuiltProgram.product("spooling-program"), [mode, directory.appending("launch.pftrace"), spool] + more)
    try #require(run.succeeded, "\(run.errorText)")
  }

  @Test func aProgramThatEndsAtOnceLeavesItsRecord() throws {
    try launch("quick")
    let names = Spool.records(in: spool)
    try #require(names.count == 1)
    let record = try Spool.read(spool + "/" + names[0])
    #expect(names[0].contains(try #require(record.text(.id))))
    #expect(record.text(.outcome) == "completed")
    #expect(record.text("meta.store") == "sqlite")
    #expect(record.number(.sample) == nil)
    #expect(Spool.provisional(in: spool).isEmpty)
  }

  /// Anyone who may write to the spool can make one.
  @Test func namedPipesHoldNoProgramUp() throws {
    try launch("quick")
    let left = ".open-1795341600000-\(String(repeating: "a", count: 32)).json"
    for name in [left, ".dropped"] { try #require(mkfifo(spool + "/" + name, 0o600) == 0) }
    try launch("quick", files: 2)
    #expect(!Spool.provisional(in: spool).contains(left))
  }

  @Test func theOldestAreDroppedAndCounted() throws {
    var last: [String] = []
    for _ in 0..<5 {
      try launch("quick", files: 3)
      let names = Spool.records(in: spool)
      #expect(names.count <= 3)
      #expect(last.suffix(2).allSatisfy(names.contains), "the newest stay")
      last = names
    }
    #expect(last.count == 3)
    let dropped = try TestProcess.run("/bin/cat", [spool + "/.dropped"])
    #expect(Int(dropped.text.dropLast()) == 2)
  }

  /// A clock that was wrong has left records of the future.
  @Test func recordsOfTheFutureGoFirst() throws {
    try launch("quick", files: 3)
    for number in 0..<3 {
      try directory.write("{}\n", to: "spool/\(4_102_444_800_000 + number)-\(String(repeating: "0", count: 32)).json")
    }
    for count in 2...4 {
      let before = Spool.records(in: spool).filter { $0.hasPrefix("1") }
      try launch("quick", files: 3)
      let names = Spool.records(in: spool)
      let sound = names.filter { $0.hasPrefix("1") }
      #expect(names.count == 3 && sound.count == min(count, 3), "\(names)")
      #expect(before.suffix(2).allSatisfy(sound.contains), "the newest stay")
    }
  }

  /// Whatever the clock says: here a record is later than the start of the launch, and not of the future when it ends.
  @Test func aLaunchNeverDropsItsOwnRecord() throws {
    try launch("quick")
    let own = try #require(Spool.records(in: spool).first)
    unlink(spool + "/" + own)
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let later = "\(now.tv_sec * 1000 + now.tv_nsec / 1_000_000 + 30)-\(String(repeating: "0", count: 32)).json"
    try directory.write("{}\n", to: "spool/" + later)
    try launch("not-drawn", files: 1)
    let names = Spool.records(in: spool)
    #expect(names.count == 1 && names != [later])
  }

  @Test func launchesAtOnceLoseNothing() throws {
    let program = try BuiltProgram.product("spooling-program")
    let running = try (0..<16).map { number in
      try RunningProcess.start(program, ["quick", directory.appending("\(number).pftrace"), spool])
    }
    for program in running { #expect(try program.finish().succeeded) }
    let records = Spool.records(in: spool)
    #expect(records.count == 16)
    for name in records { _ = try Spool.read(spool + "/" + name) }
    #expect(names(in: spool).count == 17, "the records and the lock")
  }

  @Test func oneLaunchInManyStandsForThem() throws {
    for _ in 0..<12 { try launch("quick", oneIn: 4) }
    #expect(Spool.records(in: spool).count < 12)
    // One of thirty times, none of twelve is chosen. Of a hundred more, one is.
    for _ in 0..<100 where Spool.records(in: spool).isEmpty { try launch("quick", oneIn: 4) }
    let records = try Spool.records(in: spool).map { try Spool.read(spool + "/" + $0) }
    #expect(!records.isEmpty)
    for record in records {
      #expect(record.number(.sample) == 4)
      #expect(LaunchID(record.text(.id) ?? "")?.isChosen(oneIn: 4) == true)
    }
  }

  /// If a program is killed before its launch is complete, the next launch finds the record that it left.
  @Test func aProgramThatDiesLeavesARecord() throws {
    let program = try RunningProcess.start(
      try BuiltProgram.product("spooling-program"), ["wait", directory.appending("launch.pftrace"), spool])
    try waitUntil("the record is expected") { !Spool.provisional(in: spool).isEmpty }
    try launch("quick")
    #expect(Spool.records(in: spool).count == 1, "the first program still launches")
    program.signal(SIGKILL)
    _ = try program.finish()
    try launch("quick")
    let records = try Spool.records(in: spool).map { try Spool.read(spool + "/" + $0) }
    #expect(records.map { $0.text(.outcome) } == ["failed", "completed", "completed"])
    #expect(Spool.provisional(in: spool).isEmpty)
  }

  /// The launch goes on in the second execution.
  @Test func aProgramThatExecutesItselfAgainLeavesOneRecord() throws {
    try launch("again")
    let records = try Spool.records(in: spool).map { try Spool.read(spool + "/" + $0) }
    #expect(records.map { $0.text(.outcome) } == ["completed"])
    #expect(Spool.provisional(in: spool).isEmpty)
  }

  /// It cannot say any more how its launch ends. While it lives, this is not known.
  @Test func aProgramThatExecutesAnotherCountsOnceThatHasEnded() throws {
    let program = try RunningProcess.start(
      try BuiltProgram.product("spooling-program"), ["replaced", directory.appending("launch.pftrace"), spool])
    try waitUntil("it has executed the other program") {
      try TestProcess.run("/bin/cat", ["/proc/\(program.processID)/comm"]).text == "sleep\n"
    }
    try launch("quick")
    #expect(Spool.records(in: spool).count == 1 && Spool.provisional(in: spool).count == 1)
    #expect(try LaunchShipping.Spool(path: spool).contents().entries.count == 1)
    program.signal(SIGKILL)
    _ = try program.finish()
    let entries = try LaunchShipping.Spool(path: spool).contents().entries
    let records = entries.compactMap { RecordReader.read($0.line) }
    #expect(records.map { $0.text(.outcome) } == ["failed", "completed"])
    #expect(Spool.provisional(in: spool).isEmpty)
  }

  /// The record of a program that dies says which version it was, and all else that the program had said by then.
  @Test func aProgramThatDiesLeavesItsVersion() throws {
    let program = try RunningProcess.start(
      try BuiltProgram.product("spooling-program"), ["wait", directory.appending("launch.pftrace"), spool])
    try waitUntil("the record has what the program said last") {
      try Spool.provisional(in: spool).contains { name in
        try TestProcess.run("/bin/cat", [spool + "/" + name]).text.contains("meta.store")
      }
    }
    try launch("quick")
    #expect(Spool.records(in: spool).count == 1, "the first program still launches, and holds its lock")
    program.signal(SIGKILL)
    _ = try program.finish()
    let contents = try LaunchShipping.Spool(path: spool).contents()
    let record = try #require(contents.entries.compactMap { RecordReader.read($0.line) }.first)
    #expect(contents.entries.count == 2 && record.text(.outcome) == "failed")
    #expect(record.text(.version) == "2.1" && record.text(.kind) == "warm" && record.text(.context) == "foreground")
    #expect(record.text(.reason) == "userLaunch" && record.text("meta.store") == "sqlite")
    #expect(record.text("meta.secret") == nil && record.text(.build)?.isEmpty == false)
  }

  /// A service that dies before its launch is complete, and is started again each time, never adds a complete record.
  @Test func programsThatOnlyDieAreBoundedToo() throws {
    for _ in 0..<5 {
      let before = Spool.provisional(in: spool)
      let program = try RunningProcess.start(
        try BuiltProgram.product("spooling-program"), ["wait", directory.appending("launch.pftrace"), spool, "2"])
      defer {
        program.signal(SIGKILL)
        _ = try? program.finish()
      }
      try waitUntil("the spool has this launch's record") {
        let now = Spool.provisional(in: spool)
        return now.count == 1 && now != before
      }
      // Until it gives up this lock, it counts what it has dropped.
      Spool.waitForLock(in: spool)
    }
    try launch("quick", files: 2)
    let records = try Spool.records(in: spool).map { try Spool.read(spool + "/" + $0) }
    #expect(records.map { $0.text(.outcome) } == ["failed", "completed"])
    let dropped = try TestProcess.run("/bin/cat", [spool + "/.dropped"])
    #expect(Int(dropped.text.dropLast()) == 4)
    #expect(Spool.provisional(in: spool).isEmpty)
  }

  /// The descriptors that the recorder keeps may be the program's by the end of its launch.
  @Test func aProgramMayCloseTheRecordersDescriptors() throws {
    let run = try TestProcess.run(
      try BuiltProgram.product("spooling-program"), ["daemon", directory.appending("launch.pftrace"), spool])
    #expect(run.succeeded && run.text.isEmpty, "\(run.text)\(run.errorText)")
    let records = try Spool.records(in: spool).map { try Spool.read(spool + "/" + $0) }
    #expect(records.map { $0.text(.outcome) } == ["completed"])
    #expect(Spool.provisional(in: spool).isEmpty)
  }

  /// A relative path means the working directory at the start of the recording. Daemons leave it.
  @Test func aProgramMayChangeItsWorkingDirectory() throws {
    let run = try TestProcess.run(
      "/bin/sh",
      [
        "-c", "cd \"$1\" && exec \"$2\" moved launch.pftrace own-spool", "sh", directory.path,
        try BuiltProgram.product("spooling-program"),
      ])
    #expect(run.succeeded, "\(run.errorText)")
    let spool = directory.appending("own-spool")
    let records = try Spool.records(in: spool).map { try Spool.read(spool + "/" + $0) }
    #expect(records.map { $0.text(.outcome) } == ["completed"])
    #expect(Spool.provisional(in: spool).isEmpty)
  }

  /// As of a variable that is not set. The program filled, and pruned, the directory in which it was started.
  @Test func anEmptyPathIsNoSpool() throws {
    let program = try BuiltProgram.product("spooling-program")
    let run = try TestProcess.run(program, ["quick", "launch.pftrace", ""], directory: directory.path)
    #expect(run.succeeded, "\(run.errorText)")
    #expect(try directory.contents() == ["launch.pftrace"])
  }

  /// What a daemon without standard streams prints goes nowhere, not into the record of its launch.
  @Test func aProgramWithoutStandardStreamsLeavesItsRecordAlone() throws {
    let program = try BuiltProgram.product("spooling-program")
    #expect(
      try TestProcess.run(program, ["streams", directory.appending("launch.pftrace"), spool]).outcome
        == .signalled(SIGKILL))
    try launch("quick")
    let records = try Spool.records(in: spool).map { try Spool.read(spool + "/" + $0) }
    #expect(records.map { $0.text(.outcome) } == ["failed", "completed"])
  }

  /// A server may fork helpers. They have its locks, too, and live on when it has died.
  @Test(arguments: [true, false]) func aHelperThatLivesOnHidesNoRecord(isShipped: Bool) throws {
    let program = try BuiltProgram.product("spooling-program")
    defer { _ = try? directory.write("", to: "spool/.end") }
    #expect(
      try TestProcess.run(program, ["helper", directory.appending("launch.pftrace"), spool]).outcome
        == .signalled(SIGKILL))
    #expect(Spool.provisional(in: spool).count == 1)
    if isShipped {
      #expect(try LaunchShipping.Spool(path: spool).contents().entries.count == 1)
    } else {
      try launch("quick")
      let records = try Spool.records(in: spool).map { try Spool.read(spool + "/" + $0) }
      #expect(records.map { $0.text(.outcome) } == ["failed", "completed"])
    }
    #expect(Spool.provisional(in: spool).isEmpty)
  }

  @Test func aLaunchThatIsHandedOverHasNotFailed() throws {
    try launch("hand-over")
    let names = Spool.records(in: spool)
    try #require(names.count == 1)
    let record = try Spool.read(spool + "/" + names[0])
    #expect(record.text(.outcome) == "completed")
    #expect(record.number(.total) ?? 0 > 0)
    #expect(Spool.provisional(in: spool).isEmpty)
  }
}
