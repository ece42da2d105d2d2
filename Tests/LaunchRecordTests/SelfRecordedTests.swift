// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchAnalysis
import LaunchRecord
import LaunchShipping
import LaunchTrace
import TestSupport
import Testing

/// A program that records itself, and `launchprof extract` on its trace: two ways to the same record.
struct SelfRecordedTests {
  let directory: TemporaryDirectory
  var trace: String { directory.appending("launch.pftrace") }
  var spool: String { directory.appending("spool") }

  init() throws { directory = try TemporaryDirectory() }

  func launch(_ arguments: [String]) throws -> Record {
    let run = try TestProcess.run(
      try BuiltProgram.product("spooling-program"), arguments)
    try #require(run.succeeded, "\(run.errorText)")
    return try #require(RecordReader.read(run.text.dropLast()))
  }

  func extracted() throws -> Record {
    LaunchTimeline(trace: try TraceReader().read(path: trace)).record(metadata: ["store"])
  }

  @Test(arguments: ["ready", "inside", "across", "open", "elsewhere", "beside"])
  func bothWaysAgree(mode: String) throws {
    let own = try launch([mode, trace])
    let extracted = try extracted()
    // The launch may end inside an interval.
    if mode == "across" { #expect(own.number("over.configure") ?? 0 >= 6_000_000, "\(own.line)") }
    // Nor does it have to end at all.
    if mode == "open" { #expect(own.number("over.forgotten") ?? 0 >= 6_000_000, "\(own.line)") }
    // The end of the launch cuts a phase of another thread.
    if mode == "beside" { #expect(own.number("phase.beside") ?? 0 >= 1_000_000, "\(own.line)") }
    // A trace that the command did not record lacks what the program knows about itself and its machine.
    let keys: [RecordKey] = [.build, .os, .osVersion, .arch, .cpu, .cores, .memoryMiB, .machine, .cpuTime]
    var fromWithin = Set(keys.map(\.rawValue) + ["count.majorFaults", "count.minorFaults", "count.threads"])
    #expect(fromWithin.isSubset(of: own.fields.map(\.key)))
    // The program also counts what it records while it makes the record, after the end of the launch.
    fromWithin.insert(RecordKey.recorder.rawValue)
    let shared = extracted.fields.filter { !fromWithin.contains($0.key) }
    #expect(shared == own.fields.filter { !fromWithin.contains($0.key) })
    #expect(shared.count > (["across", "open", "beside"].contains(mode) ? 10 : 15))
    #expect(own.line.utf8.count < 2048)
    #expect(RecordReader.read(own.line) == own)
  }

  /// Inside a phase of another thread, what began after the launch was a phase of the program's own record only. A phase
  /// over its budget did not end at `fullyDrawn()`.
  @Test func bothWaysAgreeAfterTheLaunch() throws {
    let run = try TestProcess.run(try BuiltProgram.product("spooling-program"), ["below", trace])
    let lines = run.text.split(separator: "\n")
    try #require(run.succeeded && lines.count == 2, "\(run.text)\(run.errorText)")
    let own = try #require(RecordReader.read(lines[0]))
    func phases(_ record: Record) -> [String] {
      record.fields.filter { $0.key.hasPrefix("phase.") || $0.key.hasPrefix("at.") }.map { "\($0)" }
    }
    #expect(phases(own) == phases(try extracted()))
    #expect(own.number("phase.outer") != nil && own.number("phase.below") == nil, "\(own.line)")
    let late = try #require(own.number("phase.late"))
    #expect(lines[1] == "\(late)", "\(own.line)")
  }

  /// The end of the phase was lost. It seemed to last until the launch was over.
  @Test func aFullTraceSaysThatItLacksEvents() throws {
    for record in [try launch(["full", trace]), try extracted()] {
      #expect(record.number("at.import") != nil && record.number("phase.import") == nil, "\(record.line)")
      #expect(record.number("count.dropped") ?? 0 > 10_000, "\(record.line)")
    }
  }

  /// Most daemons fork at once: within the hundredth of a second in which they began.
  @Test(arguments: [("fork", 1), ("fork-early", 8)]) func aForkMayStartToRecord(mode: String, times: Int) throws {
    for _ in 0..<times {
      let run = try TestProcess.run(try BuiltProgram.product("spooling-program"), [mode, trace])
      let error = try #require(Double(run.text.dropLast()), "\(run.text)\(run.errorText)")
      // The kernel tells the start of a process in hundredths of a second.
      #expect(error > 0 && error <= 10_000_000)
      // Its loading was its parent's. It did not take 0 ns.
      let keys = Set(try extracted().fields.map(\.key))
      #expect(keys.isDisjoint(with: ["phase.load", "phase.static-init", "milestone.preinit", "milestone.main"]))
    }
  }

  /// Also if another thread than the first starts to record, as in a program with an `async` main.
  @Test(arguments: ["ready", "elsewhere"])
  func aRecordSaysWhereTheLaunchWent(mode: String) throws {
    let record = try launch([mode, trace])
    #expect(record.text(.program) == "spooling-program")
    #expect(record.text(.version) == "2.1")
    #expect(record.text(.outcome) == "completed")
    #expect(record.text(.end) == "ready")
    #expect(record.flag(.withinBudget) == true)
    #expect(record.text("meta.store") == "sqlite")
    #expect(!record.line.contains("password") && !record.line.contains("/"))
    let total = try #require(record.number(.total))
    #expect(record.number("milestone.ready") == total)
    let phases = [
      "load", "static-init", "main", "did-finish-launching", "unattributed", "warm-cache", "ready",
    ]
    #expect(phases.reduce(0) { $0 + (record.number("phase.\($1)") ?? 0) } == total, "the outermost phases add up")
    #expect(try #require(record.number("phase.load-index")) >= 2_000_000)
    #expect(record.number("phase.(no name)") != nil && record.number("phase.") == nil)
    #expect(try #require(record.number("phase.elsewhere")) >= 2_000_000)
    #expect(try #require(record.number("over.parse \"all\"")) >= 6_000_000)
    #expect(record.number("phase.after") != nil && record.number("phase.extended") != nil)
  }

  /// The milestone that the program chose ends the launch: for the summary and for the record.
  @Test func theLaunchEndsWhereTheProgramChose() throws {
    let run = try TestProcess.run(try BuiltProgram.product("spooling-program"), ["full-display", trace])
    let lines = run.text.split(separator: "\n")
    try #require(run.succeeded && lines.count == 2, "\(run.text)\(run.errorText)")
    let own = try #require(RecordReader.read(lines[0]))
    let total = try #require(own.number(.total))
    #expect(lines[1] == "true fully-drawn \(total)")
    #expect(own.text(.end) == "fully-drawn" && own.number("milestone.fully-drawn") == total)
    #expect(own.text(.outcome) == "completed" && own.number(.budget) == nil)
    // The trace does not say what the program chose. All other keys agree.
    let extracted = try extracted()
    #expect(extracted.text(.end) == "ready")
    let shared = extracted.fields.filter { $0.key.hasPrefix("phase.") || $0.key.hasPrefix("milestone.") }
    #expect(shared.count > 3, "\(shared)")
    for field in shared { #expect(own.fields.contains(field), "\(field)") }
  }

  @Test func aLaunchThatDoesNotReachTheChosenEndIsNotComplete() throws {
    let run = try TestProcess.run(try BuiltProgram.product("spooling-program"), ["not-drawn", trace])
    let lines = run.text.split(separator: "\n")
    try #require(run.succeeded && lines.count == 3, "\(run.text)\(run.errorText)")
    let own = try #require(RecordReader.read(lines[0]))
    #expect(lines[1].hasPrefix("false no end "))
    #expect(lines[2] == "true", "it has timed out, also later")
    #expect(own.text(.outcome) == "timeout" && own.text(.end) == nil && own.number(.total) == nil)
    #expect(own.number("milestone.ready") != nil)
  }

  @Test(arguments: [("", "unlimited", "the path of the launch trace is empty"), ("launch", "10", "ulimit -f")])
  func anErrorSaysWhatToDo(name: String, limit: String, advice: String) throws {
    let path = name.isEmpty ? "" : directory.appending(name)
    let program = try BuiltProgram.product("spooling-program")
    let run = try TestProcess.run(
      "/bin/sh", ["-c", "ulimit -f \(limit); exec \"$@\"", "sh", program, "quick", path],
      adding: ["SWIFT_BACKTRACE": "enable=no"])
    #expect(!run.succeeded)
    #expect(run.errorText.contains(advice), "\(run.errorText)")
  }

  /// The recorder made a file beside the directory, or one whose name began with `-`.
  @Test(arguments: ["/launches", "/launches/", "/."]) func aDirectoryIsNoPathOfATrace(name: String) throws {
    let folder = directory.appending("launches")
    try #require(mkdir(folder, 0o700) == 0)
    let run = try TestProcess.run(
      try BuiltProgram.product("spooling-program"), ["quick", directory.path + name],
      adding: ["SWIFT_BACKTRACE": "enable=no"])
    #expect(!run.succeeded)
    #expect(run.errorText.contains("/launch-{pid}.pftrace"), "\(run.errorText)")
    #expect(names(in: folder).isEmpty && names(in: directory.path) == ["launches"])
  }

  /// The callback runs on a thread of the recorder. A fault there ended the program without its crash handler, and a
  /// backtrace of Swift's runtime, which stops all threads with SIGPROF, was incomplete.
  @Test func aFaultOfTheCallbackReachesTheCrashHandler() throws {
    let run = try TestProcess.run(
      try BuiltProgram.product("spooling-program"), ["fault", trace], adding: ["SWIFT_BACKTRACE": "enable=no"])
    #expect(run.succeeded)
    #expect(run.text == "SIGTERM is blocked\nSIGPROF arrives\nhandled\n", "\(run.errorText)")
  }

  @Test func aDeadlineThatPassedIsATimeOut() throws {
    let program = try RunningProcess.start(
      try BuiltProgram.product("spooling-program"), ["late", trace, spool])
    try waitUntil("the deadline has passed") { !Spool.records(in: spool).isEmpty }
    program.signal(SIGKILL)
    let run = try program.finish()
    let record = try Spool.read(spool + "/" + Spool.records(in: spool)[0])
    #expect(run.text.isEmpty || RecordReader.read(run.text.dropLast())?.text(.id) == record.text(.id))
    #expect(record.text(.outcome) == "timeout")
    #expect(record.number(.total) == nil)
    // The trace says so, too.
    let timeline = LaunchTimeline(trace: try TraceReader().read(path: trace))
    #expect(timeline.record().text(.outcome) == "timeout" && timeline.record().text(.id) == record.text(.id))
    #expect(timeline.outcome == .deadlinePassed && !timeline.isComplete)
    #expect(timeline.findings.contains { $0.id == FindingName.failedLaunch && $0.advice.contains("deadline") })
  }

  /// A program may compute what is left, and get 0 or less.
  @Test func aDeadlineThatIsOverIsOne() throws {
    let run = try TestProcess.run(try BuiltProgram.product("spooling-program"), ["over", trace])
    #expect(run.text == "deadline\n", "\(run.errorText)")
  }
}
