// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// `launchprof history`.
final class HistoryTests: CommandSuite {
  @Test func launchesAreKeptListedPlottedAndExported() throws {
    try launchprof.recordSeries("a", 3, ["true"])
    try launchprof.recordSeries("b", 2, ["true"])
    let added = try launchprof.history(["add", "--commit", "aaaa1111", "a"])
    #expect(added.errorText.contains("added 3 of 3 launches for commit aaaa1111"), "\(added.errorText)")
    #expect(try launchprof.history(["add", "--commit", "aaaa1111", "a"]).errorText.contains("0 of 3"))
    try launchprof.history(["add", "--commit", "bbbb2222", "b"])
    try launchprof.history(["baseline", "set", "main", "--commit", "aaaa1111"])
    let list = try launchprof.history(["list"]).text
    #expect(list.contains("aaaa1111") && list.contains("3 launches, median") && list.contains("(main)"), "\(list)")
    #expect(try launchprof.history(["plot", "--no-color", "--width", "70"]).text.contains("bbbb2222"))
    try launchprof.history(["plot", "--format", "svg", "-o", "plot.svg", "--metric", "cpu"])
    let picture = String(decoding: try contents(launchprof.directory.appending("plot.svg")), as: UTF8.self)
    #expect(picture.hasPrefix("<svg xmlns=") && picture.hasSuffix("</svg>\n") && picture.contains("<polyline"))
    #expect(try launchprof.history(["changes"]).text.contains("no change in 2 commits"))
    let json = try launchprof.history(["list", "--format", "json"]).text
    #expect(json.contains("\"commit\": \"bbbb2222\"") && json.contains("\"baselines\": [\n"), "\(json)")
    #expect(try launchprof.history(["list", "--format", "csv"]).text.split(separator: "\r\n").count == 3)
    try launchprof.history(["changes", "-o", "changes.json"])
    let points = String(decoding: try contents(launchprof.directory.appending("changes.json")), as: UTF8.self)
    #expect(points.contains("\"commit\": \"aaaa1111\"") && points.contains("\"changes\": []"), "\(points)")
    try launchprof.history(["changes", "-o", "changes.md"], status: 64)
    for (name, isPage) in [("plot.htm", true), ("plot.text", false)] {
      try launchprof.history(["plot", "-o", name])
      let text = String(decoding: try contents(launchprof.directory.appending(name)), as: UTF8.self)
      #expect(text.hasPrefix("<!DOCTYPE") == isPage && text.contains("bbbb2222"), "\(name): \(text.prefix(80))")
    }
    // Two commits are too few for a change.
    try launchprof.history(["changes", "--exit-code"], status: 4)
    #expect(try launchprof.history(["changes", "--since", "aaaa1111"]).text.contains("since aaaa1111"))
    let unknown = try launchprof.history(["changes", "--since", "cccc3333"], status: 1)
    #expect(unknown.errorText.contains("no launch of this commit"), "\(unknown.errorText)")
    let csv = try launchprof.history(["export"]).text
    #expect(csv.split(separator: "\r\n").count > 5 * 4 && csv.hasPrefix("launch,added,commit,"), "\(csv)")
    #expect(try launchprof.history(["export", "--format", "json"]).text.contains("\"schemaVersion\": 1"))
    try launchprof.history(["export", "-o", "launches.JSON"])
    try launchprof.history(["export", "-o", "x.d/launches"], status: 1)
    try launchprof.history(["export", "-o", "launches"])
    try launchprof.history(["export", "-o", "launches.txt"], status: 64)
    try launchprof.history(["export", "-o", "launches.txt", "--format", "csv"])
    for (name, beginning) in [("launches.JSON", "{"), ("launches", "launch,added,"), ("launches.txt", "launch,added,")]
    {
      let text = String(decoding: try contents(launchprof.directory.appending(name)), as: UTF8.self)
      #expect(text.hasPrefix(beginning), "\(name): \(text.prefix(80))")
    }
    #expect(try launchprof.history(["baseline", "get", "main"]).text == "aaaa1111\n")
    #expect(try launchprof.history(["baseline", "get"]).text == "main  aaaa1111\n")
    // A name that was given by mistake.
    try launchprof.history(["baseline", "set", "mian", "--commit", "aaaa1111"])
    #expect(try launchprof.history(["baseline", "remove", "mian"]).errorText == "mian is no longer commit aaaa1111\n")
    let absent = try launchprof.history(["baseline", "remove", "mian"], status: 1)
    #expect(absent.errorText.contains("has no baseline \"mian\" (its baselines: main)"), "\(absent.errorText)")
    #expect(try launchprof.history(["baseline", "get"]).text == "main  aaaa1111\n")
  }

  /// Traces of other tools, which have no machine and begin at 0.
  @Test func launchesOfOtherToolsAreToldApart() throws {
    for (name, commit) in [("alpha", "aaaa"), ("beta", "bbbb")] {
      let process = #"{"name":"process_name","ph":"M","pid":1,"tid":1,"args":{"name":"\#(name)"}}"#
      let work = #"{"name":"boot","ph":"X","ts":0,"dur":100000,"pid":1,"tid":1}"#
      try launchprof.directory.write(#"{"traceEvents":[\#(process),\#(work)]}"#, to: name + ".json")
      #expect(try launchprof.history(["add", name + ".json", "--commit", commit]).errorText.contains("added 1 of 1"))
    }
    #expect(try launchprof.history(["add", "beta.json", "--commit", "bbbb"]).errorText.contains("added 0 of 1"))
  }

  /// Its title was ", default".
  @Test func launchesOfAnUnknownProgramAreCalledSo() throws {
    try launchprof.directory.write(
      #"[{"name":"boot","ph":"X","ts":0,"dur":100000,"pid":1,"tid":1}]"#, to: "a.json")
    let added = try launchprof.history(["add", "a.json", "--commit", "aaaa"])
    #expect(added.errorText.contains("do not name their program"), "\(added.errorText)")
    #expect(try launchprof.history(["list"]).text.hasPrefix("unknown program, default\n"))
  }

  /// The services of a repository may all be called `server`.
  @Test func programsOfOneNameAreToldApartByTheConfiguration() throws {
    for (folder, program) in [("a", "/bin/true"), ("b", "/bin/sleep")] {
      mkdir(launchprof.directory.appending(folder), 0o777)
      try launchprof.directory.write(Array(try contents(program)), to: folder + "/server")
      chmod(launchprof.directory.appending(folder + "/server"), 0o755)
    }
    for (traces, command) in [("one", ["a/server", "0"]), ("two", ["b/server", "0"]), ("three", ["a/server", "1"])] {
      try launchprof.recordSeries(traces, 2, command)
    }
    func said(_ arguments: [String]) throws -> String {
      try launchprof.history(["add", "--commit", "1"] + arguments).errorText
    }
    #expect(try !said(["one"]).contains("are now one point"))
    #expect(try !said(["--configuration", "two", "two"]).contains("are now one point"))
    let builds = try said(["--configuration", "two", "one"])
    #expect(builds.contains("0 of 2 launches") && !builds.contains("are now one point"), "\(builds)")
    #expect(try said(["three"]).contains("Launches of 2 sets of arguments of server are now one point of a series"))
    try launchprof.recordSeries("four", 2, ["b/server", "0"])
    let mixed = try said(["four"])
    #expect(mixed.contains("Launches of 2 builds of server are now one point of a series. To keep"), "\(mixed)")
    #expect(mixed.contains("give each a --configuration"), "\(mixed)")
  }

  @Test func theCommitIsThatOfTheRepository() throws {
    try launchprof.recordSeries("a", 1, ["true"])
    let bare = ["GITHUB_SHA": "", "CI_COMMIT_SHA": ""]
    mkdir(launchprof.directory.appending(".git"), 0o777)
    mkdir(launchprof.directory.appending(".git/refs"), 0o777)
    mkdir(launchprof.directory.appending(".git/refs/heads"), 0o777)
    try launchprof.directory.write("ref: refs/heads/main\n", to: ".git/HEAD")
    try launchprof.directory.write("# pack\ncccc3333 refs/heads/main\n", to: ".git/packed-refs")
    let packed = try launchprof.run(["history", "add", "a"], adding: bare)
    #expect(packed.errorText.contains("for commit cccc3333"), "\(packed.errorText)")
    try launchprof.directory.write("dddd4444\n", to: ".git/refs/heads/main")
    #expect(try launchprof.run(["history", "add", "a"], adding: bare).errorText.contains("for commit dddd4444"))
    // The old name of a branch that was renamed.
    try launchprof.directory.write("ref: refs/heads/master\n", to: ".git/HEAD")
    try launchprof.directory.write("ref: refs/heads/main\n", to: ".git/refs/heads/master")
    #expect(try launchprof.run(["history", "add", "a"], adding: bare).errorText.contains("for commit dddd4444"))
    try launchprof.directory.write("ref: refs/heads/master\n", to: ".git/refs/heads/main")
    let circle = try launchprof.run(["history", "add", "a"], adding: bare)
    #expect(
      circle.outcome == .exited(64) && circle.errorText.contains("no commit is checked out"), "\(circle.errorText)")
    let ofCI = try launchprof.run(["history", "add", "a"], adding: ["GITHUB_SHA": "eeee5555"])
    #expect(ofCI.errorText.contains("for commit eeee5555"))
  }

  /// Containers and the runners of CI have a new name for each job.
  @Test(Namespaces.needed(["--uts", "--map-root-user"], "hostname runner"))
  func launchesOfMachinesWithChangingNamesAreOneSeries() throws {
    for (number, host) in ["runner-1", "runner-2"].enumerated() {
      let run = try launchprof.bash(
        "unshare --uts --map-root-user sh -c 'hostname \(host); \"$LAUNCHPROF\" record -q -n 2 -o \(host)/ -- true'")
      #expect(run.succeeded, "\(run.errorText)")
      try launchprof.history(["add", "--commit", "own\(number)", "--store", "own.sqlite", host])
      try launchprof.history(["add", "--commit", "pool\(number)", "--machine", "pool", host])
    }
    let own = try launchprof.history(["list", "--store", "own.sqlite"]).text
    #expect(own.contains("true on runner-1") && own.contains("true on runner-2"), "\(own)")
    let pool = try launchprof.history(["list"]).text
    #expect(pool.hasPrefix("true on pool, default\n") && pool.ranges(of: "true on ").count == 1, "\(pool)")
    #expect(
      try launchprof.history(["changes"]).text == "no change in 2 commits; a change needs 3 commits on each side\n")
    try launchprof.history(["add", "--commit", "c", "--machine", "", "runner-1"], status: 64)
  }

  /// The last job had a program that cannot be launched.
  @Test func launchesThatFailedAreNotTheSeriesToShow() throws {
    try launchprof.recordSeries("a", 2, ["true"])
    try launchprof.history(["add", "--commit", "a1", "a"])
    let failed = try launchprof.run(["record", "-q", "-n", "2", "-o", "b/", "--", "false"])
    #expect(failed.outcome == .exited(1), "\(failed.errorText)")
    let added = try launchprof.history(["add", "--commit", "b2", "b"]).errorText
    #expect(added.contains("added 2 of 2 launches for commit b2; these do not count: 2 failed"), "\(added)")
    #expect(try launchprof.history(["changes"]).text.hasPrefix("no change in 1 commit; "))
    #expect(try launchprof.history(["plot"]).text.contains("a1"))
  }

  @Test func whatCannotBeDoneSaysWhy() throws {
    try launchprof.recordSeries("a", 1, ["true"])
    try launchprof.directory.write(String(repeating: "text\n", count: 300), to: "text.sqlite")
    for (arguments, status, message) in [
      (["list"], 1, "there is no history yet"), (["add", "--commit", "c", "none"], 1, "none"),
      (["add", "--commit", "c", "--store", "text.sqlite", "a"], 1, "is not a history"),
      (["add", "--commit", "c", "--store", "/proc/none/h.sqlite", "a"], 1, "/proc/none/h.sqlite: "),
      (["add", "--commit", "c", "--store", "", "a"], 1, "expected the name of a file"),
      (["plot", "--format", "gif"], 64, "gif"), (["plot", "-o", "plot.png"], 64, "txt, svg, html"),
      (["plot", "--width", "20"], 64, "expected 60 to 10000 columns"),
      (["add", "--configuration", "", "a"], 64, "a name"),
      (["add", "--commit", "", "a"], 64, "expected the id of a commit"),
      (["baseline", "set", "m", "--commit", ""], 64, "expected the id of a commit"),
      (["plot", "--config", "budgets.yml"], 64, "only the page shows budgets"),
    ] as [([String], Int32, String)] {
      let run = try launchprof.history(arguments, status: status)
      #expect(run.errorText.contains(message), "\(arguments): \(run.errorText)")
    }
    try launchprof.history(["add", "--commit", "c", "a"])
    // The two sides of a comparison: they were left out without a word.
    try launchprof.recordSeries("b/base", 1, ["true"])
    let sides = try launchprof.history(["add", "--commit", "d", "?"], status: 1)
    #expect(sides.errorText.contains("b: the directory contains no .pftrace files; base in it has some"))
    #expect(try launchprof.history(["plot", "--metric", "totl"], status: 1).errorText.contains("known metrics: "))
    #expect(try launchprof.history(["plot", "--program", "other"], status: 1).errorText.contains("no launch matches"))
    #expect(
      try launchprof.history(["baseline", "set", "m", "--commit", "x"], status: 1).errorText.contains(
        "no baseline or commit"))
  }
}
