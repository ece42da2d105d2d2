// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// `launchprof report` on traces of programs without a recorder.
final class ReportTests: CommandSuite {
  private func record(_ options: [String] = []) throws {
    #expect(try launchprof.run(["record", "-q"] + options + ["--", "true"]).outcome == .exited(0))
  }

  @Test func withoutATraceTheLatestIsReported() throws {
    try record()
    let run = try launchprof.run(["report"])
    #expect(run.outcome == .exited(0))
    #expect(run.errorText.wholeMatch(of: #/Using the latest recording, true-.*\.pftrace\n/#) != nil)
    #expect(run.text.contains("true"))
    try record(["-n", "2"])
    let series = try launchprof.run(["report"])
    #expect(series.errorText.wholeMatch(of: #/Using the latest recording, true-.*\.launches\n/#) != nil)
    #expect(series.text.contains("2 launches"))
  }

  /// A page that cannot be written leaves the earlier one as it was, also the page's mode.
  @Test func anOutputIsReplacedAsAWholeOrNotAtAll() throws {
    try record(["-o", "t.pftrace"])
    let page = try launchprof.directory.write("old", to: "r.html")
    chmod(page, 0o640)
    let limited = try TestProcess.run(
      "/bin/sh", ["-c", "ulimit -f 1; \"$0\" report -o r.html t.pftrace", Launchprof.path],
      directory: launchprof.directory.path)
    #expect(limited.outcome == .exited(1), "\(limited.outcome)")
    #expect(limited.errorText.contains("r.html: cannot write: File too large"), "\(limited.errorText)")
    #expect(try contents(page) == Array("old".utf8))
    let new = try TestProcess.run(
      "/bin/sh", ["-c", "ulimit -f 1; \"$0\" report -o new.html t.pftrace", Launchprof.path],
      directory: launchprof.directory.path)
    #expect(new.outcome == .exited(1) && new.errorText.contains("File too large"), "\(new.errorText)")
    #expect(try launchprof.run(["report", "-o", "r.html", "t.pftrace"]).succeeded)
    var facts = stat()
    #expect(stat(page, &facts) == 0 && facts.st_mode & 0o7777 == 0o640 && facts.st_size > 10_000)
    #expect(try launchprof.directory.contents() == ["r.html", "t.pftrace"])
  }

  @Test func aTraceMayComeFromAPipe() throws {
    try record(["-o", "t.pftrace"])
    func pipe(_ command: String) throws -> TestProcess {
      try TestProcess.run(
        "/bin/sh", ["-c", "cat t.pftrace | \"$0\" \(command)", Launchprof.path], directory: launchprof.directory.path)
    }
    let report = try pipe("report -")
    #expect(report.succeeded && report.text.hasPrefix("true"), "\(report.text)\(report.errorText)")
    let compared = try pipe("compare --inconclusive pass t.pftrace -")
    #expect(compared.text.contains("base and head are the same launches"), "\(compared.text)\(compared.errorText)")
  }

  /// Samples are not spans, so the table of a profile is empty.
  @Test func anEmptyTableOfSpansIsExplained() throws {
    try launchprof.directory.write("main;work 1000\n", to: "a.folded")
    let spans = try launchprof.run(["report", "a.folded", "--format", "csv"])
    #expect(spans.succeeded && spans.errorText.contains("--by symbol lists functions"), "\(spans.errorText)")
    let functions = try launchprof.run(["report", "a.folded", "--format", "csv", "--by", "symbol"])
    #expect(
      functions.errorText.isEmpty && functions.text.contains("\nsymbol,work,samples,1000,1000"), "\(functions.text)")
    #expect(try launchprof.run(["report", "a.folded", "--format", "csv", "--by", "function"]).text == functions.text)
    try record(["-o", "t.pftrace"])
    #expect(try launchprof.run(["report", "t.pftrace", "--format", "csv"]).errorText.isEmpty)
  }

  /// A table has no room for it. Text and JSON contain it.
  @Test func whatATableLacksIsWrittenToStandardError() throws {
    let events = #"[{"ph":"X","ts":1,"dur":9,"name":"a","pid":1,"tid":1},{"ph":"i","ts":5,"name":"q"}]"#
    try launchprof.directory.write(events, to: "a.json")
    for options in [[], ["--rows", "phases"], ["--findings"]] {
      let run = try launchprof.run(["report", "a.json", "--format", "csv"] + options)
      #expect(run.succeeded && run.errorText == "a.json: 1 event ignored: instants of no track\n", "\(run.errorText)")
    }
  }

  @Test func withNothingRecordedItSaysWhatToDo() throws {
    let run = try launchprof.run(["report"])
    #expect(run.outcome == .exited(1))
    #expect(run.errorText.contains("launchprof record -- program"))
  }

  @Test func aLaunchThatSeveralArgumentsNameCountsOnce() throws {
    try record(["-n", "3", "-o", "traces/"])
    let run = try launchprof.run(["report", "traces", "traces/*-1.pftrace", "./traces/*.pftrace"])
    #expect(run.outcome == .exited(0) && run.text.contains("3 launches"), "\(run.text)")
    #expect(run.errorText.contains("4 of 7 traces are named again; each launch counts once"), "\(run.errorText)")
    #expect(try launchprof.run(["report", "traces", "traces/"]).text.contains("3 launches"))
    #expect(try launchprof.run(["report", "traces"]).errorText.isEmpty)
  }

  @Test func directoriesAndPatternsNameTraces() throws {
    try record(["-n", "3", "-o", "traces/"])
    for argument in ["traces", "traces/", "traces/true-*.pftrace", "traces/*-[123].pftrace"] {
      let run = try launchprof.run(["report", argument])
      #expect(run.outcome == .exited(0))
      #expect(run.text.contains("3 launches"), "\(argument): \(run.text)")
    }
    mkdir(launchprof.directory.appending("empty"), 0o777)
    mkdir(launchprof.directory.appending("foreign"), 0o777)
    try launchprof.directory.write("main;a 3\nmain;b 4\n", to: "foreign/stacks.folded")
    #expect(try launchprof.run(["report", "foreign/*.folded"]).text.contains("7 samples in all"))
    for (argument, message) in [
      ("empty", "contains no .pftrace files\n"), ("foreign/", "write a pattern, such as 'foreign/*.folded'\n"),
      ("no-*.pftrace", "no file matches"), ("none", "No such file"),
    ] {
      let run = try launchprof.run(["report", argument])
      #expect(run.outcome == .exited(1))
      #expect(run.errorText.contains(message), "\(run.errorText)")
    }
  }

  @Test func filesThatAreNoTracesSayWhy() throws {
    let directory = launchprof.directory
    try directory.write("", to: "empty")
    try directory.write([0, 1, 2, 3, 0xff, 0xfe, 0x80], to: "binary")
    try directory.write("just text\n", to: "text")
    for name in ["empty", "binary", "text"] {
      let run = try launchprof.run(["report", name])
      #expect(run.outcome == .exited(1))
      #expect(run.text.isEmpty)
      #expect(run.errorText.hasPrefix("launchprof: \(name)"), "\(run.errorText)")
      #expect(run.errorText.split(separator: "\n").count == 1, "\(run.errorText)")
    }
  }

  @Test func aTraceCutAnywhereIsReported() throws {
    let (_, path) = try launchprof.record([Launchprof.instrumented, "launch"])
    let bytes = try contents(path)
    var random = SeededGenerator()
    func reportPart(_ length: Int) throws -> TestProcess {
      try launchprof.directory.write(Array(bytes.prefix(length)), to: "cut")
      return try launchprof.run(["report", "cut"])
    }
    for _ in 0..<25 {
      let length = Int.random(in: 256..<bytes.count, using: &random)
      let run = try reportPart(length)
      #expect(run.outcome == .exited(0) && !run.text.isEmpty, "\(length) bytes: \(run.errorText)")
    }
    // The beginning of the first packet can be that of any file.
    for length in 0..<3 {
      let run = try reportPart(length)
      #expect(run.outcome == .exited(1) && run.errorText.hasPrefix("launchprof: cut"), "\(run.text)")
    }
  }

  @Test func theFormatIsThatOfTheOptionOrOfTheExtension() throws {
    try record(["-o", "t.pftrace"])
    #expect(try launchprof.run(["report", "t.pftrace", "--format", "json"]).text.hasPrefix("{"))
    #expect(try launchprof.run(["report", "t.pftrace", "--format", "csv"]).text.hasPrefix("launch,"))
    #expect(try launchprof.run(["report", "t.pftrace", "-o", "out.csv"]).text.isEmpty)
    let csv = String(decoding: try contents(launchprof.directory.appending("out.csv")), as: UTF8.self)
    #expect(csv.hasPrefix("launch,"))
    #expect(try launchprof.run(["report", "t.pftrace", "-o", "out.csv", "--format", "json"]).outcome == .exited(0))
    #expect(try contents(launchprof.directory.appending("out.csv")).first == UInt8(ascii: "{"))
    let phases = try launchprof.run(["report", "t.pftrace", "--format", "csv", "--rows", "phases"]).text
    #expect(phases != csv)
  }

  @Test func oneTraceCanBeHadAsChromesJSON() throws {
    let trace = try launchprof.record([Launchprof.instrumented, "launch"], to: "t.pftrace").trace
    let run = try launchprof.run(["report", "t.pftrace", "--format", "chrome-json", "-o", "t.json"])
    #expect(run.outcome == .exited(0))
    let sql = "select name, dur from slice where name like 'build index%' order by name"
    #expect(
      try TraceProcessor.query(path: launchprof.directory.appending("t.json"), sql: sql)
        == TraceProcessor.query(path: trace, sql: sql))
    // The recorder alone counts all until its start as `load`.
    let load = "select cast(dur as text) from slice where name = 'load'"
    let phases = try launchprof.run(["report", "t.pftrace", "--format", "csv", "--rows", "phases"]).text
    let row = try #require(phases.split(separator: "\r\n").first { $0.hasPrefix("1,load,load,") })
    #expect(
      try TraceProcessor.query(path: launchprof.directory.appending("t.json"), sql: load).map { $0[0] }
        == [String(row.split(separator: ",", omittingEmptySubsequences: false)[4])])
    let two = try launchprof.run(["report", "t.pftrace", "t.json", "--format", "chrome-json"])
    #expect(two.outcome == .exited(1))
    #expect(two.errorText.contains("holds one trace; 2 were given"))
  }

  @Test func aTraceIsNotWrittenOverByItsReport() throws {
    try record(["-o", "t.pftrace"])
    let before = try contents(launchprof.directory.appending("t.pftrace"))
    let run = try launchprof.run(["report", "t.pftrace", "--format", "text", "-o", "./t.pftrace"])
    #expect(run.outcome == .exited(1))
    #expect(run.errorText.contains("is one of the traces to read"))
    #expect(try contents(launchprof.directory.appending("t.pftrace")) == before)
  }

  @Test func noVerbWritesOverWhatItReads() throws {
    try record(["-o", "t.pftrace"])
    #expect(try launchprof.run(["report", "t.pftrace", "--format", "chrome-json", "-o", "t.json"]).succeeded)
    let files = ["t.pftrace", "t.json"].map(launchprof.directory.appending)
    let before = try files.map(contents)
    for arguments in [
      ["extract", "t.pftrace", "-o", "./t.pftrace"], ["what-if", "-o", "t.json", "t.json"],
      ["compare", "t.js*", "t.pftrace", "-o", "t.json"], ["gate", "--baseline", "t.pftrace", "-o", "t.json", "t.json"],
      ["gate", "--baseline", "t.js*", "-o", "t.json", "t.pftrace"],
      ["gate", "init", "--force", "-o", "t.pftrace", "t.pftrace"],
    ] {
      let run = try launchprof.run(arguments)
      #expect(run.outcome == .exited(1), "\(arguments): \(run.errorText)")
      #expect(run.errorText.contains("is one of the traces to read"), "\(arguments): \(run.errorText)")
      #expect(try files.map(contents) == before, "\(arguments)")
    }
  }

  /// ns since 1970 do not fit into 64 bits then.
  @Test func aRecordingMayBeFromTheFarFuture() throws {
    for name in ["later.pftrace", "now.pftrace"] { try record(["-o", name]) }
    try Compiler.run("touch", ["-d", "2300-01-01", "later.pftrace"], in: launchprof.directory)
    let run = try launchprof.run(["report"])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    #expect(run.errorText.contains("Using the latest recording, later.pftrace"), "\(run.errorText)")
  }

  @Test func theTextIsPlainWhenPipedAndASCIIWhereTheLocaleIs() throws {
    try record(["-o", "t.pftrace"])
    let unicode = try launchprof.run(["report", "t.pftrace"], adding: ["LC_ALL": "de_DE.UTF-8"])
    #expect(!unicode.text.contains("\u{1b}"))
    #expect(unicode.text.contains { !$0.isASCII })
    let ascii = try launchprof.run(["report", "t.pftrace"], adding: ["LC_ALL": "C"])
    #expect(!ascii.text.contains { !$0.isASCII })
    let narrow = try launchprof.run(["report", "--full", "t.pftrace", "--width", "50"])
    #expect(narrow.text.split(separator: "\n").allSatisfy { $0.count <= 50 })
  }

  /// It was written to a file of this name.
  @Test func aHyphenIsStandardOutput() throws {
    try record(["-o", "t.pftrace"])
    let run = try launchprof.run(["report", "t.pftrace", "--format", "csv", "-o", "-"])
    #expect(run.outcome == .exited(0))
    #expect(run.text == (try launchprof.run(["report", "t.pftrace", "--format", "csv"]).text))
    #expect(access(launchprof.directory.appending("-"), F_OK) != 0)
  }

  @Test func launchesCannotBeGroupedByWhatTheyDoNotHave() throws {
    let run = try launchprof.run(["record", "-o", "t.pftrace", "--by", "nothing", "--", "true"])
    #expect(run.outcome == .exited(0))
    #expect(run.errorText.contains("--by nothing: no launch has metadata of this name"), "\(run.errorText)")
    let report = try launchprof.run(["report", "t.pftrace", "--by", "nothing"])
    #expect(report.outcome == .exited(1))
    #expect(report.errorText.contains("--by nothing: no launch has metadata of this name"))
    let both = try launchprof.run(["report", "t.pftrace", "--by", "version,kind"])
    #expect(both.outcome == .exited(1) && both.errorText.contains("report takes one name"), "\(both.errorText)")
  }

  @Test func aPlaceThatCannotBeWrittenToIsAnError() throws {
    try record(["-o", "t.pftrace"])
    for (output, message) in [
      ("/no/such/report.txt", "No such file"), (".", "Is a directory"), ("/dev/full", "No space left"),
    ] {
      let run = try launchprof.run(["report", "t.pftrace", "-o", output])
      #expect(run.outcome == .exited(1))
      #expect(run.errorText.contains(message), "\(run.errorText)")
    }
    let shell = try TestProcess.run(
      "/bin/sh", ["-c", "\"$0\" report t.pftrace > /dev/full", Launchprof.path], directory: launchprof.directory.path)
    #expect(shell.outcome == .exited(1))
    #expect(shell.errorText.contains("No space left"))
  }

  /// `report | head` prints no error, even if the shell ignores SIGPIPE.
  @Test(arguments: ["", "trap '' PIPE; "])
  func aReaderThatLeavesIsNoError(prefix: String) throws {
    try record(["-o", "t.pftrace"])
    // The report begins when a write fails, because the reader has left.
    let wait = "while /bin/echo 2>/dev/null; do sleep 0.01; done"
    let script = prefix + "{ \(wait); \"$0\" report t.pftrace; echo \"status $?\" >&2; } | true"
    let run = try TestProcess.run("/bin/sh", ["-c", script, Launchprof.path], directory: launchprof.directory.path)
    #expect(run.errorText == "status 141\n")
  }
}
