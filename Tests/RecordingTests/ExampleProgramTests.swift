// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// The programs of Examples, built as users build them (scripts/build-examples) and recorded by the command.
struct ExampleProgramTests {
  @Test func theToolsFirstLaunchSetsUpAndItsNextDoesNot() throws {
    let launchprof = try Launchprof()
    let folder = launchprof.directory.appending("notes")
    let first = try spans(launchprof, [BuiltProgram.notes(), folder])
    let next = try spans(launchprof, [BuiltProgram.notes(), folder])
    #expect(first.contains { $0.name == "one-time-setup" })
    #expect(!next.contains { $0.name == "one-time-setup" })
    for name in [
      "will-finish-launching", "did-finish-launching", "parse configuration", "open database", "update index",
    ] {
      #expect(next.contains { $0.name == name && $0.flags.contains("main") }, "\(name)")
    }
  }

  /// The last one won, and got 3,000 files.
  @Test func theToolRefusesASecondDirectory() throws {
    let directory = try TemporaryDirectory()
    let run = try TestProcess.run(try BuiltProgram.notes(), ["search", "launch"], directory: directory.path)
    #expect(run.outcome == .exited(1))
    #expect(run.errorText.contains("launch: a second directory; usage: "), "\(run.errorText)")
    #expect(try directory.contents().isEmpty)
  }

  /// A budget by name applies on every thread. The finding says which thread did the work.
  @Test func aBudgetByNameHoldsOnEveryThread() throws {
    let launchprof = try Launchprof()
    let folder = launchprof.directory.appending("notes")
    _ = try spans(launchprof, [BuiltProgram.notes(), folder])
    // A budget that is too short for reading 3,000 files.
    let budgets = try launchprof.directory.write("intervals:\n  read notes: 1ms\n", to: "budgets.yml")
    for arguments in [[folder], ["--background", folder]] {
      let spans = try spans(launchprof, [BuiltProgram.notes()] + arguments, options: ["--budgets", budgets])
      let reading = try #require(spans.first { $0.name == "read notes" })
      #expect(reading.duration > 1_000_000)
      #expect(reading.flags.contains("over-budget"), "\(reading)")
      #expect(reading.flags.contains("main") == (arguments.count == 1), "\(reading)")
    }
  }

  @Test func theServerAnswersWhileItIsRecordedAndEndsOnSIGTERM() throws {
    let launchprof = try Launchprof()
    let output = launchprof.directory.appending("output")
    let trace = launchprof.directory.appending("server.pftrace")
    let running = try RunningProcess.start(
      "/bin/sh",
      [
        "-c", "exec \"$@\" >output", "sh", Launchprof.path, "record", "-q", "-o", trace, "--", BuiltProgram.server(),
        "0",
      ],
      directory: launchprof.directory.path)
    let port = try #require(waitForPort(in: output))
    let request =
      "exec 3<>/dev/tcp/127.0.0.1/\(port); printf 'GET /health HTTP/1.0\\r\\n\\r\\n' >&3; timeout 10 cat <&3"
    let answer = try TestProcess.run("/bin/bash", ["-c", request]).text
    #expect(answer.contains("200") && answer.hasSuffix("ok\n"), "\(answer)")
    running.signal(SIGTERM)
    let end = try running.finish()
    #expect(end.succeeded, "\(end.outcome) \(end.errorText)")

    let spans = try spans(launchprof, reporting: trace)
    #expect(spans.count { $0.name == "load catalogue" } == 2)
    for name in ["did-finish-launching", "listen", "warm up"] { #expect(spans.contains { $0.name == name }, "\(name)") }
    #expect(try TraceProcessor.errorStatistics(path: trace).isEmpty)
  }

  private struct Span {
    var name: String
    var duration: Int
    var flags: [Substring]
  }

  private func spans(_ launchprof: Launchprof, _ command: [String], options: [String] = []) throws -> [Span] {
    let (run, trace) = try launchprof.record(command, options: options)
    #expect(run.succeeded, "\(run.outcome) \(run.errorText)")
    return try spans(launchprof, reporting: trace)
  }

  /// The rows of the CSV report. The examples' names contain no commas and no quotes.
  private func spans(_ launchprof: Launchprof, reporting trace: String) throws -> [Span] {
    let report = try launchprof.run(["report", trace, "--format", "csv"])
    #expect(report.succeeded, "\(report.errorText)")
    let rows = report.text.split(separator: "\r\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let header = try #require(rows.first)
    let name = try #require(header.firstIndex(of: "name"))
    let duration = try #require(header.firstIndex(of: "duration_ns"))
    let flags = try #require(header.firstIndex(of: "flags"))
    return rows.dropFirst().map { row in
      Span(name: String(row[name]), duration: Int(row[duration]) ?? 0, flags: row[flags].split(separator: " "))
    }
  }

  private func waitForPort(in file: String) -> Int? {
    for _ in 0..<3_600 {
      if let text = try? contents(file), !text.isEmpty {
        return String(decoding: text, as: UTF8.self).split(separator: ":").last.flatMap {
          Int($0.prefix { $0 != "\n" })
        }
      }
      usleep(50_000)
    }
    return nil
  }
}
