// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import LaunchTrace
import TestSupport
import Testing

/// `launchprof record` with programs that have no recorder.
final class RecordTests: CommandSuite {
  /// The value of an annotation of the `launcher` event.
  private func fact(_ key: String, of path: String) throws -> AnnotationValue? {
    let trace = try TraceReader().read(path: path)
    let category = try #require(trace.strings.id(of: "launchprof.launcher"))
    let row = try #require((0..<trace.instants.count).first { trace.instants.category[$0] == category.rawValue })
    guard let key = trace.strings.id(of: key) else { return nil }
    return trace.annotations.value(row: trace.instants.annotation[row], key: key)
  }

  /// The output is a device, so it cannot be read again.
  @Test func theReportComesFromMemoryAndNotFromTheFile() throws {
    let run = try launchprof.run(["record", "-o", "/dev/null", "--", "sh", "-c", "exit 3"])
    #expect(run.outcome == .exited(3))
    #expect(run.errorText.contains("Recorded /dev/null") && run.errorText.contains("Phases"))
  }

  @Test func standardStreamsAndStatusAreTheProgramsOwn() throws {
    let script = "cat; printf 'to err' >&2; exit 3"
    let run = try launchprof.run(["record", "-q", "--", "sh", "-c", script], input: Array("from in".utf8))
    #expect(run.outcome == .exited(3))
    #expect(run.text == "from in")
    #expect(run.errorText == "to err")
  }

  @Test func theReportGoesToStandardErrorOnly() throws {
    let run = try launchprof.run(["record", "--", "echo", "data"])
    #expect(run.outcome == .exited(0))
    #expect(run.text == "data\n")
    #expect(run.errorText.contains("Recorded echo-"))
    #expect(run.errorText.contains("echo"))
  }

  /// The signal state after exec is the same with and without recording.
  @Test func signalMaskAndDispositionsAreThoseOfADirectStart() throws {
    let command = ["grep", "-E", "^Sig(Blk|Ign|Cgt)", "/proc/self/status"]
    let direct = try TestProcess.run("/usr/bin/env", command)
    #expect(direct.text.contains("SigIgn"))
    #expect(try launchprof.run(["record", "-q", "--"] + command).text == direct.text)
    let nohup = try TestProcess.run("/usr/bin/env", ["nohup"] + command)
    let recorded = try TestProcess.run(
      "/usr/bin/env", ["nohup", Launchprof.path, "record", "-q", "--"] + command, directory: launchprof.directory.path)
    #expect(nohup.text != direct.text)
    #expect(recorded.text == nohup.text)
  }

  /// Such a parent is SwiftPM: its threads block nearly all signals. Only SIGKILL would end launchprof.
  @Test func whatTheParentBlocksReachesUsButIsBlockedInTheProgram() throws {
    func run(_ options: [String], _ command: [String]) throws -> String {
      try TestProcess.run("/usr/bin/env", options + command, directory: launchprof.directory.path).text
    }
    let (blocking, record) = (["--block-signal=TERM,INT,USR1,CHLD"], [Launchprof.path, "record", "-q", "--"])
    let masks = ["grep", "SigBlk", "/proc/self/status"]
    #expect(try run(blocking, masks) != run([], masks))
    #expect(try run(blocking, record + masks) == run(blocking, masks))
    let ours = ["sh", "-c", "grep SigBlk /proc/$PPID/status"]
    #expect(try run(blocking, record + ours) == run([], record + ours))
  }

  @Test(arguments: [SIGSEGV, SIGABRT, SIGKILL, SIGTERM, SIGPIPE])
  func aProgramThatDiesOfASignalTakesUsWithIt(signal: Int32) throws {
    let (run, trace) = try launchprof.record(["sh", "-c", "ulimit -c 0; kill -\(signal) $$"])
    #expect(run.outcome == .signalled(signal))
    #expect(try fact("outcome", of: trace) == .string("signalled"))
    #expect(try fact("signal", of: trace) == .uint(UInt64(signal)))
  }

  @Test func whatTheLauncherKnowsIsInTheTrace() throws {
    let (run, trace) = try launchprof.record(["sh", "-c", "exit 4"])
    #expect(run.outcome == .exited(4))
    #expect(try fact("outcome", of: trace) == .string("exited"))
    #expect(try fact("exit_status", of: trace) == .uint(4))
    #expect(try fact("instrumented", of: trace) == .bool(false))
    #expect(try fact("arguments", of: trace) == .array([.string("-c"), .string("exit 4")]))
    #expect(try fact("directory", of: trace) == .string(launchprof.directory.path))
    guard case .uint(let exec) = try fact("exec_ns", of: trace), case .uint(let exit) = try fact("exit_ns", of: trace)
    else {
      Issue.record("no times")
      return
    }
    #expect(exec < exit)
    #expect(try fact("host", of: trace) != nil)
  }

  @Test func severalRunsGetADirectoryOfTheirOwn() throws {
    let run = try launchprof.run(["record", "-q", "-n", "3", "--warmup", "2", "--", "sh", "-c", "echo x"])
    #expect(run.text == "x\nx\nx\nx\nx\n")
    let directory = try #require(try launchprof.directory.contents().first)
    #expect(directory.wholeMatch(of: #/sh-\d{8}-\d{6}\.launches/#) != nil)
    let traces = try TestProcess.run("/bin/ls", [launchprof.directory.appending(directory)]).text.split(separator: "\n")
    #expect(traces.count == 3)
    #expect(try fact("run", of: launchprof.directory.appending("\(directory)/\(traces[2])")) == .uint(3))
    #expect(try fact("runs", of: launchprof.directory.appending("\(directory)/\(traces[2])")) == .uint(3))
  }

  @Test func seriesOfOneSecondAreNotMixed() throws {
    for _ in 0..<3 { _ = try launchprof.run(["record", "-q", "-n", "2", "--", "true"]) }
    let directories = try launchprof.directory.contents()
    #expect(directories.count == 3)
    for directory in directories {
      #expect(try launchprof.run(["report", directory]).text.contains("2 launches"))
    }
  }

  @Test func ofSeveralRunsTheFirstFailureIsTheStatus() throws {
    let script = "n=$(cat n 2>/dev/null || echo 0); echo $((n+1)) > n; test $n -lt 1 || exit $((40+n))"
    let run = try launchprof.run(["record", "-q", "-n", "4", "-o", "t/", "--", "sh", "-c", script])
    #expect(run.outcome == .exited(41))
    #expect(String(decoding: try contents(launchprof.directory.appending("n")), as: UTF8.self) == "4\n")
  }

  /// A shell, to which launchprof stays attached, stops for each of them. It seemed to sleep.
  @Test func stopsForSignalsAreNoSleep() throws {
    try requirePerf()
    let script = "trap : USR1; i=0; while [ $i -lt 100 ]; do kill -USR1 $$; i=$((i + 1)); done"
    let (run, trace) = try launchprof.record(["sh", "-c", script])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    let report = try launchprof.run(["report", "--full", trace])
    #expect(report.text.inOneLine.contains("stops by launchprof delayed the program by"), "\(report.text)")
  }

  @Test(arguments: ["exit 0", "exit 1", "kill -9 $$", "exec /no/such"])
  func nothingIsLeftInTheTemporaryPlaces(ending: String) throws {
    let run = try launchprof.run(["record", "-q", "--", "sh", "-c", "echo \"$LAUNCHPROF_TRACE\"; \(ending)"])
    let path = try #require(run.text.split(separator: "\n").first)
    #expect(path.hasSuffix("/{pid}.pftrace"))
    let directory = path.split(separator: "/").dropLast().joined(separator: "/")
    #expect(access("/" + directory, F_OK) != 0)
  }

  @Test func aSeriesThatCannotStartLeavesNoDirectory() throws {
    mkdir(launchprof.directory.appending("mine"), 0o777)
    for output in [[], ["-o", "new/"], ["-o", "mine"]] {
      let run = try launchprof.run(["record", "-n", "3"] + output + ["--", "no-such-program"])
      #expect(run.outcome == .exited(127))
    }
    #expect(try launchprof.directory.contents() == ["mine"])
  }

  /// A closed stream stays closed for the program. No file of launchprof gets its number and receives the messages.
  @Test(arguments: ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
  func closedStreamsStayClosed(closing: String) throws {
    let script = "\"$0\" record -o t.pftrace -- sh -c 'ls /proc/self/fd > fds; exit 6' \(closing)"
    let run = try TestProcess.run("/bin/sh", ["-c", script, Launchprof.path], directory: launchprof.directory.path)
    #expect(run.outcome == .exited(6))
    let direct = try TestProcess.run(
      "/bin/sh", ["-c", "sh -c 'ls /proc/self/fd > fds.direct' \(closing)"], directory: launchprof.directory.path)
    #expect(direct.succeeded)
    #expect(
      try contents(launchprof.directory.appending("fds")) == contents(launchprof.directory.appending("fds.direct")))
    #expect(try fact("exit_status", of: launchprof.directory.appending("t.pftrace")) == .uint(6))
    #expect(try launchprof.run(["report", "t.pftrace"]).outcome == .exited(0))
  }

  /// A pipe in place of a closed stream would end the program by SIGPIPE.
  @Test(arguments: ["stdout", "READY"])
  func aClosedOutputStaysClosedWithARule(rule: String) throws {
    let script = """
      "$0" record -o t.pftrace --ready \(rule) -- \
      sh -c 'ls /proc/self/fd > fds; echo one; echo one; echo READY >&2; exit 6' >&-
      """
    let run = try TestProcess.run("/bin/sh", ["-c", script, Launchprof.path], directory: launchprof.directory.path)
    #expect(run.outcome == .exited(6), "\(run.errorText)")
    #expect(run.errorText.split(separator: "\n").contains("READY"))
  }

  @Test func signalsSentToUsReachTheProgram() throws {
    for (signal, status) in [(SIGTERM, 11), (SIGHUP, 12), (SIGUSR1, 13), (SIGINT, 14)] as [(Int32, Int32)] {
      let script =
        "trap 'exit 11' TERM; trap 'exit 12' HUP; trap 'exit 13' USR1; trap 'exit 14' INT;"
        + " : > ready; \(shellWait())"
      let child = try RunningProcess.start(
        Launchprof.path, ["record", "-q", "-o", "t.pftrace", "--", "sh", "-c", script],
        directory: launchprof.directory.path)
      let ready = launchprof.directory.appending("ready")
      try waitUntil("the program has its traps") { access(ready, F_OK) == 0 }
      unlink(ready)
      child.signal(signal)
      #expect(try child.finish().outcome == .exited(status))
    }
  }

  /// A terminal that is closed tells the session's leader only, which may be the launcher: `xterm -e`, `ssh -t`. The
  /// program ran for ever.
  @Test func aClosedTerminalEndsTheProgram() throws {
    let script = "echo program:$$:; exec sleep 100"
    let terminal = try PseudoTerminal(
      [Launchprof.path, "record", "-q", "-o", "t.pftrace", "--", "sh", "-c", script],
      directory: launchprof.directory.path)
    try terminal.wait(for: "program:")
    let program = try #require(pid_t(try terminal.wait(for: ":")))
    terminal.hangUp()
    try waitUntil("the program ended") { kill(program, 0) == -1 && errno == ESRCH }
  }

  private func processes(_ file: String) throws -> [Int32] {
    String(decoding: try contents(launchprof.directory.appending(file)), as: UTF8.self).split(separator: "\n")
      .compactMap { Int32($0) }
  }

  @Test func aTimeOutIsRecordedAndLeavesNothingRunning() throws {
    // A child in its own session that ignores SIGTERM, and an orphaned child.
    let script = """
      trap '' TERM; echo $$ > pids
      setsid sh -c 'trap "" TERM; echo $$ >> pids; \(shellWait())' &
      (sh -c 'echo $$ >> pids; exec sleep 1000' &)
      sleep 1000
      """
    let (run, trace) = try launchprof.record(["sh", "-c", script], options: ["--timeout", "3000ms"])
    #expect(run.outcome == .exited(124))
    #expect(try fact("outcome", of: trace) == .string("timed-out"))
    let processes = try processes("pids")
    #expect(processes.count == 3)
    for process in processes { #expect(kill(process, 0) == -1 && errno == ESRCH) }
  }

  @Test func aStoppedProgramTimesOutToo() throws {
    let (run, _) = try launchprof.record(["sh", "-c", "kill -STOP $$"], options: ["--timeout", "0.3"])
    #expect(run.outcome == .exited(124))
  }

  @Test func processesThatOutliveTheLaunchAreLeftAlone() throws {
    let script = "sleep 60 < /dev/null > /dev/null 2>&1 & echo $! > pids"
    let (run, _) = try launchprof.record(["sh", "-c", script], options: ["--timeout", "20"])
    #expect(run.outcome == .exited(0))
    let process = try #require(try processes("pids").first)
    #expect(kill(process, 0) == 0)
    kill(process, SIGKILL)
  }

  /// The shell has children when it becomes launchprof. What they leave behind does not belong to the program.
  @Test func processesOfTheShellBeforeAreLeftAlone() throws {
    let script = """
      (sleep 60 < /dev/null > /dev/null 2>&1 & echo $! > pids; sleep 0.3) &
      until [ -s pids ]; do sleep 0.01; done
      exec "$0" record -q -o t.pftrace --timeout 1 -- sleep 20
      """
    let run = try TestProcess.run(
      "/bin/sh", ["-c", script, Launchprof.path], directory: launchprof.directory.path)
    #expect(run.outcome == .exited(124))
    let process = try #require(try processes("pids").first)
    #expect(kill(process, 0) == 0)
    kill(process, SIGKILL)
  }

  @Test func aProgramThatCannotBeLaunchedSaysWhy() throws {
    let directory = launchprof.directory
    func check(_ program: String, _ status: Int32, _ message: String) throws {
      let run = try launchprof.run(["record", "--", program])
      #expect(run.outcome == .exited(status))
      #expect(run.errorText.contains(message), "\(run.errorText)")
      #expect(run.errorText.hasPrefix("launchprof: "))
    }
    try check("no-such-program", 127, "not found in PATH")
    try check("./none", 127, "no such program")
    try check("/", 126, "is a directory")
    try directory.write("#!/bin/sh\n", to: "launch-me")
    try check("./launch-me", 126, "chmod +x")
    try check("launch-me", 127, "not found in PATH")
    for (name, text, status, message) in [
      ("no-line", "echo\n", 126, "-- sh \"./no-line\""), ("empty", "", 126, "empty"),
      ("lost", "#!/no/such/shell\n", 127, "its interpreter /no/such/shell does not exist"),
      ("lost-twice", "#!./lost\n", 127, "the interpreter /no/such/shell of ./lost does not exist"),
      ("nothing", "#!", 126, "its first line, #!, does not name a program"),
      ("windows", "#!/bin/sh\r\n", 127, "its first line ends with a carriage return, as on Windows"),
      ("windows-twice", "#!./windows\n", 127, "sed -i 's/\\r$//' \"./windows\""),
    ] as [(String, String, Int32, String)] {
      chmod(try directory.write(text, to: name), 0o755)
      try check("./\(name)", status, message)
    }
    #expect(
      try directory.contents() == [
        "empty", "launch-me", "lost", "lost-twice", "no-line", "nothing", "windows", "windows-twice",
      ])
  }

  @Test func aNameInTheMessageCannotControlTheTerminal() throws {
    let run = try launchprof.run(["record", "--", "./\u{1b}[31mred\n"])
    #expect(run.outcome == .exited(127))
    #expect(!run.errorText.contains("\u{1b}"))
    #expect(run.errorText.split(separator: "\n").count == 1)
    let option = try launchprof.run(["record", "-\u{1b}[31mred"])
    #expect(option.outcome == .exited(64) && option.errorText.contains("Unknown option"), "\(option.errorText)")
    #expect(!option.errorText.contains("\u{1b}"))
  }

  @Test func budgetsAreFoundCompiledAndKept() throws {
    try launchprof.directory.write("interval: 5ms\n", to: "launch-budgets.yml")
    let run = try launchprof.run(["record", "-o", "t.pftrace", "--", "sh", "-c", "cat \"$LAUNCHPROF_BUDGETS\""])
    #expect(run.outcome == .exited(0))
    #expect(run.text.contains("interval\t*\t5000000\n"))
    #expect(run.errorText.contains("Budgets: launch-budgets.yml"))
    #expect(try fact("budgets", of: launchprof.directory.appending("t.pftrace")) == .string(run.text))
    // `gate init` writes only these. Reports said that the launch was within a budget of 400 ms, as if the file had it.
    try launchprof.configure("gate:\n  budgets:\n    total: {p50: 1us}\n")
    let other = try launchprof.run(["record", "-o", "other.pftrace", "--", "true"])
    #expect(other.errorText.contains("Budgets: launch-budgets.yml: none, because"), "\(other.errorText)")
    for (number, text) in ["", "version: 1\n", "gate: {runs: 40}\n"].enumerated() {
      try launchprof.configure(text)
      let none = try launchprof.run(["record", "-o", "\(number).pftrace", "--", "true"])
      #expect(none.errorText.contains("Budgets: launch-budgets.yml: none; the default"), "\(text) \(none.errorText)")
    }
  }

  /// The file may be a pipe, which can be read only once.
  @Test func budgetsAreReadOnce() throws {
    try launchprof.configure("milestones: {redy: 5ms}\n")
    let run = try launchprof.run(["record", "-o", "t.pftrace", "--", "rm", "launch-budgets.yml"])
    #expect(run.outcome == .exited(0))
    let message = "launch-budgets.yml: no launch has a part that matches milestones: redy"
    #expect(run.errorText.contains(message), "\(run.errorText)")
  }

  @Test func brokenBudgetsAreAnErrorWithTheirPlace() throws {
    try launchprof.directory.write("phases:\n  load: soon\n", to: "b.yml")
    for (budgets, message) in [
      ("b.yml", "b.yml:2:9: expected a time"), ("none.yml", "none.yml: "), ("/", "is a directory"),
    ] {
      let run = try launchprof.run(["record", "--budgets", budgets, "--", "sh", "-c", ": > ran"])
      #expect(run.outcome == .exited(125))
      #expect(run.errorText.contains(message), "\(run.errorText)")
    }
    #expect(try launchprof.directory.contents() == ["b.yml"])
  }

  @Test func theTraceIsSoundForOthers() throws {
    let (_, trace) = try launchprof.record(["sh", "-c", "exit 1"])
    try TraceSchema.check(paths: [trace])
    #expect(try TraceProcessor.errorStatistics(path: trace).isEmpty)
  }
}
