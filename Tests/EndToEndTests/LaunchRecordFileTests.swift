// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// Launch records in the command: `record --record`, `extract`, `ship`.
struct LaunchRecordFileTests {
  let launchprof: Launchprof

  init() throws { launchprof = try Launchprof() }

  private func lines(_ path: String) throws -> [Substring] {
    String(decoding: try contents(path), as: UTF8.self).split(separator: "\n")
  }

  @Test func recordAndExtractMakeTheSameRecords() throws {
    let file = launchprof.directory.appending("launches.jsonl")
    for name in ["a.pftrace", "b.pftrace"] {
      let (run, _) = try launchprof.record([Launchprof.instrumented, "launch"], options: ["--record", file], to: name)
      #expect(run.succeeded)
    }
    let recorded = try lines(file)
    #expect(recorded.count == 2)
    let extracted = try launchprof.run(["extract", "a.pftrace", "b.pftrace"])
    #expect(extracted.succeeded)
    let misspelt = try launchprof.run(["extract", "a.pftrace", "--metadata", "nokey"])
    #expect(misspelt.succeeded && misspelt.errorText.contains("--metadata nokey: no launch has metadata of this name"))
    #expect(extracted.text.split(separator: "\n") == recorded)
    for line in recorded {
      #expect(line.utf8.count < 2048)
      #expect(line.contains("\"program\":\"instrumented-program\"") && line.contains("\"over.build index on main\":"))
      #expect(!line.contains("/"), "no paths")
    }
    #expect(recorded[0] != recorded[1])
  }

  @Test(arguments: [
    ["extract", "a.pftrace", "-o", "r.txt"], ["ship", "a.jsonl", "--to", "x.csv"],
    ["record", "--record", "page.html", "--", "true"],
  ])
  func aNameOfAnotherFormatIsRefused(arguments: [String]) throws {
    let run = try launchprof.run(arguments)
    #expect(run.outcome == .exited(64))
    #expect(run.errorText.contains("launch records are lines of JSON, not "), "\(run.errorText)")
  }

  /// One broken file among thousands costs no other record.
  @Test func whatCannotBeReadCostsOnlyItsOwnRecord() throws {
    let (recorded, trace) = try launchprof.record([Launchprof.instrumented, "launch"], to: "b.pftrace")
    #expect(recorded.succeeded)
    let whole = try contents(trace)
    try launchprof.directory.write("no trace", to: "a")
    try launchprof.directory.write("", to: "c")
    try launchprof.directory.write(Array(whole.prefix(whole.count / 2)), to: "d")
    let run = try launchprof.run(["extract", "a", "b.pftrace", "c", "d", "-o", "r.jsonl"])
    #expect(run.outcome == .exited(1))
    let told = run.errorText.split(separator: "\n")
    for start in ["launchprof: a: ", "launchprof: c: ", "d: "] {
      #expect(told.contains { $0.hasPrefix(start) }, "\(run.errorText)")
    }
    #expect(told.last == "2 of 4 traces have a record")
    #expect(try lines(launchprof.directory.appending("r.jsonl")).count == 2)
    for format in ["folded", "firefox", "speedscope", "chrome-json"] {
      let report = try launchprof.run(["report", "d", "--format", format])
      #expect(report.succeeded && report.errorText.contains("d: the trace is damaged"), "\(report.errorText)")
    }
    #expect(try launchprof.run(["extract", "a", "-o", "r.jsonl"]).outcome == .exited(1))
    #expect(try lines(launchprof.directory.appending("r.jsonl")).count == 2, "it was not written over")
  }

  /// It was written to a file of this name.
  @Test func aHyphenIsStandardOutput() throws {
    _ = try launchprof.record([Launchprof.instrumented, "quick"])
    let plain = try launchprof.run(["extract", "trace.pftrace"])
    let run = try launchprof.run(["extract", "trace.pftrace", "-o", "-"])
    #expect(run.succeeded)
    #expect(!run.text.isEmpty && run.text == plain.text)
    let shipped = try launchprof.run(["ship", "trace.pftrace", "--to", "-"])
    #expect(shipped.outcome == .exited(64), "\(shipped.errorText)")
    #expect(try launchprof.run(["record", "--record", "-", "--", "true"]).outcome == .exited(64))
    #expect(access(launchprof.directory.appending("-"), F_OK) != 0)
  }

  @Test func filesAreShippedToFiles() throws {
    _ = try launchprof.record([Launchprof.instrumented, "quick"])
    #expect(try launchprof.run(["extract", "trace.pftrace", "-o", "one.jsonl.zst"]).succeeded)
    for _ in 0..<2 {
      let run = try launchprof.run(["ship", "one.jsonl.zst", "--to", "all.jsonl"])
      #expect(run.succeeded)
      #expect(run.errorText == "1 sent, 0 refused, 0 left\n")
    }
    let shipped = try lines(launchprof.directory.appending("all.jsonl"))
    #expect(shipped.count == 2)
    #expect(Set(shipped).count == 1, "a duplicate has the same id")
  }

  /// Records that stay in the spool are counted, and another ship waits for its turn.
  @Test func whatStaysInASpoolIsSaid() throws {
    let (spool, id) = (launchprof.directory.appending("spool"), String(repeating: "a", count: 32))
    mkdir(spool, 0o700)
    try launchprof.directory.write("{\"record\":1,\"id\":\"\(id)\"}\n", to: "spool/1795341600000-\(id).json")
    for number in [1, 3, 4, 5, 6] { try launchprof.directory.write("", to: "spool/179534160000\(number)-\(id).json") }
    symlink("nowhere", spool + "/1795341600002-\(id).json")
    let directory = open(spool, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(directory) }
    flock(directory, LOCK_EX)
    let ship = ["ship", "--spool", "spool", "--to", "all.jsonl"]
    let second = try launchprof.run(ship)
    #expect(second.outcome == .exited(75) && second.errorText.contains("another ship"), "\(second.errorText)")
    flock(directory, LOCK_UN)
    let first = try launchprof.run(ship)
    #expect(first.outcome == .exited(1), "\(first.errorText)")
    let broken = [1, 3, 4].map { "spool/179534160000\($0)-\(id).json: is not a record, and goes to refused/" }
    let told =
      broken + [
        "spool/1795341600002-\(id).json: cannot be read: Too many levels of symbolic links",
        "spool: 2 more are not records, and go to refused/", "1 sent, 0 refused, 5 not records, 1 left",
      ]
    #expect(first.errorText.split(separator: "\n").map(String.init) == told)
    // Only what cannot be read is still there.
    #expect(try launchprof.run(ship).errorText.split(separator: "\n").last == "0 sent, 0 refused, 1 left")
    #expect(try lines(launchprof.directory.appending("all.jsonl")).count == 1)
  }

  /// Users may share a spool.
  @Test func aPipeInASpoolDoesNotKeepTheOthersFromTheirRecords() throws {
    let (spool, id) = (launchprof.directory.appending("spool"), String(repeating: "a", count: 32))
    mkdir(spool, 0o700)
    try launchprof.directory.write("{\"record\":1,\"id\":\"\(id)\"}\n", to: "spool/1795341600000-\(id).json")
    #expect(mkfifo(spool + "/.open-pipe", 0o600) == 0)
    let run = try launchprof.run(["ship", "--spool", "spool", "--to", "all.jsonl"], timeout: 20)
    #expect(run.errorText == "1 sent, 0 refused, 0 left\n")
    #expect(try lines(launchprof.directory.appending("all.jsonl")).count == 1)
  }

  /// The records of a file arrive, and the status says that there was something else.
  @Test func linesOfAFileThatAreNoRecordsAreAFailure() throws {
    let id = String(repeating: "a", count: 32)
    try launchprof.directory.write("{\"record\":1,\"id\":\"\(id)\"}\n{\"level\":\"info\"}\n", to: "mixed.jsonl")
    let run = try launchprof.run(["ship", "mixed.jsonl", "--to", "all.jsonl"])
    #expect(run.outcome == .exited(1), "\(run.errorText)")
    #expect(run.errorText == "mixed.jsonl: 1 line is not a record\n1 sent, 0 refused, 1 not a record, 0 left\n")
    #expect(try lines(launchprof.directory.appending("all.jsonl")).count == 1)
  }

  /// Before the launch.
  @Test func recordsAreAppendedToNothingElse() throws {
    for name in ["a.pftrace", "program"] {
      let file = try launchprof.directory.write("\nnot records\n", to: name)
      let run = try launchprof.run(["record", "--record", name, "--", "touch", "launched"])
      #expect(run.outcome == .exited(125) && run.errorText.contains("something else than records"), "\(run.errorText)")
      #expect(try contents(file).count == 13)
      unlink(file)
    }
    #expect(try launchprof.directory.contents() == [])
  }

  @Test func whatCannotBeDoneIsSaid() throws {
    let cases: [(arguments: [String], status: Int32, text: String)] = [
      (["ship", "--to", "x.jsonl"], 64, "Name a spool"),
      (["ship", "--spool", "nowhere", "--to", "x.jsonl"], 75, "nowhere: no program has left a record there yet"),
      (["ship", "--spool", "nowhere/spool", "--to", "x.jsonl"], 1, "nowhere/spool: cannot be read"),
      (["ship", "--spool", "", "--to", "x.jsonl"], 64, "--spool: the name of a directory is missing"),
      (["ship", "no.jsonl", "--to", ""], 64, "--to: a destination is missing"),
      (["ship", "no.jsonl", "--to", "http://host"], 64, "otlp=http://host"),
      (["ship", "no.jsonl", "--to", "kafka=host"], 64, "expected otlp="),
      (["ship", "no.jsonl", "--to", "otlp=127.0.0.1"], 64, "expected http://HOST:PORT"),
      (
        ["ship", "no.jsonl", "--to", "x.jsonl", "--format", "protobuf"], 64, "--format: only an OpenTelemetry receiver"
      ),
      (["extract", "nowhere.pftrace"], 1, "nowhere.pftrace"),
      (["record", "-o", "same.jsonl", "--record", "same.jsonl", "--", "true"], 64, "is also the trace's file"),
      // Before the launches, which take long.
      (["record", "--record", "no/x.jsonl", "--", "./absent"], 125, "no/x.jsonl: cannot write"),
      (["gate", "init", "-o", "no/x.yml", "--", "./absent"], 1, "no/x.yml: cannot write"),
      (["what-if", "-o", "no/x.json", "--", "./absent"], 1, "no/x.json: cannot write"),
      (["order", "-o", "no/x.txt", "--", "./absent"], 1, "no/x.txt: cannot write"),
    ]
    for (arguments, status, text) in cases {
      let run = try launchprof.run(arguments)
      #expect(run.outcome == .exited(status), "\(arguments)")
      #expect(run.errorText.contains(text), "\(run.errorText)")
    }
  }

  @Test func aReceiverThatIsAwayGetsThemLater() throws {
    _ = try launchprof.record([Launchprof.instrumented, "quick"])
    #expect(try launchprof.run(["extract", "trace.pftrace", "-o", "one.jsonl"]).succeeded)
    let run = try launchprof.run(
      ["ship", "one.jsonl", "--to", "otlp=http://127.0.0.1:1", "--retry-for", "0"],
      adding: ["OTEL_EXPORTER_OTLP_HEADERS": "x-key=secret%,y=1", "OTEL_EXPORTER_OTLP_TIMEOUT": "soon"])
    #expect(run.outcome == .exited(75))
    #expect(run.errorText.contains("Connection refused") && run.errorText.contains("1 left"))
    #expect(
      run.errorText.contains("OTEL_EXPORTER_OTLP_HEADERS: x-key is not sent") && !run.errorText.contains("secret"))
    #expect(
      run.errorText.contains(
        "OTEL_EXPORTER_OTLP_TIMEOUT: expected a whole number of milliseconds; a request may take 30 s"))
  }
}
