// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// `launchprof fleet`.
final class FleetTests: CommandSuite {
  private func write(_ name: String, _ fleet: SyntheticFleet) throws {
    let text = fleet.lines().lines.joined(separator: "\n") + "\n"
    try text.write(toFile: launchprof.directory.appending(name), atomically: true, encoding: .utf8)
  }

  private func fleet(_ arguments: [String], status: Int32 = 0) throws -> TestProcess {
    let run = try launchprof.run(["fleet"] + arguments)
    #expect(run.outcome == .exited(status), "\(arguments): \(run.text)\(run.errorText)")
    return run
  }

  @Test func recordsAreReportedComparedSearchedAndHeld() throws {
    var records = SyntheticFleet()
    (records.launches, records.days, records.hasFaults, records.mixShift, records.factor) = (6000, 8, true, 1, 1.12)
    try write("launches.jsonl", records)
    let report = try fleet(["report", "launches.jsonl", "--by", "version", "-o", "r.csv", "-o", "r.html", "-o", "r.md"])
    #expect(report.text.hasPrefix("notes: 5,") && report.text.contains("\n2.1"), "\(report.text)")
    #expect(report.text.contains("duplicates are counted once") && report.text.contains("lines are not records"))
    for (name, start) in [("r.csv", "version,metric,"), ("r.html", "<!DOCTYPE html>"), ("r.md", "### notes")] {
      let written = String(decoding: try contents(launchprof.directory.appending(name)), as: UTF8.self)
      #expect(written.hasPrefix(start), "\(name)")
    }
    let sides = ["--base", "version=2.0", "--head", "version=2.1"]
    let compared = try fleet(["compare"] + sides + ["launches.jsonl"], status: 2)
    #expect(compared.text.contains("phase/open-database"), "\(compared.text)")
    // Sentences are wrapped.
    let words = compared.text.replacing("\n", with: " ")
    #expect(words.contains("where machine is aarch64-4c-4g"), "\(compared.text)")
    #expect(try fleet(["changes", "launches.jsonl"]).text.contains("no change in 8 points"))
    _ = try fleet(["gate", "launches.jsonl", "--budget", "total:p50=10s", "--failed", "50"])
    _ = try fleet(["gate", "launches.jsonl", "--budget", "total:p50=1ms"], status: 2)
    _ = try fleet(
      ["gate", "launches.jsonl", "--where", "kind=cold", "--head", "version=2.1", "--base", "version=1"], status: 5)
  }

  /// CSV has no place for what does not count.
  @Test func whatDoesNotCountIsSaidBesideCSV() throws {
    let record =
      #"{"record":1,"id":"00000000000000000000000000000001","version":"2","outcome":"completed","total":9000000}"#
    try launchprof.directory.write("\(record)\nno record\n", to: "a.jsonl")
    let run = try fleet(["report", "--by", "version,version", "--format", "csv", "a.jsonl"])
    #expect(run.errorText == "1 line is not a record (a.jsonl, line 2).\n")
    #expect(run.text.hasPrefix("version,metric,records,"))
    #expect(try fleet(["report", "--by", "version", "-o", "b.csv", "a.jsonl"]).errorText.isEmpty)
  }

  /// Other statistics leave such launches out.
  @Test func launchesForWhichNoPersonWaitsAreNamed() throws {
    let lines = (0..<40).map { id in
      #"{"record":1,"id":"\#(String(repeating: "0", count: 30))\#(id + 10)","time":"2026-11-22T10:00:00.000Z","program":"notes","#
        + #""context":"\#(id % 2 == 0 ? "userLaunch" : "backgroundLaunch")","outcome":"completed","end":"ready","total":9000000}"#
    }
    try launchprof.directory.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
    let note = "Launches for which no person waits count with others"
    let gate = ["gate", "--budget", "total:p50=1s", "a.jsonl"]
    let person = ["--where", "context=userLaunch"]
    for (arguments, isMixed) in [
      (["report", "a.jsonl"], true), (["report", "--by", "context", "a.jsonl"], false),
      (["report", "a.jsonl"] + person, false),
      (gate, true), (gate + person, false), (gate + ["--head", "context=userLaunch"], false),
    ] {
      let text = try fleet(arguments).text.replacing("\n", with: " ")
      #expect(text.contains(note) == isMixed, "\(arguments): \(text)")
    }
  }

  @Test func recordsFromAPipeAndTheSummaryOfAJob() throws {
    try write("launches.jsonl", SyntheticFleet())
    let summary = try launchprof.directory.write("# the step before\n", to: "summary")
    let script = """
      cat launches.jsonl | "$0" fleet report - -o "$1" --where version=2.1 >first &&
      cat launches.jsonl | "$0" fleet report - --where version=none
      """
    let run = try TestProcess.run(
      "/bin/sh", ["-c", script, Launchprof.path, summary], adding: ["GITHUB_STEP_SUMMARY": summary],
      directory: launchprof.directory.path)
    // A pipe cannot be asked again which values there are.
    #expect(!run.errorText.contains("did the program launch"), "\(run.errorText)")
    let text = String(decoding: try contents(summary), as: UTF8.self)
    #expect(text.hasPrefix("# the step before\n") && text.contains("### notes"), "\(text)")
    let oneSide = try fleet(["gate", "launches.jsonl", "--base", "version=2.0"], status: 64)
    #expect(oneSide.errorText.contains("add --head"), "\(oneSide.errorText)")
  }

  @Test func recordsAreNotWrittenOver() throws {
    try write("launches.json", SyntheticFleet())
    let before = try contents(launchprof.directory.appending("launches.json"))
    let run = try fleet(["report", "laun*.json", "-o", "launches.json"], status: 1)
    #expect(run.errorText.contains("launches.json: is one of the files to read"), "\(run.errorText)")
    #expect(try contents(launchprof.directory.appending("launches.json")) == before)
  }

  @Test func budgetsOfMilestonesAndOfTheFileAreHeld() throws {
    let lines = (1...400).map { id in
      let digits = String(id, radix: 16)
      return
        "{\"record\":1,\"id\":\"\(String(repeating: "0", count: 32 - digits.count))\(digits)\",\"version\":\"\(id % 2)\","
        + "\"outcome\":\"completed\",\"milestone.ready\":\(id * 1_000_000),\"total\":\(400_000_000 + id)}"
    }
    for (name, text) in [
      ("launches.jsonl", lines.joined(separator: "\n") + "\n"),
      ("b.yml", "gate: {budgets: {milestone/ready: {p50: 10ms}, minor-faults: {p90: 500}}}\n"),
    ] { try text.write(toFile: launchprof.directory.appending(name), atomically: true, encoding: .utf8) }
    let gate = ["gate", "launches.jsonl"]
    for sides in [[], ["--base", "version=0", "--head", "version=1"]] {
      _ = try fleet(gate + sides + ["--budget", "milestone/ready:p90=1s"])
      let held = try fleet(gate + sides + ["--config", "b.yml"], status: 2)
      #expect(held.text.inOneLine.contains(/milestone\/ready p50 [0-9.]+ .*\) is over the budget/), "\(held.text)")
      #expect(held.text.contains("Left out: minor-faults p90"), "\(held.text)")
    }
  }

  @Test func mistakesAreTold() throws {
    try write("launches.jsonl", SyntheticFleet())
    for (arguments, status, message) in [
      (["report", "none.jsonl"], 1, "none.jsonl"),
      (["report", "launches.jsonl", "--by", "moon"], 1, "no record has \"moon\""),
      // The list was "program, end": only the columns that had been read.
      (["report", "launches.jsonl", "--by", "moon"], 1, ", machine, "),
      (["changes", "launches.jsonl", "--mix", "moon"], 1, ", machine, "),
      (["report", "launches.jsonl", "--where", "moon=1"], 1, "--where: no record has \"moon\""),
      (["report", "launches.jsonl", "--where", "version=0"], 0, "No record matches the filter"),
      (["report", "launches.jsonl", "--where", "version=9"], 0, "--where: no record has version=9; known values: "),
      // Each record has an outcome: an empty answer would be wrong.
      (
        ["report", "launches.jsonl", "--where", "version=0,outcome=failed"], 64, "outcome is not a column: launches are"
      ),
      (
        ["report", "launches.jsonl", "--by", "machine,total"], 64, "--by: total is not a column: it is what is measured"
      ),
      (
        ["compare", "--base", "version=2.0", "--head", "version=2.1", "--unit", "moon", "launches.jsonl"], 1,
        "--unit: no record has \"moon\""
      ),
      (
        [
          "compare", "--base", "version=2.0", "--head", "version=2.1", "--unit", "x", "--engine", "clickhouse=http://h",
        ], 64,
        "--unit is only for files"
      ),
      (["changes", "launches.jsonl", "--mix", "time"], 64, "--mix: time is not a column: use day"),
      (
        ["compare", "--base", "version=2.0", "--head", "phase.load=1", "launches.jsonl"], 64,
        "--head: phase.load is not a column"
      ),
      (
        ["compare", "--base", "version=2.0", "--head", "version=2.1", "--mix", "outcome", "launches.jsonl"], 64,
        "--mix: outcome is not a column"
      ),
      (
        ["compare", "--base", "moon=0", "--head", "version=2.1", "launches.jsonl"], 1, "--base: no record has \"moon\""
      ),
      (["report", "launches.jsonl", "--where", "version"], 64, "column=value"),
      (["report", "launches.jsonl", "--metric", "milestone/x"], 1, "no record has \"milestone/x\""),
      (["report", "launches.jsonl", "-o", "x.pdf"], 64, "selects no format"),
      (["gate", "launches.jsonl", "--within", "200"], 64, "--within: expected a share of launches"),
      (
        ["compare", "--base", "kind=cold", "--head", "version=2.1", "launches.jsonl"], 64, "launches are on both sides"
      ),
      (["compare", "--base", "kind=cold", "--head", "kind=cold", "launches.jsonl"], 64, "launches are on both sides"),
      (["gate", "launches.jsonl"], 64, "nothing to check"),
      (["gate", "launches.jsonl", "--budget", "moon:p50=1s"], 1, "no record has it"),
      (
        ["gate", "launches.jsonl", "--head", "version=9", "--budget", "total:p50=1s"], 5, "No record matches the filter"
      ),
      (
        ["gate", "launches.jsonl", "--head", "moon=9", "--budget", "total:p50=1s"], 1, "--head: no record has \"moon\""
      ),
      (["gate", "launches.jsonl", "--budget", "count/x:p50=1s"], 64, "only budgets of times"),
      (["compare", "--base", "version=0", "--head", "version=2.1", "launches.jsonl"], 5, "no launches of the base"),
      (
        ["compare", "--base", "version=2.0", "--head", "version=9", "launches.jsonl"], 5,
        "--head: no record has version=9; known values: "
      ),
      (["report", "--engine", "clickhouse=http://127.0.0.1:1"], 1, "127.0.0.1:1: cannot connect"),
      (["compare", "--base", "a=1", "--head", "a=2", "--engine", "clickhouse=http://u:p@host"], 1, "CLICKHOUSE_USER"),
      (["gate", "--engine", "spark=host", "--failed", "1"], 64, "expected clickhouse="),
      (["changes", "launches.jsonl", "--engine", "clickhouse=http://host"], 64, "leave out the files"),
      (["changes"], 64, "Name the files"),
    ] as [([String], Int32, String)] {
      let run = try fleet(arguments, status: status)
      #expect((run.text + run.errorText).contains(message), "\(arguments): \(run.errorText)")
    }
  }

  @Test func fewLaunchesAreInconclusive() throws {
    var records = SyntheticFleet()
    records.launches = 120
    try write("launches.jsonl", records)
    let compare = ["compare", "--base", "version=2.0", "--head", "version=2.1", "launches.jsonl"]
    _ = try fleet(compare, status: 4)
    _ = try fleet(compare + ["--inconclusive", "pass"])
  }
}
