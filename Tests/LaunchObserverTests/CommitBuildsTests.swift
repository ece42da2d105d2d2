// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import LaunchComparison

extension InProcessLaunchTests {
  /// The programs of commits, in a repository of two: the second one does not build at first.
  @Suite struct CommitBuildsTests {
    private let directory: TemporaryDirectory
    private let repository: CommitRepository

    init() throws {
      directory = try TemporaryDirectory()
      try git(["init", "-q"], in: directory.path)
      for name in ["one", "two"] {
        try directory.write(name, to: "source")
        try git(["add", "source"], in: directory.path)
        try git(["commit", "-q", "-m", name], in: directory.path)
      }
      repository = try CommitRepository(around: directory.path)
    }

    /// - Parameter program: its name.
    private func builds(_ program: String) throws -> CommitBuilds {
      let command = "grep -q one source || [ -e '\(directory.appending("mended"))' ] && cp /bin/true \(program)"
      return try CommitBuilds(repository, command: command, program: program)
    }

    /// `broken` was the name of the mark of a commit that does not build.
    @Test(arguments: ["app", "broken"])
    func aCommitThatDoesNotBuildIsRemembered(program: String) throws {
      let (good, bad) = (try repository.commit("HEAD~1"), try repository.commit("HEAD"))
      let first = try builds(program)
      #expect(try first.program(of: bad) == nil && first.count == 1)
      #expect(try first.program(of: bad) == nil && first.count == 1)
      let path = try #require(try first.program(of: good))
      #expect(path.hasSuffix("/\(program)") && access(path, X_OK) == 0 && first.count == 2)
      first.forgetBroken()
      #expect(try first.program(of: bad) == nil && first.count == 3)
      #expect(try first.program(of: good) == path && first.count == 3)
      try directory.write("", to: "mended")
      let mended = try #require(try first.program(of: bad, isNeeded: true))
      #expect(access(mended, X_OK) == 0 && mended != path && first.count == 4)
      first.clean(keepingPrograms: false)
    }

    @Test func theMarksOfEarlierVersionsAreNoProgram() throws {
      let good = try repository.commit("HEAD~1")
      let builds = try builds("app")
      let kept = "\(builds.log.dropLast("/build.log".count))/\(try repository.tree(of: good))"
      try #require(mkdir(kept, 0o777) == 0)
      close(open(kept + "/broken", O_WRONLY | O_CREAT, 0o666))
      let path = try #require(try builds.program(of: good))
      #expect(access(path, X_OK) == 0)
      builds.clean(keepingPrograms: false)
    }
  }
}

/// Runs git in a directory, with an identity of its own.
func git(_ arguments: [String], in directory: String) throws {
  let identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "init.defaultBranch=main"]
  let run = try TestProcess.run("/usr/bin/git", identity + arguments, directory: directory)
  guard run.succeeded else { throw ToolFailure("git \(arguments): \(run.errorText)") }
}
