// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

/// When a program is ready that says so to nobody: `--ready`.
struct ReadyTests {
  private let launchprof: Launchprof

  init() throws { launchprof = try Launchprof() }

  private func record(
    _ command: [String], options: [String] = [], adding: [String: String] = [:]
  ) throws -> (run: TestProcess, report: JSONReport) {
    let (run, trace) = try launchprof.record(command, options: options, adding: adding)
    return (run, try JSONReport(launchprof, trace))
  }

  /// Ready `before` ns after the start or later, and `after` ns or more before the end.
  private func check(_ report: JSONReport, rule: String, isDefault: Bool, before: Int, after: Int) throws {
    #expect(report.end == "ready")
    #expect(report.readyRule == rule)
    #expect(report.isReadyByDefault == isDefault)
    let (ready, exit) = (try #require(report.time("ready")), try #require(report.time("exit")))
    #expect(ready >= before && exit - ready >= after, "\(ready) \(exit)")
    #expect(report.milestone("ready")?["source"] as? String == "launcher")
  }

  // A late look on a loaded machine may take some of the second pause.
  private static let pauses = "sleep 0.2; printf x; sleep 0.5"

  @Test(arguments: ["cat", "cat > out; cat out"], [[], ["--ready", "stdout"]])
  func theFirstByteOfOutput(reader: String, options: [String]) throws {
    let command = [Launchprof.path, "record", "-q", "-o", "t.pftrace"] + options + ["--", "sh", "-c", Self.pauses]
    let words = command.map { "'\($0)'" }.joined(separator: " ")
    let run = try TestProcess.run(
      "/bin/sh", ["-c", reader == "cat" ? "\(words) | cat" : "\(words) > out; cat out"],
      directory: launchprof.directory.path)
    #expect(run.text == "x")
    try check(
      try JSONReport(launchprof, "t.pftrace"), rule: "stdout", isDefault: options.isEmpty, before: 200_000_000,
      after: 250_000_000)
  }

  @Test func aDeviceThatOthersWriteToIsNoSignUnlessAsked() throws {
    let command = "'\(Launchprof.path)' record -q -o t.pftrace"
    func record(_ options: String) throws -> JSONReport {
      let run = try TestProcess.run(
        "/bin/sh", ["-c", "\(command) \(options) -- sh -c '\(Self.pauses)' > /dev/null"],
        directory: launchprof.directory.path)
      #expect(run.succeeded, "\(run.errorText)")
      return try JSONReport(launchprof, "t.pftrace")
    }
    let unasked = try record("")
    #expect(unasked.end == "exit" && unasked.readyRule == "exit" && unasked.isReadyByDefault)
    try check(
      try record("--ready stdout"), rule: "stdout", isDefault: false, before: 200_000_000, after: 250_000_000)
  }

  @Test func withoutOutputTheLaunchEndsWithTheProgram() throws {
    let (_, report) = try record(["sh", "-c", "echo words >&2"])
    #expect(report.end == "exit" && report.readyRule == "exit" && report.isReadyByDefault)
    let (run, asked) = try record(["sh", "-c", "echo words"], options: ["--ready", "exit"])
    #expect(run.text == "words\n")
    #expect(asked.end == "exit" && asked.readyRule == "exit" && !asked.isReadyByDefault && asked.isComplete)
    #expect(asked.milestone("ready") == nil)
  }

  @Test func whatAFailingProgramPrintedIsNoSuccess() throws {
    let (run, report) = try record(["sh", "-c", "echo cannot; exit 3"])
    #expect(run.outcome == .exited(3))
    #expect(report.end == "exit" && !report.isComplete)
    // Whoever asks for the first byte gets it.
    #expect(try record(["sh", "-c", "echo cannot; exit 3"], options: ["--ready", "stdout"]).report.end == "ready")
  }

  @Test func whatNeverComesIsAFailedLaunch() throws {
    let (run, report) = try record(["true"], options: ["--ready", "listen:4"])
    #expect(run.outcome == .exited(0))
    #expect(report.end == "exit" && !report.isComplete)
    #expect((report.finding("failed-launch")?["advice"] as? String)?.contains("never listened on 4") == true)
  }

  @Test(arguments: ["stdout", "stderr"])
  func aPatternInEitherStream(stream: String) throws {
    let out = stream == "stdout" ? "" : ">&2"
    let script = "echo one; sleep 0.2; printf 'ready at 80' \(out); printf '80 now' \(out); sleep 0.5; echo end"
    let (run, report) = try record(["sh", "-c", script], options: ["--ready", #"ready at \d{4}"#])
    #expect(run.text == (stream == "stdout" ? "one\nready at 8080 nowend\n" : "one\nend\n"))
    #expect(run.errorText == (stream == "stdout" ? "" : "ready at 8080 now"))
    try check(report, rule: "pattern", isDefault: false, before: 200_000_000, after: 250_000_000)
    #expect(report.detail("ready")?.hasPrefix("ready at 8080") == true)
  }

  @Test func outputIsPassedOnByteForByte() throws {
    let (run, report) = try record(
      ["sh", "-c", "head -c 3000000 /dev/urandom | tee bytes"], options: ["--ready", "^x$x"])
    #expect(run.output.count == 3_000_000)
    #expect(try contents(launchprof.directory.appending("bytes")) == run.output)
    #expect(!report.isComplete)
  }

  /// `yes | head -1` ends at once, also when we stand between.
  @Test func aReaderThatLeavesEndsTheProgram() throws {
    let script = "'\(Launchprof.path)' record -q -o t.pftrace --ready z -- yes | head -n 1"
    let run = try TestProcess.run("/bin/sh", ["-c", script], directory: launchprof.directory.path, timeout: 30)
    #expect(run.text == "y\n")
    #expect(run.outcome == .exited(0))
  }

  @Test func aProcessThatKeepsTheOutputOpenHoldsNothingUp() throws {
    let (run, _) = try record(["sh", "-c", "sleep 30 & echo pid $!"], options: ["--ready", "pid"])
    let process = try #require(Int32(run.text.filter(\.isNumber)))
    #expect(kill(process, 0) == 0)
    kill(process, SIGKILL)
  }

  /// What the program itself wrote is passed on, and then nobody waits for the other one.
  @Test func aProcessThatGoesOnWritingHoldsNothingUp() throws {
    let (run, _) = try record(["sh", "-c", "yes & echo begun >&2"], options: ["--ready", "z"])
    #expect(run.outcome == .exited(0))
    #expect(run.errorText.hasPrefix("begun\n"))
  }

  /// If it were ended at its first output, a launch that got slower after that would be the faster one.
  @Test func aProgramThatSaysWhenItIsReadyGoesOnUntilThen() throws {
    let (run, report) = try record(
      [Launchprof.instrumented, "say-late"], options: ["--ready", "stdout", "--settle", "0"])
    #expect(run.outcome == .exited(0))
    #expect(report.end == "ready" && report.readyRule == "program" && report.outcome == "ended")
    #expect(report.milestone("ready")?["source"] as? String == "api")
  }

  @Test func aNotification() throws {
    let program = try BuiltProgram.foreign("milestones")
    let (run, report) = try record([program, "notify"], options: ["--ready", "notify", "--settle", "0.3"])
    #expect(run.outcome == .exited(0))
    #expect(run.text == "barrier passed\n")
    // 50 ms before the program's word; the settle time behind it.
    try check(report, rule: "notify", isDefault: false, before: 50_000_000, after: 290_000_000)
    #expect(report.outcome == "ended")
  }

  @Test(arguments: ["port", "worker", "path", "relative path", "@path"], [true, false])
  func aSocketThatListens(kind: String, isDefault: Bool) throws {
    let program = try BuiltProgram.foreign("milestones")
    let path = kind == "@path" ? "@\(launchprof.directory.path)/s" : launchprof.directory.appending("s")
    let isPath = kind.hasSuffix("path")
    let bound = kind == "relative path" ? "s" : path
    let command = isPath ? [program, "path", bound] : [program, kind]
    let rule = isPath ? "listen:\(path)" : "listen"
    let (run, report) = try record(
      command,
      options: isDefault ? ["--timeout", "1"] : ["--ready", rule, "--settle", "200ms"])
    #expect(run.outcome == .exited(isDefault ? 124 : 0))
    try check(report, rule: "listen", isDefault: isDefault, before: 50_000_000, after: 200_000_000)
    #expect(report.outcome == (isDefault ? "timed-out" : "ended"))
    if isPath {
      #expect(report.detail("ready") == bound)
    } else {
      #expect(report.detail("ready") == String(run.text.dropLast()))
    }
  }

  /// The program ends, and a daemon that it made listens: after that, or before (as nginx has it).
  @Test(arguments: ["daemon", "early-daemon"])
  func aDaemonThatListens(kind: String) throws {
    let program = try BuiltProgram.foreign("milestones")
    let (run, report) = try record([program, kind], options: ["--ready", "listen", "--settle", "200ms"])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    // The launch's own process ends at once where the daemon listens already.
    let after = kind == "daemon" ? 200_000_000 : 0
    try check(report, rule: "listen", isDefault: false, before: 50_000_000, after: after)
    #expect(report.outcome == "ended")
    #expect(report.detail("ready") == run.text.split(separator: "\n").first { $0.hasPrefix("port") }.map(String.init))
    let process = try #require(Self.daemon(run))
    #expect(kill(process, 0) == -1 && errno == ESRCH)
  }

  @Test func aDaemonThatNotifies() throws {
    let program = try BuiltProgram.foreign("milestones")
    let (run, report) = try record([program, "notify-daemon"], options: ["--ready", "notify", "--settle", "0"])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    #expect(report.end == "ready" && report.readyRule == "notify" && report.outcome == "ended")
  }

  /// Several launches of one that always takes the same port: each ends before the next begins.
  @Test func daemonsDoNotMeet() throws {
    let (program, port) = (try BuiltProgram.foreign("milestones"), try Self.freePort())
    let run = try launchprof.run(
      ["record", "-n", "3", "-o", "t/", "--ready", "listen:\(port)", "--", program, "daemon", "\(port)"])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    #expect(run.errorText.contains("3 launches") && !run.errorText.contains("failed"), "\(run.errorText)")
  }

  @Test func aDaemonThatNobodyAskedToEndRunsOn() throws {
    let program = try BuiltProgram.foreign("milestones")
    let script = "'\(Launchprof.path)' record -o t.pftrace --ready listen -- '\(program)' daemon > out 2> err"
    let run = try TestProcess.run("/bin/sh", ["-c", "\(script); cat out"], directory: launchprof.directory.path)
    let process = try #require(Self.daemon(run))
    defer { kill(process, SIGKILL) }
    #expect(kill(process, 0) == 0)
    #expect(run.outcome == .exited(0))
    let said = String(decoding: try contents(launchprof.directory.appending("err")), as: UTF8.self)
    #expect(said.contains("keeps running in the background (process \(process))"), "\(said)")
    #expect(try JSONReport(launchprof, "t.pftrace").end == "ready")
  }

  @Test func aBackgroundThatNeverListensIsAFailedLaunch() throws {
    let (run, report) = try record(["sh", "-c", "sleep 0.3 &"], options: ["--ready", "listen"])
    #expect(run.outcome == .exited(0))
    #expect(report.end == "exit" && !report.isComplete)
    let (ended, late) = try record(
      ["sh", "-c", "sleep 100 & echo daemon $!"], options: ["--ready", "listen", "--timeout", "0.5"])
    #expect(ended.outcome == .exited(124))
    #expect(late.outcome == "timed-out")
    let process = try #require(Self.daemon(ended))
    #expect(kill(process, 0) == -1 && errno == ESRCH)
  }

  /// What is beyond a time-out is not the launch's: a program may ignore SIGTERM.
  @Test func aTimeOutEndsTheLaunch() throws {
    let (run, report) = try record(
      ["sh", "-c", "trap '' TERM; while :; do sleep 0.05; done"], options: ["--timeout", "0.5"])
    #expect(run.outcome == .exited(124))
    // The clock of the time-out begins some milliseconds before the program does.
    #expect((400_000_000..<2_500_000_000).contains(report.total), "\(report.total)")
  }

  /// `daemon PID` in what the program wrote.
  private static func daemon(_ run: TestProcess) -> Int32? {
    run.text.split(separator: "\n").first { $0.hasPrefix("daemon ") }.flatMap { Int32($0.dropFirst(7)) }
  }

  /// That of another number is no sign.
  @Test func aPortByItsNumber() throws {
    let ports = try (0..<2).map { _ in try Self.freePort() }
    let script = "'\(try BuiltProgram.foreign("milestones"))' port \(ports[0]) & sleep 0.3; "
    let program = "'\(try BuiltProgram.foreign("milestones"))' port \(ports[1])"
    let (run, report) = try record(
      ["sh", "-c", "\(script) exec \(program)"], options: ["--ready", "listen:\(ports[1])", "--settle", "200ms"])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    try check(report, rule: "listen", isDefault: false, before: 350_000_000, after: 200_000_000)
    #expect(report.detail("ready") == "port \(ports[1])")
  }

  @Test func whereItListensInsteadIsSaid() throws {
    let ports = try (0..<2).map { _ in try Self.freePort() }
    let run = try launchprof.run(
      ["record", "-o", "t.pftrace", "--ready", "listen:\(ports[1])", "--timeout", "1", "--"]
        + [try BuiltProgram.foreign("milestones"), "port", "\(ports[0])"])
    #expect(
      run.errorText.contains(
        "The program never met --ready listen:\(ports[1]). It listened on port \(ports[0]) instead."),
      "\(run.errorText)")
  }

  /// One that nobody listens on.
  static func freePort() throws -> Int {
    let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_addr = in6addr_loopback
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    return try withUnsafeMutablePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        try #require(bind(descriptor, $0, size) == 0)
        try #require(getsockname(descriptor, $0, &size) == 0)
      }
      return Int(UInt16(bigEndian: pointer.pointee.sin6_port))
    }
  }

  @Test func theTextSaysWhichRuleItWas() throws {
    for (options, words) in [([], "ready by default"), (["--ready", "listen"], "ready")] {
      let script = "\(Self.pauses); '\(try BuiltProgram.foreign("milestones"))' port"
      let run = try launchprof.run(
        ["record", "-o", "t.pftrace", "--timeout", "1.5"] + options + ["--", "sh", "-c", script])
      #expect(
        run.errorText.contains(try Regex("\n\(words), seen up to [0-9.]+ [mµ]?s late: it listens")), "\(run.errorText)")
    }
  }

  @Test func ofSeveralRunsEachEndsOnceItIsReady() throws {
    let program = try BuiltProgram.foreign("milestones")
    let run = try launchprof.run(["record", "-n", "3", "-o", "t/", "--ready", "listen", "--", program, "port"])
    #expect(run.outcome == .exited(0))
    #expect(run.text.split(separator: "\n").count == 3)
    #expect(run.errorText.contains("3 launches") && run.errorText.contains("to ready"), "\(run.errorText)")
  }

  /// A program that ignores SIGTERM, and its children.
  @Test func nothingIsLeftOfAProgramThatWasEnded() throws {
    let script = "trap '' TERM; sleep 100 & echo $! > pid; \(shellWait(until: "! echo x"))"
    let (run, report) = try record(["sh", "-c", script], options: ["--ready", "stdout", "--settle", "0"])
    #expect(run.outcome == .exited(0))
    #expect(report.outcome == "ended")
    let text = String(decoding: try contents(launchprof.directory.appending("pid")), as: UTF8.self)
    let process = try #require(Int32(text.filter(\.isNumber)))
    #expect(kill(process, 0) == -1 && errno == ESRCH)
  }

  @Test func aSeriesThatGoesOnSaysHowToEndIt() throws {
    let program = try BuiltProgram.foreign("milestones")
    let run = try launchprof.run(["record", "-n", "2", "-o", "t/", "--timeout", "3.5", "--", program, "port"])
    #expect(run.outcome == .exited(124))
    #expect(run.errorText.contains("--ready listen"), "\(run.errorText)")
  }

  @Test(arguments: [["--ready", "window", "--settle", "0.1"], ["--timeout", "60"]])
  func theFirstWindow(options: [String]) throws {
    let display = try XDisplay(in: launchprof.directory)
    let program = try BuiltProgram.foreign("window")
    let (run, report) = try record([program, "1500"], options: options, adding: display.environment)
    #expect(run.outcome == .exited(0))
    #expect(run.text == "activated\n")
    try check(
      report, rule: "window", isDefault: options[0] != "--ready", before: 1_000_000, after: 90_000_000)
  }

  @Test func theWindowOfAnotherProgramIsNone() throws {
    let display = try XDisplay(in: launchprof.directory)
    let script = "'\(try BuiltProgram.foreign("window"))' 300; : > shown"
    let (run, trace) = (
      try RunningProcess.start(
        Launchprof.path,
        ["record", "-q", "-o", "t.pftrace", "--", "sh", "-c", ": > begun; \(shellWait(until: "[ -e shown ]"))"],
        adding: display.environment, directory: launchprof.directory.path),
      "t.pftrace"
    )
    let begun = launchprof.directory.appending("begun")
    try waitUntil("the program has begun") { access(begun, F_OK) == 0 }
    let other = try TestProcess.run(
      "/bin/sh", ["-c", script], adding: display.environment, directory: launchprof.directory.path)
    #expect(other.text == "activated\n")
    #expect(try run.finish().outcome == .exited(0))
    #expect(try JSONReport(launchprof, trace).readyRule == "exit")
  }

  @Test(arguments: [
    (["--ready", "window"], "no X display"), (["--ready", "listen:0"], "expected a port"),
    (["--ready", "listen:port"], "expected a port"), (["--ready", ""], "expected stdout, notify"),
    (["--ready", "("], "not a regular expression"), (["--settle", "1"], "add --ready"),
    (["--ready", "exit", "--settle", "1"], "already ended"),
    (["--ready", "listen", "--settle", "soon"], "invalid"),
  ])
  func whatCannotBeDoneIsAnErrorBeforeTheProgramRuns(options: [String], message: String) throws {
    let run = try launchprof.run(["record"] + options + ["--", "sh", "-c", ": > ran"], adding: ["DISPLAY": ""])
    #expect(run.outcome != .exited(0))
    #expect(run.errorText.contains(message), "\(run.errorText)")
    #expect(try launchprof.directory.contents() == [])
  }

  @Test func theTracesAreSoundForOthers() throws {
    let (_, trace) = try launchprof.record(["echo", "x"], options: ["--ready", "x"])
    try TraceSchema.check(paths: [trace])
    #expect(try TraceProcessor.errorStatistics(path: trace).isEmpty)
  }
}
