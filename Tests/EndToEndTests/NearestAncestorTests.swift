// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import Synchronization
import TestSupport
import Testing

/// `launchprof gate --nearest-ancestor`, in a repository with six commits of a main branch, and a branch with a merge. The
/// history has launches of the commits 2, 4 and 6, and of one of the branch. The last one is the baseline.
struct NearestAncestorTests {
  private let launchprof: Launchprof

  init() throws {
    launchprof = try Launchprof(keepsTraces: false)
    let made = try Self.made.withLock { made in
      if let made { return made }
      let directory = try Self.make()
      // What a static variable holds stays until the process ends.
      atexit { NearestAncestorTests.made.withLock { $0 = nil } }
      made = directory
      return directory
    }
    try Compiler.run("cp", ["-a", made.path + "/.", "."], in: launchprof.directory)
  }

  /// Each test gets a copy. To make it takes longer than most of the tests.
  private static let made = Mutex<TemporaryDirectory?>(nil)

  private static func make() throws -> TemporaryDirectory {
    let launchprof = try Launchprof(keepsTraces: false)
    let script = """
      set -e
      commit() { git commit -q --allow-empty -m "$1"; git tag "$1"; }
      git init -q -b main .
      for number in 1 2 3 4 5 6; do commit M$number; done
      git checkout -q -b side M4
      commit S1; commit S2
      git checkout -q --detach M5
      git merge -q --no-ff -m merged side; git tag merged
      git checkout -q main
      mkdir traces
      """
    let made = try TestProcess.run(
      "/bin/sh", ["-c", script], adding: Self.identity, directory: launchprof.directory.path)
    try #require(made.succeeded, "\(made.errorText)")
    for commit in ["M2", "M4", "S1", "M6"] {
      let trace = "traces/\(commit).pftrace"
      _ = try launchprof.record(["true"], to: trace)
      // Its path stands in the history, so it is one that holds for the copies, too.
      try launchprof.history(["add", "--commit", commit, trace])
    }
    try launchprof.history(["baseline", "set", "main", "--commit", "M6"])
    _ = try launchprof.record(["true"], to: Self.head)
    return launchprof.directory
  }

  private static let head = "traces/head.pftrace"

  private static let identity = [
    "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b",
  ]

  private func place(_ name: String = ".") -> String { launchprof.directory.appending(name) }

  private func git(_ arguments: [String], in directory: String = ".") throws -> String {
    let run = try TestProcess.run("/usr/bin/git", arguments, directory: place(directory))
    #expect(run.succeeded, "\(arguments): \(run.errorText)")
    return run.text.split(separator: "\n").first.map(String.init) ?? ""
  }

  private func gate(
    _ options: [String] = [], in directory: String = ".", adding: [String: String] = [:], status: Int32 = 0
  ) throws -> (commit: String?, text: String) {
    let named = ["gate", "--nearest-ancestor", "--baseline", "main", "--inconclusive", "pass", "-o", "result.json"]
    let store = ["--store", place(".launchprof/history.sqlite")]
    let run = try TestProcess.run(
      Launchprof.path, named + store + options + [place(Self.head)],
      adding: ["GITHUB_SHA": "", "CI_COMMIT_SHA": ""].merging(adding) { $1 }, directory: place(directory))
    #expect(run.outcome == .exited(status), "\(run.text)\(run.errorText)")
    let json = String(decoding: try contents(place(directory + "/result.json")), as: UTF8.self)
    let commit = json.firstMatch(of: /"baselineCommit": "([^"]*)"/).map { String($0.1) }
    return (commit, run.text.inOneLine)
  }

  @Test(arguments: [
    ("M6", "M4", "2 commits before"), ("M5", "M4", "1 commit before"), ("M4", "M2", "2 commits before"),
    ("S2", "M4", "2 commits before"), ("merged", "M4", "2 commits before"),
  ])
  func theBaselineComesBeforeTheHead(head: String, base: String, distance: String) throws {
    _ = try git(["checkout", "-q", head])
    let (commit, text) = try gate()
    #expect(commit == (try git(["rev-parse", base])), "\(text)")
    let (short, last) = (try git(["rev-parse", "--short=12", "HEAD"]), try git(["rev-parse", "--short=12", "M6"]))
    #expect(text.contains("\(distance) \(short); main is "), "\(text)")
    #expect(text.contains(head == "M6" ? "main is the head itself" : "main is commit \(last), which does not come"))
  }

  @Test func aNameThatComesBeforeTheHeadIsTheBaseline() throws {
    _ = try git(["checkout", "-q", "main"])
    let commit = try TestProcess.run(
      "/usr/bin/git", ["commit", "-q", "--allow-empty", "-m", "M7"], adding: Self.identity, directory: place())
    #expect(commit.succeeded, "\(commit.errorText)")
    let (base, text) = try gate(["--format", "github"])
    let last = try git(["rev-parse", "M6"])
    #expect(base == last, "\(text)")
    #expect(text.contains("the baseline main is commit \(last.prefix(12)), 1 commit before "), "\(text)")
  }

  /// The name of a branch without a baseline is that of its latest commit, which need not have launches.
  @Test func aBranchWithoutABaselineIsNamedAsTheUserNamesIt() throws {
    let latest = try git(["rev-parse", "--short=12", "side"])
    let (commit, text) = try gate(["--baseline", "side"])
    #expect(commit == (try git(["rev-parse", "M4"])), "\(text)")
    #expect(text.contains("; side is commit \(latest), which has no launches"), "\(text)")
    // `gate --baseline` and `baseline set --commit` take such names.
    #expect(try launchprof.history(["baseline", "get", "M6"]).text == git(["rev-parse", "M6"]) + "\n")
    let named = try launchprof.run(["gate", "--baseline", "side", Self.head])
    #expect(named.outcome == .exited(5))
    #expect(named.text.inOneLine.contains("there is no baseline side: the history .launchprof/"), "\(named.text)")
    #expect(
      named.text.inOneLine.contains(
        "has no baseline or commit \"side\" (its baselines: main); for git, side is commit \(latest), of which it has no launches; to add its launches: launchprof history add --commit side TRACES; until then"
      ), "\(named.text)")
  }

  /// Pull requests that are older than the history.
  @Test func withoutAnEarlierCommitTheNameIsTheBaselineAndThisIsSaid() throws {
    _ = try git(["checkout", "-q", "M2"])
    let (commit, text) = try gate()
    #expect(commit == (try git(["rev-parse", "M6"])), "\(text)")
    #expect(text.contains("so the baseline may contain changes that the head lacks"), "\(text)")
    // But a commit is never its own baseline.
    try launchprof.history(["baseline", "set", "main", "--commit", "M2"])
    let (none, missing) = try gate(status: 5)
    #expect(none == nil && missing.contains("no commit before "), "\(missing)")
    #expect(try gate(["--allow-missing-baseline"]).text.contains("nothing was checked"))
  }

  /// The error named an id instead of the branch, and hid that the clone is shallow.
  @Test func aBranchWithoutLaunchesIsNamedAsTheUserNamesIt() throws {
    let latest = try git(["rev-parse", "--short=12", "side"])
    let problem = "has no launches for side, which is commit \(latest); "
    _ = try git(["checkout", "-q", "M2"])
    let head = try git(["rev-parse", "--short=12", "HEAD"])
    let older = try gate(["--baseline", "side"], status: 5).text
    #expect(older.contains(problem + "no commit of side that comes before \(head) has launches"), "\(older)")
    _ = try git(["branch", "shallow", "M5"])
    _ = try git(["clone", "-q", "--depth", "1", "-b", "shallow", "file://" + place(), "clone"])
    _ = try git(["fetch", "-q", "--depth", "1", "origin", "side:side"], in: "clone")
    let shallow = try gate(["--baseline", "side"], in: "clone", status: 5).text
    #expect(shallow.contains(problem) && shallow.contains("; run git fetch --unshallow"), "\(shallow)")
    let own = try gate(["--baseline", "HEAD"], in: "clone").text
    #expect(own.contains("whose launches were added last; HEAD is the head itself"), "\(own)")
  }

  @Test func aCommitWithLaunchesOfAnotherProgramIsSaidToLackTheseOnly() throws {
    _ = try launchprof.record(["sleep", "0"], to: "sleep.pftrace")
    try launchprof.history(["add", "--commit", "M5", "sleep.pftrace"])
    let (commit, text) = try gate(["--baseline", "M5"])
    #expect(commit == (try git(["rev-parse", "M4"])), "\(text)")
    let named = try git(["rev-parse", "--short=12", "M5"])
    #expect(text.contains("; M5 is commit \(named), which has no launches of true that count"), "\(text)")
  }

  /// The launches of a scenario took the baseline away, or were compared with those without one.
  @Test func aCommitWithLaunchesOfAScenarioOnlyIsNoBaseline() throws {
    for (name, scenarios) in [("M5", ["first"]), ("S2", ["first", "second"])] {
      for scenario in scenarios {
        _ = try launchprof.record(["true"], to: "\(name)-\(scenario).pftrace")
        try launchprof.history(["add", "--commit", name, "--configuration", scenario, "\(name)-\(scenario).pftrace"])
      }
    }
    for (head, base) in [("M6", "M4"), ("merged", "M4")] {
      _ = try git(["checkout", "-q", head])
      let (commit, text) = try gate()
      #expect(commit == (try git(["rev-parse", base])), "\(text)")
    }
    let (commit, text) = try gate(["--configuration", "first"])
    #expect(commit == (try git(["rev-parse", "M5"])), "\(text)")
  }

  /// After a forced push, git no longer has the commit of the name. The head was compared with that one.
  @Test func theHeadIsComparedWithItsOwnLineIfGitDoesNotKnowTheName() throws {
    _ = try git(["branch", "forced", "M5"])
    _ = try git(["clone", "-q", "--single-branch", "--no-tags", "-b", "forced", "file://" + place(), "fresh"])
    let (commit, text) = try gate(in: "fresh")
    #expect(commit == (try git(["rev-parse", "M4"])), "\(text)")
    let last = try git(["rev-parse", "--short=12", "M6"])
    #expect(text.contains("; main is commit \(last), which git does not know here, as after"), "\(text)")
  }

  @Test func inAShallowCloneTheNameIsTheBaselineAndThisIsSaid() throws {
    for (head, base) in [("M5", "M6"), ("M6", "S1")] {
      _ = try git(["branch", "-f", "shallow", head])
      _ = try git(["clone", "-q", "--depth", "1", "-b", "shallow", "file://" + place(), head])
      let (commit, text) = try gate(in: head)
      // After S1, the launches of M6 were added.
      #expect(commit == (try git(["rev-parse", base])), "\(text)")
      #expect(text.contains("this clone lacks older commits; run git fetch --unshallow"), "\(text)")
    }
  }

  @Test func withoutARepositoryOrGitTheNameIsTheBaselineAndThisIsSaid() throws {
    let directory = try TemporaryDirectory()
    let store = ["--store", place(".launchprof/history.sqlite")]
    let (last, side) = (try git(["rev-parse", "M6"]), try git(["rev-parse", "S1"]))
    for (head, base) in [(side, last), (last, side)] {
      let run = try TestProcess.run(
        Launchprof.path,
        ["gate", "--nearest-ancestor", "--baseline", "main", "--inconclusive", "pass", "--format", "json"] + store
          + [place(Self.head)], adding: ["GITHUB_SHA": head], directory: directory.path)
      #expect(run.text.contains("\"baselineCommit\": \"\(base)\""), "\(run.text)\(run.errorText)")
      #expect(run.text.contains("there is no git repository here"), "\(run.text)")
    }
    let refused = try gate(adding: ["PATH": "/nowhere"])
    #expect(refused.commit == side && refused.text.contains("git is not installed"), "\(refused.text)")
  }
}
