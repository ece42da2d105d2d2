// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// `launchprof bisect`, in a repository of 26 commits of a C program: one does not build, and the guilty one lies in a branch
/// that was merged.
final class BisectTests: CommandSuite {
  /// - Parameters: of the commits before the guilty one, and from it on.
  private func makeHistory(loops: (Int, Int) = (1, 1), initializers: (Int, Int)) throws {
    try launchprof.makeRepository(
      """
      fast() { commit "$1" \(initializers.0) \(loops.0) "${2:-}"; }
      slow() { commit "$1" \(initializers.1) \(loops.1); }
      for number in $(seq 0 9); do fast "fast $number"; done
      git tag good HEAD~8
      fast broken '#error'
      fast 'fast 11'
      git checkout -q -b side
      for number in $(seq 0 3); do fast "side $number"; done
      slow guilty
      slow 'side, slow'
      git checkout -q main
      git commit -q --allow-empty -m 'fast 12'
      git merge -q --no-ff -m merged side
      for number in $(seq 0 5); do slow "slow $number"; done
      """)
  }

  /// Three commits, for tests that say nothing of the way to the guilty one: the last one. The first one is `good`.
  private func makeShortHistory(loops: (Int, Int) = (1, 1), initializers: (Int, Int) = (1, 1)) throws {
    try launchprof.makeRepository(
      """
      commit first \(initializers.0) \(loops.0)
      git tag good
      commit second \(initializers.0) \(loops.0)
      commit guilty \(initializers.1) \(loops.1)
      """)
  }

  private func bisect(_ arguments: [String]) throws -> TestProcess {
    try launchprof.run(
      ["bisect", "--good", "good", "--build", "cc -O1 -o app main.c"] + arguments + ["--", "./app"], timeout: 900)
  }

  /// 12 % more, of what never varies.
  @Test func anExactMetricLeadsToTheCommit() throws {
    try makeHistory(initializers: (25, 28))
    let directory = launchprof.directory
    try directory.write("mine", to: "untracked")
    try directory.write("not to be touched", to: "main.c")
    let run = try bisect(["--metric", "initializers"])
    #expect(run.outcome == .exited(2), "\(run.text)\(run.errorText)")
    #expect(run.text.hasPrefix("FOUND\n") && run.text.contains("  guilty\n"), "\(run.text)")
    #expect(run.errorText.contains("is a merge"), "\(run.errorText)")
    let values = try #require(run.text.split(separator: "\n").first { $0.contains(" before it, ") })
    let numbers = values.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
    #expect(numbers.count == 2 && numbers[1] - numbers[0] == 3)
    #expect(
      run.text.contains("changed: ") && run.text.contains("initializers \(numbers[0]) to \(numbers[1])"), "\(run.text)")
    // The working tree is as it was, and nothing of the search is left.
    #expect(try contents(directory.appending("main.c")) == Array("not to be touched".utf8))
    #expect(try directory.contents() == [".git", "main.c", "untracked"])
    let trees = try TestProcess.run("/usr/bin/git", ["worktree", "list"], directory: directory.path)
    #expect(trees.text.split(separator: "\n").count == 1)
    #expect(access(directory.appending(".git/launchprof-bisect"), F_OK) != 0)
  }

  /// Each of three commits adds a third. One is named, and the others are not passed over.
  @Test func oneOfSeveralStepsIsNotTheWholeOne() throws {
    try launchprof.makeRepository(
      """
      commit 'step 0' 20
      git tag good
      commit 'step 1' 30
      commit 'step 2' 30
      commit 'step 3' 40
      commit 'step 4' 50
      """)
    let run = try bisect(["--metric", "initializers"])
    #expect(run.outcome == .exited(2) && run.text.hasPrefix("FOUND\n"), "\(run.text)\(run.errorText)")
    #expect(run.text.contains("step 3\n"), "\(run.text)")
    let rest = " by 30, so other commits have a part in it: search also from "
    #expect(run.text.contains("  rest: ") && run.text.contains(rest) && run.text.contains(", and from "), "\(run.text)")
  }

  private func wait(for text: String, times: Int, in file: String) throws {
    for _ in 0..<3_600 {
      let known = (try? contents(file)).map { String(decoding: $0, as: UTF8.self) } ?? ""
      if known.ranges(of: text).count >= times { return }
      usleep(50_000)
    }
    throw ToolFailure("\(file) never had \(text)")
  }

  @Test func theResultIsThereForPrograms() throws {
    try makeShortHistory(initializers: (25, 28))
    let none = try bisect(["--bad", "good", "--format", "json"])
    #expect(none.outcome == .exited(0), "\(none.text)\(none.errorText)")
    #expect(none.text.contains("\"status\": \"not-slower\"") && none.text.contains("\"commits\": []"), "\(none.text)")
    let run = try bisect(["--metric", "initializers", "--format", "json"])
    #expect(run.outcome == .exited(2), "\(run.text)\(run.errorText)")
    for member in ["\"status\": \"found\"", "\"subject\": \"guilty\"", "\"before\": ", "\"with\": ", "\"notes\": ["] {
      #expect(run.text.contains(member), "\(run.text)")
    }
  }

  /// Eight times the work, and an interruption in the middle: what is built and launched by then is kept.
  @Test func launchTimesLeadToTheCommitAfterAnInterruption() throws {
    try makeHistory(loops: (1_000_000, 8_000_000), initializers: (1, 1))
    let log = launchprof.directory.appending("builds")
    let arguments = [
      "bisect", "--good", "good", "--build", "git rev-parse HEAD >> \(log); cc -O1 -o app main.c", "--", "./app",
    ]
    let errors = launchprof.directory.appending("errors")
    let first = try RunningProcess.start(
      "/bin/sh", ["-c", "exec \"$@\" 2>\"$0\"", errors, Launchprof.path] + arguments,
      directory: launchprof.directory.path)
    try wait(for: " launched; ", times: 2, in: errors)
    first.signal(SIGINT)
    #expect(try first.finish().outcome == .signalled(SIGINT))
    let second = try launchprof.run(arguments, timeout: 900)
    #expect(second.outcome == .exited(2), "\(second.text)\(second.errorText)")
    #expect(second.errorText.contains("Continuing an interrupted search: "), "\(second.errorText)")
    #expect(!second.errorText.contains("search: 0 batches"), "\(second.errorText)")
    #expect(second.text.hasPrefix("FOUND\n") && second.text.contains("  guilty\n"), "\(second.text)\(second.errorText)")
    #expect(second.text.contains("against the commit before it"))
    // Its phase, and what would win it back.
    #expect(second.text.contains("what-if: "), "\(second.text)")
    // On a busy machine, CPU time alone may find the commit. Then no part is named.
    let total = second.text.split(separator: "\n").first { $0.hasPrefix("  total: ") }
    let isWallCertain = try !#require(total).contains("(-")
    #expect(second.text.contains(" of it in: main") == isWallCertain, "\(second.text)")
    let builds = String(decoding: try contents(log), as: UTF8.self).split(separator: "\n")
    // The interruption may have met a build, which is made again.
    #expect(builds.count > 3 && builds.count - Set(builds).count <= 1, "commits are built once: \(builds)")
  }

  /// git cannot check the second commit out into the search's working tree, and the user stops it when it removes that.
  @Test func anInterruptionWhileATreeIsRemovedEndsTheSearch() throws {
    try makeShortHistory(initializers: (25, 28))
    let bin = launchprof.directory.appending("bin")
    mkdir(bin, 0o777)
    let git = """
      #!/bin/sh
      case $* in
      checkout*) exit 1 ;;
      'worktree remove'*) kill -INT $PPID ;;
      esac
      exec /usr/bin/git "$@"

      """
    chmod(try launchprof.directory.write(git, to: "bin/git"), 0o755)
    let run = try launchprof.run(
      ["bisect", "--good", "good", "--metric", "initializers", "--build", "cc -o app main.c", "--", "./app"],
      adding: ["PATH": "\(bin):\(TestProcess.currentEnvironment["PATH"] ?? "")"])
    #expect(run.outcome == .signalled(SIGINT), "\(run.text)\(run.errorText)")
  }

  @Test func whatIsNotThereIsNotSearchedFor() throws {
    try makeShortHistory()
    let run = try bisect(["--metric", "initializers"])
    #expect(run.outcome == .exited(0) && run.text.hasPrefix("NOTHING TO FIND"), "\(run.text)\(run.errorText)")
  }

  /// A disk was full, say.
  @Test func aNeededCommitThatDidNotBuildIsBuiltAgain() throws {
    try makeShortHistory()
    let arguments = [
      "bisect", "--good", "good", "--metric", "initializers", "--build",
      "[ -e '\(launchprof.directory.appending("mended"))' ] && cc -O1 -o app main.c", "--", "./app",
    ]
    let broken = try launchprof.run(arguments)
    #expect(broken.outcome == .exited(1) && broken.errorText.contains("does not build"), "\(broken.errorText)")
    try launchprof.directory.write("", to: "mended")
    let mended = try launchprof.run(arguments)
    #expect(mended.outcome == .exited(0) && mended.text.hasPrefix("NOTHING TO FIND"), "\(mended.errorText)")
  }

  /// git then warns, before it answers.
  @Test func aTagMayHaveTheNameOfABranch() throws {
    try makeShortHistory()
    try Compiler.run("git", ["branch", "good", "main"], in: launchprof.directory)
    let run = try bisect(["--metric", "initializers"])
    #expect(run.outcome == .exited(0) && run.text.hasPrefix("NOTHING TO FIND"), "\(run.text)\(run.errorText)")
    #expect(run.errorText.contains("commits from "), "\(run.errorText)")
  }

  @Test func aSearchWithOtherArgumentsBeginsAnew() throws {
    try makeShortHistory(loops: (1_000_000, 8_000_000))
    func continues(_ word: String) throws -> Bool {
      let run = try launchprof.run(
        ["bisect", "--good", "good", "--build", "cc -O1 -o app main.c", "--max-time", "1ms", "--", "./app", word],
        timeout: 300)
      #expect(run.outcome == .exited(4) && run.text.contains("--max-time"), "\(run.text)\(run.errorText)")
      return run.errorText.contains("Continuing an interrupted search")
    }
    #expect(try !continues("--a"))
    #expect(try !continues("--b"))
    #expect(try continues("--a"))
  }

  @Test func aSearchByAnExactMetricEndsInTimeToo() throws {
    try makeHistory(initializers: (25, 28))
    let run = try bisect(["--metric", "initializers", "--max-time", "1ms"])
    #expect(run.outcome == .exited(4) && run.text.contains("the time of --max-time is over"), "\(run.text)")
    #expect(run.text.contains("fast 11\n") && run.text.contains("merged\n"), "\(run.text)")
  }

  /// Its libraries are those of the commit that was built last. No search is to take what another one refused.
  @Test func aProgramThatNeedsThePlaceOfItsBuildIsRefusedEachTime() throws {
    try launchprof.makeRepository("commit first 1; git tag good; commit second 2")
    let build =
      "echo 'int x;' > x.c && cc -shared -fPIC -o libx.so x.c && "
      + "cc -o app main.c -Wl,--no-as-needed -L. -lx -Wl,-rpath,\"$PWD\""
    for _ in 0..<3 {
      let run = try launchprof.run(
        ["bisect", "--good", "good", "--metric", "initializers", "--build", build, "--", "./app"])
      #expect(run.outcome == .exited(1), "\(run.text)\(run.errorText)")
      #expect(run.errorText.contains("finds libx.so by the place where it was built"), "\(run.errorText)")
    }
  }

  /// The program is the same in all commits. A file of the repository says how much it does, and another one is not committed.
  @Test func aDataFileThatGrewIsFound() throws {
    try launchprof.directory.write(
      """
      #include <stdio.h>
      static volatile unsigned long sum;
      int main(int count, char **words) {
        unsigned long loops = 0;
        FILE *file = fopen(words[1], "r");
        if (file == NULL || fscanf(file, "%lu", &loops) != 1) return 1;
        for (unsigned long i = 0; i < loops; i++) sum += i;
        return 0;
      }
      """, to: "main.c")
    try launchprof.makeRepository(
      """
      keep() {
        printf "$2" >data
        printf "$1" >other
        git add main.c data other
        git commit -q -m "$1"
      }
      for number in $(seq 0 4); do keep "number $number" 500000; done
      keep guilty 4000000
      for number in 6 7; do keep "number $number" 4000000; done
      printf 1 >data
      """)
    let run = try launchprof.run(
      ["bisect", "--good", "HEAD~7", "--build", "cc -O1 -o app main.c", "--", "./app", "data"], timeout: 900)
    #expect(run.outcome == .exited(2), "\(run.text)\(run.errorText)")
    #expect(run.text.hasPrefix("FOUND\n") && run.text.contains("  guilty\n"), "\(run.text)\(run.errorText)")
    #expect(access(launchprof.directory.appending(".git/launchprof-bisect"), F_OK) != 0)
  }

  /// It is there after the check-out, so the build has nothing to do.
  @Test func aTrackedProgramIsThere() throws {
    try launchprof.makeRepository(
      """
      echo 'int main(void) { return 0; }' | cc -o app -x c -
      for number in 0 1 2; do
        echo $number >other
        git add app other
        git commit -q -m $number
      done
      """)
    let run = try launchprof.run(
      ["bisect", "--good", "HEAD~2", "--build", "true", "--metric", "initializers", "--", "./app"])
    #expect(run.outcome == .exited(0) && run.text.hasPrefix("NOTHING TO FIND"), "\(run.text)\(run.errorText)")
  }

  /// As git bisect skip.
  @Test func aCommitWhoseLaunchesFailIsLeftOut() throws {
    let crash = "__attribute__((constructor)) static void crash(void) { __builtin_trap(); }"
    try launchprof.makeRepository(
      """
      commit 'number 0' 1
      git tag good
      for number in 1 2; do commit "number $number" 1; done
      commit 'number 3' 4 1 '\(crash)'
      for number in 4 5; do commit "number $number" 4; done
      """)
    let run = try bisect(["--metric", "initializers"])
    #expect(run.outcome == .exited(2), "\(run.text)\(run.errorText)")
    #expect(
      run.text.hasPrefix("FOUND: one of 2 commits, of which only the last one builds and starts\n"), "\(run.text)")
    #expect(run.text.contains("  number 3\n") && run.text.contains("  number 4\n"), "\(run.text)")
    let id = try TestProcess.run(
      "/usr/bin/git", ["rev-parse", "--short=12", "HEAD~2"], directory: launchprof.directory.path)
    let ids = id.text.split(separator: "\n")
    #expect(run.errorText.contains("\(ids[0]) is left out: 1 launch failed: "), "\(run.errorText)")
    for (bad, options) in [("HEAD~2", ["--metric", "initializers"]), ("HEAD~2", [])] {
      let failing = try bisect(["--bad", bad] + options)
      #expect(failing.outcome == .exited(3), "\(failing.text)")
      #expect(failing.errorText.contains("\(ids[0]): "), "\(failing.errorText)")
      #expect(failing.errorText.contains("killed by SIG"), "\(failing.errorText)")
    }
  }

  @Test func whatCannotBeSearchedIsSaid() throws {
    let outside = try bisect([])
    #expect(outside.outcome == .exited(1) && outside.errorText.contains("git"), "\(outside.errorText)")
    try makeShortHistory(initializers: (1, 2))
    let reverse = try launchprof.run(
      ["bisect", "--good", "main", "--bad", "good", "--build", "true", "--", "./app"])
    #expect(reverse.outcome == .exited(1) && reverse.errorText.contains("is not an ancestor"), "\(reverse.errorText)")
    let build = "echo 'app.c:1: error: no such thing'; echo stopped; false"
    let broken = try launchprof.run(["bisect", "--good", "good", "--build", build, "--", "./app"])
    let reason = "does not build (app.c:1: error: no such thing), but the search needs it"
    #expect(broken.outcome == .exited(1) && broken.errorText.contains(reason), "\(broken.errorText)")
    // Of what cannot be searched stays only what the message names.
    let trees = try TestProcess.run("/usr/bin/git", ["worktree", "list"], directory: launchprof.directory.path)
    #expect(trees.text.split(separator: "\n").count == 1, "\(trees.text)")
    let absolute = try launchprof.run(["bisect", "--good", "good", "--build", "true", "--", "/bin/true"])
    #expect(absolute.outcome == .exited(64), "\(absolute.errorText)")
    // As CI clones it.
    let place = launchprof.directory.appending("shallow")
    let origin = "file://\(launchprof.directory.path)"
    let clone = try TestProcess.run("/usr/bin/git", ["clone", "-q", "--depth", "1", origin, place])
    #expect(clone.succeeded, "\(clone.errorText)")
    let shallow = try TestProcess.run(
      Launchprof.path, ["bisect", "--good", "HEAD~1", "--build", "true", "--", "./app"], directory: place)
    #expect(shallow.outcome == .exited(1), "\(shallow.text)")
    #expect(
      shallow.errorText.contains("HEAD~1: git knows no such commit; this clone lacks older"), "\(shallow.errorText)")
  }
}
