// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// `launchprof bench`: live comparisons.
final class BenchTests: CommandSuite {
  @Test func aSlowerProgramIsFoundOut() throws {
    let run = try launchprof.run(
      ["bench", "--vs", "sleep '0.01'", "--traces", "kept", "--max-runs", "40", "--", "sleep", "0.06"])
    #expect(run.outcome == .exited(2), "\(run.text)\(run.errorText)")
    #expect(run.text.hasPrefix("REGRESSED\n"))
    #expect(run.text.contains("rounds") && run.text.contains("the seed of"))
    #expect(run.errorText.contains("round 10  total +"), "\(run.errorText)")
    // The copies are gone, the traces are there, and compare pairs them.
    #expect(try programFolders().isEmpty)
    let again = try launchprof.run(["compare", "kept/base", "kept/head"])
    #expect(again.outcome == .exited(2) && again.text.contains(" rounds"), "\(again.text)")
  }

  /// Nothing was said before the last launch.
  @Test(arguments: [["bench", "--max-runs", "6", "--vs", "true"], ["gate", "--runs", "6", "--vs", "true"]])
  func aDoubtfulMetricIsToldBeforeTheFirstLaunch(verb: [String]) throws {
    let run = try launchprof.run(verb + ["-q", "--metric", "totl", "--", "sh", "-c", "echo launched >&2"])
    let told = try #require(run.errorText.range(of: "did you mean total?"), "\(run.errorText)")
    let launched = try #require(run.errorText.range(of: "launched"))
    #expect(told.lowerBound < launched.lowerBound && run.outcome == .exited(1), "\(run.errorText)")
    let refused = try launchprof.run(verb + ["--metric", "phase/", "--", "sh", "-c", ": > launched"])
    #expect(refused.outcome == .exited(64) && refused.errorText.contains("expected a name"), "\(refused.errorText)")
  }

  @Test func aProgramAloneIsMeasured() throws {
    let run = try launchprof.run(["bench", "-q", "--max-runs", "9", "--format", "json", "--", "true"])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    #expect(run.text.contains("\"status\": \"passed\"") && run.text.contains("\"quantiles\": [\n    {"))
    #expect(run.errorText.isEmpty)
  }

  @Test func whatProgramsWriteIsNotInTheResult() throws {
    for arguments in [["--", "echo", "hello"], ["--vs", "echo hello", "--", "echo", "hello"]] {
      let run = try launchprof.run(["bench", "-q", "--max-runs", "3", "--format", "json"] + arguments)
      #expect(run.text.hasPrefix("{\n") && run.text.hasSuffix("}\n"), "\(run.text)")
      #expect(!run.text.contains("hello"))
    }
  }

  @Test func launchesThatFailEndIt() throws {
    let failing = try launchprof.run(["bench", "-q", "--vs", "true", "--", "false"])
    #expect(failing.outcome == .exited(3), "\(failing.text)")
    #expect(failing.text.contains("3 launches failed") && failing.text.contains("stopped early: 3 launches failed"))
    #expect(failing.text.contains("a program that opens files beside itself needs --in-place"), "\(failing.text)")
    let inPlace = try launchprof.run(["bench", "-q", "--in-place", "--vs", "true", "--", "false"])
    #expect(inPlace.outcome == .exited(3) && !inPlace.text.contains("--in-place"), "\(inPlace.text)")
    let absent = try launchprof.run(["bench", "-q", "--vs", "true", "--", "./no-such-program"])
    #expect(absent.outcome == .exited(3), "\(absent.errorText)")
    #expect(absent.errorText.contains("no-such-program"))
    // Neither a reason for anything else, nor anything in the directory.
    #expect(absent.errorText.split(separator: "\n").count == 1, "\(absent.errorText)")
    let before = try launchprof.directory.contents()
    chmod(try launchprof.directory.write("#!/no/such/shell\n", to: "lost"), 0o755)
    for arguments in [
      ["--", "nope"], ["--vs", "nope", "--", "true"], ["--", "./lost"], ["--vs", "./lost", "--", "true"],
    ] {
      let run = try launchprof.run(["bench"] + arguments)
      #expect(run.outcome == .exited(3) && !run.errorText.contains("nope is not an ELF"), "\(run.errorText)")
    }
    #expect(try launchprof.directory.contents() == (before + ["lost"]).sorted())
    let nothing = try launchprof.run(["bench", "--vs", "", "--", "true"])
    #expect(
      nothing.outcome == .exited(64) && nothing.errorText.contains("expected a command, such as"),
      "\(nothing.errorText)")
  }

  /// The launch that Ctrl-C ends did not fail. Its trace would make `compare` say so.
  @Test(arguments: [[], ["--vs", "./script"]]) func anInterruptionIsNoFailure(versus: [String]) throws {
    let script = try launchprof.directory.write(
      "#!/bin/sh\necho >> count; [ $(wc -l < count) -lt 5 ] || { kill -INT $PPID; exec sleep 30; }\n", to: "script")
    chmod(script, 0o755)
    let run = try launchprof.run(
      ["bench", "--traces", "kept", "-o", "bench.json"] + versus + ["--", "./script"])
    #expect(run.outcome == .signalled(SIGINT), "\(run.text)\(run.errorText)")
    #expect(run.text.hasPrefix("INCONCLUSIVE\n  stopped early: interrupted\n"), "\(run.text)")
    let json = String(decoding: try contents(launchprof.directory.appending("bench.json")), as: UTF8.self)
    #expect(json.contains("\"interrupted\": true") && !json.contains("\"failed\""), "\(json)")
    let traces = try TestProcess.run(
      "/usr/bin/find", ["kept", "-name", "*.pftrace"], directory: launchprof.directory.path)
    #expect(traces.text.split(separator: "\n").count == (versus.isEmpty ? 3 : 2), "\(traces.text)")
  }

  /// The signal comes when the loader is asked about a copy.
  @Test(arguments: [["bench", "--traces", "kept", "--vs", "./app"], ["gate", "selftest"]])
  func anInterruptionBeforeTheFirstLaunchLeavesNoCopies(verb: [String]) throws {
    let directory = launchprof.directory
    let loader = try CompiledProgram.c(
      """
      #include <signal.h>
      #include <string.h>
      #include <unistd.h>
      int main(int count, char **words) {
        if (strstr(words[count - 1], "/.programs-")) kill(getppid(), SIGINT);
        return 0;
      }
      """, "ld-linux-interrupting.so", ["-static"], in: directory)
    _ = try CompiledProgram.c(
      "int main(void) { return 0; }\n", "app", ["-Wl,--dynamic-linker=\(loader)"], in: directory)
    for name in ["kept", "tmp"] { mkdir(directory.appending(name), 0o777) }
    let run = try launchprof.run(verb + ["--", "./app"], adding: ["TMPDIR": directory.appending("tmp")])
    #expect(run.outcome == .signalled(SIGINT), "\(run.text)\(run.errorText)")
    let left = try TestProcess.run(
      "/usr/bin/find", ["kept", "tmp", "-mindepth", "1", "-not", "-empty"], directory: directory.path)
    #expect(left.text.isEmpty, "\(left.text)")
  }

  @Test func scriptsAreLaunchedWhereTheyAre() throws {
    let script = try launchprof.directory.write("#!/bin/sh\nexit 0\n", to: "script")
    chmod(script, 0o755)
    let run = try launchprof.run(["bench", "--vs", "./script", "--max-runs", "2", "--", "./script"])
    #expect(run.outcome == .exited(4), "\(run.text)")
    #expect(run.errorText.contains("is not an ELF program"), "\(run.errorText)")
  }

  /// A warm-up and a round are four launches. The fifth one looks at the details of the base.
  @Test func anInterruptionDuringTheLookAtDetailsEndsIt() throws {
    let script = try launchprof.directory.write(
      "#!/bin/sh\necho >> count; [ $(wc -l < count) -lt 5 ] || { kill -INT $PPID; exec sleep 30; }\n", to: "script")
    chmod(script, 0o755)
    let options = ["--detail", "globals", "--vs", "./script", "--max-runs", "1", "--traces", "kept"]
    let run = try launchprof.run(["bench"] + options + ["--", "./script"])
    #expect(run.outcome == .signalled(SIGINT), "\(run.text)\(run.errorText)")
    #expect(try contents(launchprof.directory.appending("count")).count == 5)
    let left = try TestProcess.run(
      "/usr/bin/find", ["kept", "-path", "*watched*", "-name", "*.pftrace"], directory: launchprof.directory.path)
    #expect(left.outcome == .exited(0) && left.text.isEmpty, "\(left.text)")
  }

  /// A copy would belong to another user, or have no capabilities.
  @Test(.enabled(if: geteuid() == 0, "only root can give a program away"))
  func programsWithPrivilegesAreLaunchedWhereTheyAre() throws {
    let program = try CompiledProgram.c("int main(void) { return 0; }\n", "app", in: launchprof.directory)
    chown(program, 65534, 65534)
    chmod(program, 0o4755)
    let run = try launchprof.run(["bench", "--vs", "./app", "--max-runs", "2", "--", "./app"])
    #expect(run.errorText.contains("./app gets privileges from its file"), "\(run.errorText)")
  }

  @Test(Namespaces.needed(["-m"], "mount -t tmpfs -o noexec none /mnt"))
  func copiesThatCannotBeExecutedAreNotLaunched() throws {
    let directory = launchprof.directory.path
    #expect(mkdir(launchprof.directory.appending("mnt"), 0o755) == 0)
    let run = try TestProcess.run(
      "/usr/bin/unshare",
      [
        "-m", "sh", "-c", "mount -t tmpfs -o noexec none mnt && exec \"$@\"", "sh", Launchprof.path, "bench",
        "--traces",
        "mnt/kept", "--max-runs", "2", "--vs", "true", "--", "true",
      ], directory: directory)
    #expect([.exited(0), .exited(4)].contains(run.outcome), "\(run.text)\(run.errorText)")
    #expect(run.errorText.contains("cannot be executed: its directory may be mounted noexec"), "\(run.errorText)")
    // What cannot be executed itself is not called something else.
    let denied = try TestProcess.run(
      "/usr/bin/unshare",
      [
        "-m", "sh", "-c", "mount -t tmpfs -o noexec none mnt && cp /bin/true mnt && exec \"$@\"", "sh", Launchprof.path,
        "bench", "--vs", "mnt/true", "--", "true",
      ], directory: directory)
    #expect(denied.outcome == .exited(3) && denied.errorText.contains("mnt/true: permission denied"))
    #expect(!denied.errorText.contains("ELF") && denied.errorText.split(separator: "\n").count == 1)
  }

  /// Programs in `folders` that append where they and their library lie to `places`, and want resources beside themselves.
  private func programs(_ folders: [String], library: String) throws {
    let directory = launchprof.directory
    try directory.write("void where(void);\nint main(void) { where(); return 0; }\n", to: "app.c")
    try directory.write(
      """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <stdio.h>
      #include <stdlib.h>
      #include <string.h>
      #include <unistd.h>
      void where(void) {
        char program[2048] = "", library[4096], resource[4096];
        Dl_info found;
        readlink("/proc/self/exe", program, sizeof program - 1);
        dladdr((void *)where, &found);
        FILE *places = fopen("places", "a");
        fprintf(places, "%s %s\\n", program, realpath(found.dli_fname, library));
        fclose(places);
        *strrchr(program, '/') = 0;
        snprintf(resource, sizeof resource, "%s/app_app.resources/data.txt", program);
        if (access(resource, R_OK) != 0) exit(7);
      }
      """, to: "where.c")
    for folder in folders {
      for place in ["app_app.resources", library] {
        try Compiler.run("mkdir", ["-p", "\(folder)/\(place)"], in: directory)
      }
      try directory.write("data", to: "\(folder)/app_app.resources/data.txt")
      let place = "\(folder)/\(library)"
      try Compiler.run("gcc", ["-shared", "-fPIC", "-o", "\(place)/libwhere.so", "where.c", "-ldl"], in: directory)
      try Compiler.run(
        "gcc", ["-o", "\(folder)/app", "app.c", "-L\(place)", "-lwhere", "-Wl,-rpath,$ORIGIN/\(library)"], in: directory
      )
    }
  }

  /// Where copies are.
  private func programFolders() throws -> [String] {
    names(in: launchprof.directory.appending("kept")).filter { $0.hasPrefix(".programs") }.sorted()
  }

  private func places() throws -> [[String]] {
    String(decoding: try contents(launchprof.directory.appending("places")), as: UTF8.self).split(separator: "\n")
      .map { $0.split(separator: " ").map(String.init) }
  }

  @Test(arguments: [".", "parts/more"])
  func librariesBesideAProgramAreCopiedWithIt(library: String) throws {
    try programs(["old", "new"], library: library)
    let run = try launchprof.run(["bench", "--traces", "kept", "--max-runs", "2", "--vs", "old/app", "--", "new/app"])
    // The same program, as far as the linker gave it a build ID.
    #expect([.exited(0), .exited(4)].contains(run.outcome), "\(run.text)\(run.errorText)")
    #expect(!run.errorText.contains("where they are"), "\(run.errorText)")
    let places = try places()
    #expect(places.count == 6)
    let below = library == "." ? "" : library + "/"
    // The warm-ups, base first.
    for (number, line) in zip([0, 1], places) {
      #expect(line[0].contains("/kept/.programs-") && line[0].hasSuffix("/\(number)/app"), "\(line)")
      #expect(line[1] == line[0].dropLast(3) + "\(below)libwhere.so", "\(line)")
    }
    // The copies are gone, what they were made of is not.
    #expect(try programFolders().isEmpty)
    #expect(access(launchprof.directory.appending("new/app_app.resources/data.txt"), F_OK) == 0)
  }

  @Test func programsThatAreBoundToTheirPlaceAreLaunchedThere() throws {
    try programs(["old/bin", "new/bin"], library: "../lib")
    let run = try launchprof.run(["bench", "--max-runs", "2", "--vs", "old/bin/app", "--", "new/bin/app"])
    #expect([.exited(0), .exited(4)].contains(run.outcome), "\(run.text)\(run.errorText)")
    #expect(run.errorText.contains("Launching the programs where they are, without copies: "), "\(run.errorText)")
    #expect(run.errorText.contains("finds libwhere.so relative to its own directory"), "\(run.errorText)")
    #expect(try places().allSatisfy { !$0[0].contains(".programs") })
  }

  /// CI kills jobs, and two of them may keep their traces in one place.
  @Test func copiesOfOthersAreNoReasonToLaunchInPlace() throws {
    let directory = launchprof.directory
    for folder in ["", "/.programs", "/.programs-killed", "/.programs-killed/0", "/.programs-other"] {
      mkdir(directory.appending("kept") + folder, 0o700)
    }
    try directory.write("copy", to: "kept/.programs-killed/0/app")
    let other = open(directory.appending("kept/.programs-other"), O_RDONLY | O_CLOEXEC)
    defer { close(other) }
    #expect(flock(other, LOCK_EX) == 0)
    let run = try launchprof.run(["bench", "--traces", "kept", "--max-runs", "2", "--vs", "true", "--", "true"])
    #expect(!run.errorText.contains("where they are"), "\(run.errorText)")
    // Only what a killed one left is cleared away, and only what this version of launchprof left.
    #expect(try programFolders() == [".programs", ".programs-other"])
  }

  /// SwiftPM gives every executable `$ORIGIN` to look for libraries in; that alone is no reason.
  @Test func programsOfSwiftPMAreCopied() throws {
    let program = Launchprof.instrumented
    let options = ["--traces", "kept", "--max-runs", "2", "--vs", "'\(program)'"]
    let run = try launchprof.run(["bench"] + options + ["--", program])
    #expect([.exited(0), .exited(4)].contains(run.outcome), "\(run.text)\(run.errorText)")
    #expect(!run.errorText.contains("where they are"), "\(run.errorText)")
    let report = try launchprof.run(["report", "kept/head", "--format", "json"])
    let copy = /kept\/\.programs-\w+\/1\/instrumented-program/
    #expect(report.text.firstMatch(of: copy) != nil, "\(report.text.prefix(2000))")
  }

  /// Of what is so small that two dozen rounds never say there is none.
  private static let smallest = ["--relative", "0.01", "--absolute", "1ns"]

  /// Ten rounds are too few for this confidence. Twenty suffice also if some of them do not count on a busy machine.
  @Test func progressIsALineALookWhereNobodyWatches() throws {
    let run = try launchprof.run(
      ["bench", "--max-runs", "20", "--confidence", "99.99"] + Self.smallest + ["--vs", "true a", "--", "true", "b"])
    let lines = run.errorText.split(separator: "\n").filter { $0.hasPrefix("round ") }
    #expect(lines.count == 2, "\(run.errorText)")
    #expect(lines.first?.contains("% (not yet sure), cpu ") == true, "\(run.errorText)")
    #expect(lines.last?.contains(" to ") == true && !run.errorText.contains("?"), "\(run.errorText)")
  }

  @Test func progressIsOneLineOfATerminal() throws {
    let terminal = try PseudoTerminal(
      [Launchprof.path, "bench", "--max-runs", "12", "--confidence", "99.9999"] + Self.smallest + [
        "--vs", "true a", "--", "true", "b",
      ],
      directory: launchprof.directory.path)
    try terminal.wait(for: "\r\u{1b}[Kround 2 of at most 12")
    // From the first look on with what is known.
    try terminal.wait(for: "(not yet sure)")
    try terminal.wait(for: "12 rounds is the maximum")
    #expect(try terminal.finish() >> 8 == 4)
  }

  @Test func wrongOptionsAreSaid() throws {
    for (arguments, message) in [
      (["--"], "Name the program"), ([], "program"), (["--vs", "'open", "--", "true"], "balanced quotes"),
      (["--vs", "", "--", "true"], "expected a command"), (["--max-runs", "0", "--", "true"], "1 to 100000"),
      (["--nope", "--", "true"], "Unknown option"), (["--max-time", "soon", "--", "true"], "max-time"),
    ] {
      let run = try launchprof.run(["bench"] + arguments)
      #expect(run.outcome == .exited(64), "\(arguments)")
      #expect(run.errorText.contains(message), "\(arguments): \(run.errorText)")
    }
  }
}
