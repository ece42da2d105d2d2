// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Foundation
import LaunchTrace
import TestSupport
import Testing

/// Known facts about a program with a recorder, checked from the launch to the report.
final class InstrumentedProgramTests: CommandSuite {
  /// The rows of `report --format csv` as dictionaries.
  private func rows(_ trace: String, _ kind: String = "spans") throws -> [[String: String]] {
    let run = try launchprof.run(["report", trace, "--format", "csv", "--rows", kind])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    let lines = run.text.split(separator: "\r\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let header = try #require(lines.first)
    return lines.dropFirst().map { line in
      Dictionary(zip(header.map(String.init), line.map(String.init))) { first, _ in first }
    }
  }

  private func nanoseconds(_ row: [String: String], _ column: String) -> Int64 { Int64(row[column] ?? "") ?? -1 }

  private func span(_ name: String, in rows: [[String: String]]) throws -> [String: String] {
    let found = rows.filter { $0["path"]?.split(separator: ";").last?.contains(name) ?? false }
    #expect(found.count == 1, "\(name): \(found)")
    return try #require(found.first)
  }

  /// The command may be of a later release than the library in the program.
  @Test(arguments: [("1", true), ("2", false), ("10", false)])
  func budgetsInAFormOfAnotherReleaseAreNotUsed(format: String, areUsed: Bool) throws {
    let budgets = try launchprof.directory.write("format\t\(format)\nmilestone\tready\t1\n", to: "budgets")
    let trace = launchprof.directory.appending("own.pftrace")
    let run = try TestProcess.run(
      Launchprof.instrumented, ["launch"], adding: ["LAUNCHPROF_TRACE": trace, "LAUNCHPROF_BUDGETS": budgets])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    let found = try ObservedLaunch(launchprof, trace).instants("launchprof.budget", "budget")
    #expect(found.contains { $0.annotations["set_by"] == .string("file") } == areUsed, "\(found)")
  }

  /// Its phases and milestones are missing then, and it looked like a program without the library.
  @Test func aProgramThatCannotRecordIsTold() throws {
    let (run, trace) = try launchprof.record(["env", "-i", Launchprof.instrumented])
    #expect(
      run.errorText.inOneLine.contains(
        "instrumented-program contains LaunchProfiler, but recorded nothing: a wrapper may have cleared"),
      "\(run.errorText)")
    let report = try launchprof.run(["report", "--full", trace])
    #expect(report.text.inOneLine.contains("contains LaunchProfiler, but recorded nothing"), "\(report.text)")
    let enforced = try launchprof.record(["env", "-i", Launchprof.instrumented], options: ["--enforce"]).run
    #expect(enforced.outcome == .exited(123))
    #expect(enforced.errorText.contains("the program recorded none of its phases"), "\(enforced.errorText)")
    let (other, _) = try launchprof.record(["env", "-i", "/bin/true"])
    #expect(other.errorText.isEmpty)
  }

  /// A child of the launched process recorded. perf events tell when it was made; the recorder only estimates that.
  @Test func theStartOfAChildThatRecordsIsTheKernels() throws {
    try requirePerf()
    let (run, path) = try launchprof.record(["sh", "-c", "sleep 0.05; \"$0\"; true", Launchprof.instrumented])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    let launch = try ObservedLaunch(launchprof, path)
    #expect(launch.fact("recorded_start_ns") != nil)
    let report = try launchprof.run(["report", path, "--format", "json"])
    #expect(report.text.contains(/"start" ?: ?\{[^}]*"source" ?: ?"kernel"/), "\(report.text.prefix(2000))")
  }

  /// The parts of `report --format json` that these tests read.
  private struct Report: Decodable {
    struct Launch: Decodable {
      struct Finding: Decodable {
        var id: String
        var subject: String
      }
      struct Outcome: Decodable { var kind: String }
      var outcome: Outcome
      var findings: [Finding]
    }
    var launches: [Launch]
  }

  private func launch(_ trace: String) throws -> Report.Launch {
    let run = try launchprof.run(["report", trace, "--format", "json"])
    return try #require(try JSONDecoder().decode(Report.self, from: Data(run.output)).launches.first)
  }

  private func subjects(of finding: String, _ trace: String) throws -> [String] {
    try launch(trace).findings.filter { $0.id == finding }.map(\.subject)
  }

  /// Also if the path that was executed is relative.
  @Test(arguments: [Launchprof.instrumented, "./program"])
  func aStaticInitialiserIsFoundNamedAndSized(_ program: String) throws {
    symlink(Launchprof.instrumented, launchprof.directory.appending("program"))
    let (run, trace) = try launchprof.record(
      [program, "launch"], adding: ["LAUNCHPROF_TEST_INITIALIZER": "burn"])
    #expect(run.outcome == .exited(0))
    let rows = try rows(trace)
    // It burns 5 ms of CPU time by its own clock, so it takes at least that.
    let inC = try span("burn_five_milliseconds (instrumented-program)", in: rows)
    #expect(nanoseconds(inC, "duration_ns") >= 5_000_000)
    #expect(inC["phase"] == "static-init")
    // Clang names the initialiser after the file, GCC after the variable.
    let inCxx = try #require(
      rows.first { $0["path"]?.contains(#/static init of (initializer\.cpp|catalog::all_products)/#) ?? false })
    #expect(nanoseconds(inCxx, "duration_ns") >= 3_000_000)
    let slow = try subjects(of: "slow-static-initializer", trace)
    #expect(slow.contains("burn_five_milliseconds (instrumented-program)"))
  }

  @Test func onlyTheMainThreadIsOverBudget() throws {
    let (_, trace) = try launchprof.record([Launchprof.instrumented, "launch"])
    let rows = try rows(trace)
    let main = try span("build index on main", in: rows)
    let other = try span("build index elsewhere", in: rows)
    let short = try span("parse configuration", in: rows)
    for row in [main, other] { #expect(nanoseconds(row, "duration_ns") >= 40_000_000) }
    #expect(nanoseconds(main, "budget_ns") == 16_000_000)
    #expect(nanoseconds(main, "over_budget_ns") == nanoseconds(main, "duration_ns") - 16_000_000)
    #expect(nanoseconds(other, "over_budget_ns") <= 0)
    #expect(nanoseconds(short, "over_budget_ns") <= 0 || nanoseconds(short, "duration_ns") > 16_000_000)
    let flagged = try subjects(of: "main-thread-over-budget", trace)
    #expect(flagged.contains("build index on main"))
    #expect(!flagged.contains("build index elsewhere"))
  }

  @Test func budgetsOfTheFileAreInForce() throws {
    try launchprof.directory.write(
      "interval: 1 s\nintervals:\n  parse configuration: 1ms\n", to: "launch-budgets.yml")
    let (_, trace) = try launchprof.record([Launchprof.instrumented, "launch"])
    let rows = try rows(trace)
    let short = try span("parse configuration", in: rows)
    let long = try span("build index on main", in: rows)
    #expect(nanoseconds(short, "over_budget_ns") >= 1_000_000)
    #expect(nanoseconds(long, "budget_ns") == 1_000_000_000)
  }

  @Test func aCrashInMainKeepsTheTraceUpToIt() throws {
    let (run, trace) = try launchprof.record([Launchprof.instrumented, "crash"])
    #expect(run.outcome == .signalled(SIGABRT))
    let text = try launchprof.run(["report", "--full", trace]).text
    #expect(text.contains("SIGABRT"), "\(text)")
    let words = try span("last words", in: try rows(trace))
    #expect(nanoseconds(words, "duration_ns") >= 1_000_000)
  }

  @Test func aCrashInAnInitialiserKeepsTheTraceUpToIt() throws {
    let (run, trace) = try launchprof.record(
      [Launchprof.instrumented, "launch"], adding: ["LAUNCHPROF_TEST_INITIALIZER": "crash"])
    #expect(run.outcome == .signalled(SIGABRT))
    _ = try span("burn_five_milliseconds (instrumented-program)", in: try rows(trace))
    #expect(try launchprof.run(["report", trace]).text.contains("SIGABRT"))
  }

  /// It inherits the trace's descriptor, which the recorder closes. So files and programs that it opens get the same
  /// descriptor numbers as in a direct launch.
  @Test func aRecordedProgramHasTheDescriptorsOfADirectLaunch() throws {
    let list = ["execute", "/bin/sh", "-c", "ls /proc/self/fd; echo ${LAUNCHPROF_DESCRIPTOR:+inherited}"]
    let direct = try TestProcess.run(Launchprof.instrumented, list, directory: launchprof.directory.path)
    let (recorded, trace) = try launchprof.record([Launchprof.instrumented] + list)
    #expect(direct.text.split(separator: "\n").count >= 3)
    #expect(recorded.text == direct.text.dropLast() + "inherited\n")
    #expect(try rows(trace).contains { $0["path"]?.contains("before-exec") ?? false })
  }

  @Test func aFailureIsNamedAndPassedThrough() throws {
    let (run, trace) = try launchprof.record([Launchprof.instrumented, "exit", "23"])
    #expect(run.outcome == .exited(23))
    #expect(try launchprof.run(["report", "--full", trace]).text.contains("23"))
  }

  @Test func aTimeOutKeepsTheTrace() throws {
    let (run, trace) = try launchprof.record([Launchprof.instrumented, "wait"], options: ["--timeout", "3"])
    #expect(run.outcome == .exited(124))
    let phases = try rows(trace, "phases")
    #expect(phases.contains { $0["phase"] == "did-finish-launching" })
    #expect(try launch(trace).outcome.kind == "timed-out")
  }

  @Test func phasesAddUpToTheLaunch() throws {
    let (_, trace) = try launchprof.record([Launchprof.instrumented, "launch"])
    let phases = try rows(trace, "phases")
    #expect(phases.contains { $0["phase"] == "static-init" })
    #expect(phases.allSatisfy { nanoseconds($0, "duration_ns") >= 0 })
  }

  @Test func theLastImageOfAProcessIsTheLaunch() throws {
    let command = [Launchprof.instrumented, "execute", Launchprof.instrumented, "launch"]
    let (run, trace) = try launchprof.record(command)
    #expect(run.outcome == .exited(0))
    let rows = try rows(trace)
    _ = try span("build index on main", in: rows)
    #expect(!rows.contains { $0["path"]?.contains("before-exec") ?? false })
  }

  @Test func aProgramBehindAShellIsTheLaunch() throws {
    for script in ["exec \"$0\" launch", "\"$0\" launch; exit 0"] {
      let (run, trace) = try launchprof.record(["sh", "-c", script, Launchprof.instrumented])
      #expect(run.outcome == .exited(0))
      _ = try span("build index on main", in: try rows(trace))
    }
  }

  @Test func childrenThatRecordAreToldOf() throws {
    let run = try launchprof.run([
      "record", "-o", "t.pftrace", "--", Launchprof.instrumented, "spawn", Launchprof.instrumented, "exit", "0",
    ])
    #expect(run.outcome == .exited(0))
    #expect(run.errorText.contains("1 more process of the launch recorded"))
    _ = try span("build index on main", in: try rows("t.pftrace"))
  }

  /// The first launch leaves a process that records during the second one, in which no process records.
  @Test func aProcessOfAnEarlierLaunchIsNotTheLaunch() throws {
    let late = "(\(shellWait(until: "[ -e second ]")); \"$0\" launch; : > recorded) >/dev/null 2>&1 &"
    let second = ": > second; \(shellWait(until: "[ -e recorded ]"))"
    let script = "if [ -e first ]; then \(second); else : > first; \(late) fi"
    let run = try launchprof.run(
      ["record", "-q", "-n", "2", "-o", "s/", "--", "sh", "-c", script, Launchprof.instrumented])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    #expect(access(launchprof.directory.appending("recorded"), F_OK) == 0)
    #expect(try !rows("s").contains { $0["path"]?.contains("build index on main") ?? false })
  }

  @Test func tracesAreSoundForOthers() throws {
    var traces: [String] = []
    for mode in ["launch", "crash", "exit"] {
      traces.append(try launchprof.record([Launchprof.instrumented, mode], to: "\(mode).pftrace").trace)
    }
    try TraceSchema.check(paths: traces)
    #expect(try TraceProcessor.errorStatistics(paths: traces).isEmpty)
    let symbols = try TraceProcessor.query(
      path: traces[0],
      sql: "select count(*) from slice where name = 'build index on main' and dur >= 40000000")
    #expect(symbols == [["1"]])
  }

  @Test func aFullDiskDoesNotCostTheTrace() throws {
    let run = try launchprof.run(["record", "-q", "-o", "/dev/full", "--", Launchprof.instrumented, "launch"])
    #expect(run.outcome == .exited(125))
    let message = try #require(
      run.errorText.firstMatch(of: #/No space left.* is kept as (\/.*\/launchprof-.*)\/(.*)\/(.*)\n/#))
    let kept = "\(message.1)/\(message.2)/\(message.3)"
    #expect(try launchprof.run(["report", "--full", kept]).text.contains("build index on main"))
    unlink(kept)
    rmdir("\(message.1)/\(message.2)")
    rmdir(String(message.1))
  }

  /// The file is truncated to what was recorded: 64 MiB of sparse file must not become 64 MiB of trace.
  @Test func theTraceIsAsLongAsWhatWasRecorded() throws {
    let (_, trace) = try launchprof.record([Launchprof.instrumented, "launch"])
    #expect(try contents(trace).count < 200_000)
  }
}
