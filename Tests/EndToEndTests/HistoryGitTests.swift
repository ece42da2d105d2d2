// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import TestSupport
import Testing

/// `launchprof history` in a repository, also in one about which git cannot be asked, as in the container of a CI job.
struct HistoryGitTests {
  private let launchprof: Launchprof
  /// The ids of two commits, the older one first.
  private let commits: [String]

  /// Git refuses repositories of other users, unless its configuration has them as safe.
  private static let refused = [
    "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
    "GITHUB_SHA": "", "CI_COMMIT_SHA": "",
  ]

  init() throws {
    launchprof = try Launchprof(keepsTraces: false)
    let script = """
      git init -q . && for i in 1 2; do git -c user.name=a -c user.email=a@b commit -q --allow-empty -m $i; done
      git rev-parse HEAD~1 HEAD
      """
    let made = try TestProcess.run("/bin/sh", ["-c", script], directory: launchprof.directory.path)
    commits = made.text.split(separator: "\n").map(String.init)
    try #require(commits.count == 2, "\(made.errorText)")
    for name in ["a", "b"] {
      _ = try launchprof.record(["true"], to: name + ".pftrace")
    }
  }

  private func history(_ arguments: [String], _ environment: [String: String]) throws -> TestProcess {
    try launchprof.run(["history"] + arguments, adding: environment)
  }

  /// Somebody measures old commits, the newest one first.
  @Test func commitsAreInTheOrderOfGit() throws {
    let identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
    try Compiler.run("git", identity + ["commit", "-q", "--allow-empty", "-m", "3"], in: launchprof.directory)
    for (number, commit) in ["HEAD", "elsewhere", "HEAD~2", "HEAD~1"].enumerated() {
      try launchprof.recordSeries("\(number)", 1, ["true"])
      try launchprof.history(["add", "--commit", commit, "\(number)"])
    }
    let list = try launchprof.history(["list"]).text.split(separator: "\n").dropFirst().map {
      $0.split(separator: " ")[0]
    }
    try #require(list.count == 4 && Set(list).count == 4, "\(list)")
    #expect(list.prefix(3) == [commits[0].prefix(12), "elsewhere", commits[1].prefix(12)], "\(list)")
    #expect(try launchprof.history(["plot"]).text.contains(try Regex("(?s)\(list[0]).*\(list[3])")))
  }

  /// HEAD is another commit tomorrow.
  @Test func aCommitHasItsFullName() throws {
    for (name, commit) in [
      ("HEAD~1", commits[0]), ("HEAD", commits[1]), (String(commits[1].prefix(8)), commits[1]), ("build-7", "build-7"),
    ] {
      try launchprof.recordSeries("of-\(name)", 1, ["true"])
      #expect(
        try launchprof.history(["add", "--commit", name, "of-\(name)"]).errorText.contains("for commit \(commit)\n"))
    }
    let other = try launchprof.history(["add", "--commit", "HEAD", "of-HEAD~1"])
    #expect(
      other.errorText.contains(
        "already there, as launches of commit \(commits[0]); if that is wrong, launchprof history remove"),
      "\(other.errorText)")
    for (name, commit) in [("build-7", "build-7"), ("HEAD~1", commits[0])] {
      #expect(
        try launchprof.history(["baseline", "set", "b", "--commit", name]).errorText == "b is commit \(commit)\n")
    }
    // The beginning of a name is another name.
    for name in ["absent", "build"] { try launchprof.history(["baseline", "set", "b", "--commit", name], status: 1) }
    // The gate takes the same names.
    for name in ["HEAD~1", "HEAD", "b"] {
      let gate = try launchprof.run(["gate", "--baseline", name, "--inconclusive", "pass", "of-HEAD"])
      #expect(gate.outcome == .exited(0), "\(name): \(gate.text)\(gate.errorText)")
    }
    let absent = try launchprof.run(["gate", "--baseline", "HEAD~7", "of-HEAD"])
    #expect(absent.outcome == .exited(5) && absent.text.contains("\"HEAD~7\""), "\(absent.text)")
  }

  /// As it was written, HEAD~1 would be another commit tomorrow.
  @Test(arguments: [refused, ["PATH": "/nowhere"]])
  func aNameThatGitCannotResolveIsNotStored(_ environment: [String: String]) throws {
    let reason = environment["PATH"] == nil ? "fatal: detected dubious ownership" : "git is not installed"
    let added = try history(["add", "--commit", "HEAD~1", "a.pftrace"], environment)
    #expect(added.outcome == .exited(1), "\(added.errorText)")
    #expect(added.errorText.contains("HEAD~1: git cannot say which commit this is (\(reason)"), "\(added.errorText)")
    // A full id needs no git, nor does the commit that is checked out.
    for arguments in [["--commit", commits[0], "a.pftrace"], ["b.pftrace"]] {
      #expect(try history(["add"] + arguments, environment).outcome == .exited(0))
    }
    let named = try history(["baseline", "set", "old", "--commit", "HEAD~1"], environment)
    #expect(named.outcome == .exited(1) && named.errorText.contains("git cannot say"), "\(named.errorText)")
    let gate = try launchprof.run(["gate", "--baseline", "HEAD~1", "a.pftrace"], adding: environment)
    #expect(gate.outcome == .exited(5), "\(gate.text)")
    #expect(gate.text.inOneLine.contains("git cannot say whether it is a commit (\(reason)"), "\(gate.text)")
  }

  /// A shallow clone, as CI makes it, has no HEAD~1.
  @Test func aNameThatOnlyGitUnderstandsIsNotStored() throws {
    let origin = "file://" + launchprof.directory.path
    let cloned = try TestProcess.run(
      "/usr/bin/git", ["clone", "-q", "--depth", "1", origin, launchprof.directory.appending("clone")])
    #expect(cloned.succeeded, "\(cloned.errorText)")
    let outside = try TemporaryDirectory()
    for (directory, reason) in [
      (launchprof.directory.appending("clone"), "it knows no such commit: this clone lacks older commits; run git"),
      (launchprof.directory.path, "it knows no such commit)"), (outside.path, "there is no git repository here)"),
    ] {
      func history(_ commit: String) throws -> TestProcess {
        let trace = launchprof.directory.appending("a.pftrace")
        return try TestProcess.run(
          Launchprof.path, ["history", "add", "--store", "h.sqlite", "--commit", commit, trace], directory: directory)
      }
      for commit in ["HEAD~5", "v1^", "main@{1}"] {
        let refused = try history(commit)
        #expect(refused.outcome == .exited(1), "\(refused.errorText)")
        #expect(refused.errorText.contains("\(commit): git cannot say which commit this is (\(reason)"))
      }
      #expect(try history("release-1").errorText.contains("for commit release-1"))
    }
    let gate = try TestProcess.run(
      Launchprof.path, ["gate", "--baseline", "HEAD~1", "--store", "h.sqlite", "../a.pftrace"],
      directory: launchprof.directory.appending("clone"))
    let text = gate.text.inOneLine
    #expect(gate.outcome == .exited(5) && text.contains("set the depth of the checkout to 0"), "\(text)")
  }

  /// "main" was stored as it is, and HEAD~1 was refused: there is no git repository here.
  @Test func aRepositoryWithoutAWorkingTreeIsOne() throws {
    // Around it is no other one.
    let outside = try TemporaryDirectory()
    let (bare, trace) = (outside.appending("bare"), launchprof.directory.appending("a.pftrace"))
    #expect(try TestProcess.run("/usr/bin/git", ["clone", "-q", "--bare", launchprof.directory.path, bare]).succeeded)
    for (options, commit) in [
      (["--commit", "HEAD~1"], commits[0]), (["--commit", "HEAD"], commits[1]), ([], commits[1]),
    ] {
      let added = try TestProcess.run(
        Launchprof.path, ["history", "add", "--store", "h.sqlite"] + options + [trace],
        adding: ["GITHUB_SHA": "", "CI_COMMIT_SHA": ""], directory: bare)
      #expect(added.errorText.contains("for commit \(commit)"), "\(options): \(added.errorText)")
    }
  }

  /// The job of an older push may run again. Git says the order, or else that of adding does.
  @Test(arguments: [[:], refused]) func aBaselineMovesOnlyForward(_ environment: [String: String]) throws {
    // Without git, the older one is that which was added first.
    let order = environment.isEmpty ? [commits[1], commits[0]] : commits
    for (commit, trace) in zip(order, ["a.pftrace", "b.pftrace"]) {
      #expect(try history(["add", "--commit", commit, trace], environment).outcome == .exited(0))
    }
    func set(_ commit: String, _ options: [String] = ["--only-forward"]) throws -> (present: String, said: String) {
      let run = try history(["baseline", "set"] + options + ["main", "--commit", commit], environment)
      #expect(run.outcome == .exited(0), "\(run.errorText)")
      return (try history(["baseline", "get", "main"], environment).text, run.errorText)
    }
    for commit in [commits[0], commits[1], commits[1]] { #expect(try set(commit).present == commit + "\n") }
    let kept = try set(commits[0])
    #expect(kept.present == commits[1] + "\n")
    #expect(
      kept.said.hasSuffix("main stays at commit \(commits[1]), which is newer than \(commits[0])\n"), "\(kept.said)")
    #expect(try set(commits[0], []).present == commits[0] + "\n")
  }

  /// The name of the branch was taken for that of the baseline, which then never moved.
  @Test func aBranchOfTheBaselinesNameIsTheCommit() throws {
    for (commit, trace) in zip(commits, ["a.pftrace", "b.pftrace"]) {
      #expect(try history(["add", "--commit", commit, trace], [:]).outcome == .exited(0))
    }
    #expect(try history(["baseline", "set", "trunk", "--commit", commits[0]], [:]).outcome == .exited(0))
    try Compiler.run("git", ["branch", "trunk"], in: launchprof.directory)
    let refused = try history(["baseline", "set", "trunk", "--commit", "trunk"], Self.refused)
    #expect(refused.outcome == .exited(1) && refused.errorText.contains("git cannot say"), "\(refused.errorText)")
    let moved = try history(["baseline", "set", "trunk", "--commit", "trunk"], [:])
    #expect(moved.errorText.contains("trunk is commit \(commits[1])"), "\(moved.errorText)")
  }

  /// "No change" was all that was said of a phase that the latest commit no longer has.
  @Test func changesNameWhatTheyDoNotShow() throws {
    let bare = try launchprof.run(["record", "-q", "--no-observation", "-o", "n.pftrace", "--", "true"])
    #expect(bare.outcome == .exited(0), "\(bare.errorText)")
    for (commit, trace) in zip(commits, ["a.pftrace", "n.pftrace"]) {
      #expect(try history(["add", "--commit", commit, trace], [:]).outcome == .exited(0))
    }
    let changes = try history(["changes", "--metric", "phase/main"], [:])
    #expect(changes.text.contains("no change in 1 commit"), "\(changes.text)")
    #expect(changes.text.contains("The latest commit, \(commits[1].prefix(12))"), "\(changes.text)")
    let count = try history(["changes", "--metric", "libraries"], [:])
    #expect(count.errorText.contains("the gate compares this count, but a history has no series of it"))
  }

  @Test func aBaselineNeedsANameAndLaunches() throws {
    #expect(try history(["add", "a.pftrace"], [:]).outcome == .exited(0))
    let nameless = try history(["baseline", "set", ""], [:])
    #expect(nameless.outcome == .exited(64) && nameless.errorText.contains("is empty"), "\(nameless.errorText)")
    let absent = try history(["baseline", "set", "main", "--commit", "HEAD~1"], [:])
    #expect(absent.outcome == .exited(1), "\(absent.errorText)")
    let hint = "add its launches first: launchprof history add --commit \(commits[0]) traces/"
    #expect(absent.errorText.contains(hint), "\(absent.errorText)")
    #expect(try history(["baseline", "get"], [:]).text.isEmpty)
  }

  @Test func anOrderThatGitDoesNotSayIsNamed() throws {
    for (commit, trace) in [(commits[1], "b.pftrace"), (commits[0], "a.pftrace")] {
      #expect(try history(["add", "--commit", commit, trace], [:]).outcome == .exited(0))
    }
    let order = try history(["list"], [:])
    #expect(order.errorText.isEmpty, "\(order.errorText)")
    for verb in ["list", "changes"] {
      let run = try history([verb], Self.refused)
      #expect(run.outcome == .exited(0), "\(run.errorText)")
      #expect(run.errorText.contains("so they are in the order in which they were added"), "\(run.errorText)")
    }
  }

  /// Git asked the server twice for each commit that a partial clone does not have.
  @Test func aPartialCloneAsksNoServer() throws {
    let (origin, clone) = ("file://" + launchprof.directory.path, launchprof.directory.appending("partial"))
    let script = """
      git config uploadpack.allowFilter true
      git clone -q --filter=blob:none '\(origin)' '\(clone)'
      """
    #expect(try TestProcess.run("/bin/sh", ["-ec", script], directory: launchprof.directory.path).succeeded)
    for (number, name) in ["a", "b"].enumerated() {
      let unknown = String(repeating: "\(number + 1)", count: 40)
      let trace = launchprof.directory.appending(name + ".pftrace")
      let added = try TestProcess.run(
        Launchprof.path, ["history", "add", "--store", "h.sqlite", "--commit", unknown, trace], directory: clone)
      #expect(added.succeeded, "\(added.errorText)")
    }
    let log = launchprof.directory.appending("git.log")
    let listed = try TestProcess.run(
      Launchprof.path, ["history", "list", "--store", "h.sqlite"], adding: ["GIT_TRACE": log], directory: clone)
    #expect(listed.succeeded, "\(listed.errorText)")
    let asked = String(decoding: try contents(log), as: UTF8.self)
    #expect(asked.contains("rev-list") && !asked.contains("fetch"), "\(asked)")
  }
}
