// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Foundation
import TestSupport
import Testing

final class CommandLineTests: CommandSuite {
  @Test(arguments: [[], ["--help"], ["-h"], ["help"]])
  func helpNamesTheCommands(arguments: [String]) throws {
    let run = try launchprof.run(arguments)
    #expect(run.outcome == .exited(0))
    for part in ["USAGE: launchprof <subcommand>", "record", "report", "ui.perfetto.dev"] {
      #expect(run.text.contains(part), "\(part)")
    }
    #expect(run.errorText.isEmpty)
  }

  @Test(arguments: [
    ("record", ["--runs", "--warmup", "--output", "--budgets", "--timeout", "--quiet", "124", "125"]),
    (
      "report",
      ["--format", "folded", "markdown", "chrome-json", "--rows", "--sort", "--depth", "--width", "--no-color"]
    ),
    // Its own options are those of its default subcommand.
    ("gate", ["launchprof help gate check", "launchprof gate [<options>] -- <program>", "selftest"]),
  ])
  func eachCommandHasHelp(verb: String, parts: [String]) throws {
    for arguments in [["help", verb], [verb, "--help"]] {
      let run = try launchprof.run(arguments)
      #expect(run.outcome == .exited(0))
      for part in parts { #expect(run.text.contains(part), "\(part)") }
    }
  }

  /// The usage can be copied.
  @Test(arguments: ["record", "report", "open", "explain", "bench", "compare", "gate", "history", "bisect", "ship"])
  func theUsageNamesTheCommand(verb: String) throws {
    let lines = try launchprof.run([verb, "--help"]).text.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("USAGE: launchprof \(verb)") }, "\(lines)")
  }

  /// Swift's runtime ends a process that has no /proc, unless it is told where the runtime is. Launched programs do not
  /// get this variable.
  @Test(Namespaces.needed(["-m"], "mount -t tmpfs none /proc")) func itRunsWithoutProc() throws {
    let command = "mount -t tmpfs none /proc && "
    func run(_ arguments: String) throws -> TestProcess {
      try TestProcess.run(
        "/usr/bin/unshare", ["-m", "sh", "-c", command + arguments, "sh", Launchprof.path],
        directory: launchprof.directory.path)
    }
    let version = try run("\"$1\" --version")
    #expect(version.text == (try launchprof.run(["--version"]).text), "\(version.text)\(version.errorText)")
    let program = try run("\"$1\" record -q -o t.pftrace -- sh -c 'echo root=$SWIFT_ROOT'")
    #expect(program.text.contains("root=\n"), "\(program.text)\(program.errorText)")
  }

  /// Swift's runtime finds the arguments with /proc/self/maps. It cannot if the process may not open another file.
  @Test(Namespaces.needed(["-m"], "mount --bind /dev/null /proc/$$/maps"))
  func theArgumentsDoNotComeFromProc() throws {
    let command = "mount --bind /dev/null /proc/$$/maps && exec \"$0\" --version"
    let run = try TestProcess.run("/usr/bin/unshare", ["-m", "sh", "-c", command, Launchprof.path])
    #expect(run.text == (try launchprof.run(["--version"]).text), "\(run.text)\(run.errorText)")
  }

  /// A relative path leads nowhere from there.
  @Test(
    arguments: [
      (["order", "--apply", "swiftc app.swift", "--", "./app"], 1),
      (["record", "-q", "-o", "/dev/null", "--first-launch", "homes", "--", "true"], 125),
    ] as [([String], Int32)])
  func aRemovedFolderIsSaid(arguments: [String], status: Int32) throws {
    let script = "mkdir gone && cd gone && rmdir ../gone && exec \"$0\" \"$@\""
    let run = try TestProcess.run(
      "/bin/sh", ["-c", script, Launchprof.path] + arguments, directory: launchprof.directory.path)
    #expect(run.outcome == .exited(status))
    #expect(run.errorText.contains("the current directory cannot be read"), "\(run.errorText)")
  }

  @Test func findingsAreExplained() throws {
    let all = try launchprof.run(["explain"])
    #expect(all.outcome == .exited(0))
    #expect(all.text.contains("main-thread-waiting  "))
    let ids = all.text.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
    let page = try String(contentsOfFile: PackageRoot.appending("docs/findings.md"), encoding: .utf8)
    #expect(page.split(separator: "\n").filter { $0.hasPrefix("## ") } == ids.map { "## \($0)" })
    let each = try launchprof.run(["explain"] + ids)
    #expect(each.outcome == .exited(0))
    for id in ids { #expect("\n\(each.text)".contains("\n\(id)\n"), "\(id)") }
    let one = try launchprof.run(["explain", "main-thread-waiting", "debug-build"])
    #expect(one.outcome == .exited(0))
    #expect(one.text.hasPrefix("main-thread-waiting\n"))
    #expect(one.text.contains("What to do") && one.text.contains("\n\ndebug-build\n"))
    let none = try launchprof.run(["explain", "no-such-finding"])
    #expect(none.outcome == .exited(64))
    #expect(none.errorText.contains("no-such-finding is not the id of a finding; launchprof explain lists all ids."))
    let misspelt = try launchprof.run(["explain", "static-init", "recorder-overhaed"])
    #expect(misspelt.errorText.contains("similar ids: slow-static-initializer."))
    let other = try launchprof.run(["explain", "recorder-overhaed"])
    #expect(other.errorText.contains("recorder-overhaed is not the id of a finding; similar ids: recorder-overhead."))
  }

  /// Some service managers and CI runners start programs with SIGCHLD ignored.
  @Test func ignoredChildSignalsLoseNoExitStatus() throws {
    func shell(_ script: String) throws -> TestProcess {
      let script = "trap '' CHLD; " + script
      return try TestProcess.run(
        "/bin/sh", ["-c", script, Launchprof.path], directory: launchprof.directory.path, timeout: 60)
    }
    // The launched program ignores the signal, as it does without launchprof.
    let direct = try shell("exec grep SigIgn /proc/self/status")
    let recorded = try shell("exec \"$0\" record -q -o x.pftrace -- grep SigIgn /proc/self/status")
    #expect(recorded.outcome == .exited(0) && recorded.text == direct.text && !direct.text.isEmpty)
    let failed = try shell("exec \"$0\" record -q -o x.pftrace -- false")
    #expect(failed.outcome == .exited(1))
    // A build that fails is reported as failed.
    let bisected = try shell(
      "git init -q . && for i in 1 2; do echo $i > a && git add a && git -c user.name=a -c user.email=a@b commit -qm $i; done; "
        + "exec \"$0\" bisect --good HEAD~1 --bad HEAD --build false -- ./program")
    #expect(bisected.outcome != .exited(0) && bisected.errorText.contains("build"), "\(bisected.errorText)")
  }

  @Test func theVersionIsPrinted() throws {
    let run = try launchprof.run(["--version"])
    #expect(run.outcome == .exited(0))
    #expect(run.text.wholeMatch(of: #/\d+\.\d+\.\d+ \(.+\)\n/#) != nil)
    // The help of these listed the option, and they refused it.
    for verb in ["record", "bench", "gate", "gate init", "what-if"] {
      let same = try launchprof.run(verb.split(separator: " ").map(String.init) + ["--version"])
      #expect(same.outcome == .exited(0) && same.text == run.text, "\(verb): \(same.errorText)")
    }
  }

  /// A full disk, say.
  @Test(arguments: ["--version", "--help", "help record", "record --help", "explain", "explain debug-build"])
  func whatCannotBeWrittenIsAnError(arguments: String) throws {
    for place in ["/dev/full", "&-"] {
      let run = try TestProcess.run(
        "/bin/sh", ["-c", "\"$0\" \(arguments) >\(place)", Launchprof.path], directory: launchprof.directory.path)
      #expect(run.outcome == .exited(1), "\(run.outcome)")
      #expect(run.errorText.hasPrefix("launchprof: standard output: cannot write: "), "\(run.errorText)")
    }
  }

  /// The message ended with how to call launchprof without a verb.
  @Test func aMistakeThatAVerbFindsShowsNoOtherUsage() throws {
    let run = try launchprof.run(["fleet", "gate", "launches.jsonl"])
    #expect(run.outcome == .exited(64))
    #expect(
      run.errorText.hasPrefix("launchprof: nothing to check: ") && !run.errorText.contains("<subcommand>"),
      "\(run.errorText)")
  }

  @Test func aTraceThatNobodyKeepsIsReported() throws {
    let run = try launchprof.run(["record", "-o", "/dev/null", "--", "true"])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    #expect(run.errorText.contains("Recorded /dev/null") && run.errorText.contains("to its exit"), "\(run.errorText)")
    #expect(try launchprof.directory.contents() == [])
  }

  /// It was opened for writing, and the message was: the file is being written; wait until it is complete.
  @Test func aTraceDoesNotReplaceTheProgram() throws {
    let run = try TestProcess.run(
      "/bin/sh", ["-c", "cp /bin/true app && exec \"$0\" record -o app -- ./app", Launchprof.path],
      directory: launchprof.directory.path)
    #expect(
      run.outcome == .exited(64) && run.errorText.contains("-o app: is the program to launch"), "\(run.errorText)")
    let budgets = "interval: 16ms\n"
    try launchprof.directory.write(budgets, to: "launch-budgets.yml")
    let overBudgets = try launchprof.run(["record", "-o", "launch-budgets.yml", "--", "true"])
    #expect(overBudgets.outcome == .exited(64) && overBudgets.errorText.contains("is the file with the budgets"))
    #expect(try contents(launchprof.directory.appending("launch-budgets.yml")) == Array(budgets.utf8))
  }

  @Test func aProgramWhoseNameIsNoText() throws {
    let script = """
      name=$(printf 'caf\\351') && cp /bin/echo "$name" && PATH="$PWD:$PATH"
      '\(Launchprof.path)' record -q -o a.pftrace -- "./$name" one && '\(Launchprof.path)' record -o b.pftrace -- "$name" two
      """
    let run = try TestProcess.run("/bin/sh", ["-c", script], directory: launchprof.directory.path)
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    #expect(run.text == "one\ntwo\n")
    #expect(run.errorText.contains("to ready"), "\(run.errorText)")
  }

  /// As text, each would be the name of another file.
  @Test func namesThatAreNoTextAreRefused() throws {
    for arguments in [
      "report $name.pftrace", "record -q -o $name/ -- true", "bench --max-runs 1 -- ./$name", "gate init -- ./$name",
      "gate --vs ./$name -- true", "what-if -- ./$name", "gate selftest -- ./$name", "order -- ./$name",
      "history list --store $name",
    ] {
      let run = try TestProcess.run(
        "/bin/sh", ["-c", "name=$(printf 'caf\\351'); '\(Launchprof.path)' \(arguments)"],
        directory: launchprof.directory.path)
      #expect(run.outcome == .exited(64), "\(arguments): \(run.errorText)")
      #expect(run.errorText.contains("caf\u{fffd}") && run.errorText.contains("is not UTF-8"), "\(run.errorText)")
    }
    #expect(try launchprof.directory.contents() == [])
  }

  /// redis-server is a link to redis-check-rdb, and was shown under that name.
  @Test func aProgramBehindALinkHasTheNameThatItWasLaunchedBy() throws {
    symlink("/bin/true", launchprof.directory.appending("called"))
    let run = try launchprof.run(["record", "-o", "t.pftrace", "--", "./called"])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    #expect(try launchprof.run(["report", "t.pftrace"]).text.hasPrefix("called\n"))
  }

  @Test func aStrayFileHidesNoRecording() throws {
    let run = try launchprof.run(["record", "-q", "--", "true"])
    #expect(run.succeeded)
    try launchprof.directory.write("notes of mine\n", to: "stray.pftrace")
    try launchprof.directory.write("", to: "empty.pftrace")
    defer { for name in ["stray", "empty"] { unlink(launchprof.directory.appending("\(name).pftrace")) } }
    let report = try launchprof.run(["report"])
    #expect(report.outcome == .exited(0), "\(report.errorText)")
    #expect(
      report.errorText.contains("Skipped stray.pftrace")
        && report.errorText.contains("Using the latest recording, true-"))
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func shellsGetCompletions(shell: String) throws {
    let run = try launchprof.run(["--generate-completion-script", shell])
    #expect(run.outcome == .exited(0))
    #expect(run.text.contains("launchprof"))
    #expect(run.text.contains("timeout"))
    // Of --by.
    if shell == "bash" { #expect(run.text.contains("'library'$'\\n''module'")) }
  }

  /// `gate` alone means `gate check`, and has its options.
  @Test(arguments: [
    ("gate --allow-miss", "--allow-missing-baseline"), ("gate --runs 5 --trac", "--traces"),
    ("gate --inconclusive w", "warn"),
    ("gate che", "check"), ("gate check --trac", "--traces"), ("gate init --forc", "--force"), ("gate --forc", ""),
    ("history baseline set --only", "--only-forward"), ("help rec", "record"), ("help history baseline s", "set"),
  ])
  func optionsOfADefaultVerbAreCompleted(line: String, completion: String) throws {
    let run = try launchprof.run(["--generate-completion-script", "bash"])
    let words = line.split(separator: " ").map(String.init)
    let complete = """
      COMP_WORDS=(launchprof "$@") COMP_CWORD=$# COMP_LINE="launchprof $*"
      COMP_POINT=${#COMP_LINE}
      _launchprof launchprof "${@: -1}" "${@: -2:1}"
      echo "${COMPREPLY[*]}"
      """
    let bash = try TestProcess.run("/bin/bash", ["-c", run.text + "\n" + complete, "bash"] + words)
    #expect(bash.text == completion + "\n", "\(line): \(bash.text)\(bash.errorText)")
  }

  /// ArgumentParser offers either verbs or files.
  @Test(arguments: [
    ("bash", "complete -o default -o filenames -F _launchprof launchprof"),
    ("zsh", "below that.'\n        )\n        _describe -V subcommand subcommands && ret=0\n        _files && ret=0"),
    ("zsh", "            ;;\n        *) _files && ret=0 ;;"), ("fish", "\"launchprof gate\" -ge 1' -F"),
  ])
  func gateIsCompletedWithFiles(shell: String, part: String) throws {
    let script = try launchprof.run(["--generate-completion-script", shell]).text
    #expect(script.components(separatedBy: part).count == 2)
  }

  /// bash is above. ArgumentParser offers nothing after `help`.
  @Test(arguments: [("zsh", "'fleet') compadd report "), ("fish", "= \"launchprof help fleet\"' -fa 'report ")])
  func helpIsCompletedWithVerbs(shell: String, part: String) throws {
    #expect(try launchprof.run(["--generate-completion-script", shell]).text.contains(part))
  }

  /// They named only the words that were left over.
  @Test(arguments: [
    (["recrod", "--", "true"], "no subcommand recrod; did you mean record?"),
    (["help", "recrod"], "no subcommand recrod; did you mean record?"),
    (["rep"], "did you mean report?"), (["./app"], "launchprof record -- ./app"),
    (["fleet", "repot", "x"], "launchprof: fleet has no subcommand repot; did you mean report?"),
    (["history", "show"], "launchprof: history has no subcommand show; it has: add, list,"),
    (["history", "baseline", "rm", "main"], "launchprof: history baseline has no subcommand rm; it has: set, get"),
    (
      ["history", "--store", "x", "baseline", "get"],
      "Write options after the subcommand: launchprof history baseline get --store …"
    ),
    (["history", "--store", "x", "list"], "Write options after the subcommand: launchprof history list --store …"),
    (["--", "true"], "launchprof record -- true"), (["-n", "3", "record", "--", "true"], "launchprof record -n …"),
  ])
  func aMistakenVerbIsTold(arguments: [String], message: String) throws {
    let run = try launchprof.run(arguments)
    #expect(run.outcome == .exited(64))
    #expect(run.errorText.contains(message), "\(run.errorText)")
  }

  /// The message proposed `record --`, whatever the verb was.
  @Test(arguments: ["gate", "gate init", "what-if"]) func aProgramWithoutItsDashesIsTold(verb: String) throws {
    let run = try launchprof.run(verb.split(separator: " ").map(String.init) + ["/bin/sh", "-c", "true"])
    #expect(run.outcome == .exited(64))
    #expect(run.errorText.contains("To launch it: launchprof \(verb) -- /bin/sh"), "\(run.errorText)")
  }

  /// `launchprof record -- wc *` in a large directory.
  @Test func aProgramMayHaveManyArguments() throws {
    let many = [String](repeating: "a", count: 60_000)
    let run = try launchprof.run(
      ["record", "-q", "--no-samples", "-o", "t.pftrace", "--", "sh", "-c", "echo $# $1 ${60000}", "sh"] + many)
    #expect(run.outcome == .exited(0) && run.text == "60000 a a\n", "\(run.errorText)")
    // The first `--` may be one of the program's own.
    let script = ["sh", "-c", "echo $# $1 $2 $3 ${601}", "sh", "first", "--"]
    let own = try launchprof.run(["record", "-q", "--no-samples", "-o", "t.pftrace"] + script + many.prefix(599))
    #expect(own.outcome == .exited(0) && own.text == "601 first -- a a\n", "\(own.text)\(own.errorText)")
  }

  @Test func valuesMayFollowShortOptionsAtOnce() throws {
    let run = try launchprof.run(["record", "-q", "-n2", "-otraces/", "--", "true"])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    #expect(names(in: launchprof.directory.appending("traces")).count == 2)
  }

  @Test(arguments: [
    (["bench", "-n", "4", "--", "true"], "--max-runs"), (["bench", "--runs=4", "--", "true"], "--max-runs"),
    (["gate", "-n", "4", "--", "true"], "--runs"), (["gate", "init", "-n", "4", "--", "true"], "--runs"),
    (["what-if", "--max-runs", "4", "--", "true"], "--runs"),
  ])
  func theOptionForTheNumberOfLaunchesIsNamed(arguments: [String], option: String) throws {
    let run = try launchprof.run(arguments)
    #expect(
      run.outcome == .exited(64) && run.errorText.contains("\(option) sets the number of launches"), "\(run.errorText)")
  }

  @Test func theOptionsOfTheProgramAreItsOwn() throws {
    for arguments in [
      ["record", "-q", "--", "echo", "-n", "--help", "--", "-o"], ["record", "-q", "echo", "-n", "--help", "--", "-o"],
    ] {
      let run = try launchprof.run(arguments)
      #expect(run.outcome == .exited(0))
      #expect(run.text == "--help -- -o")
    }
  }
}
