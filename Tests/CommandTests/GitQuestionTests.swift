// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import launchprof

struct GitQuestionTests {
  /// In the container of a CI job, only the first line was passed on, and what helps is in the last one.
  @Test func ofAnotherUsersRepositoryGitSaysWhatHelps() {
    let errors = """
      fatal: detected dubious ownership in repository at '/srv/app'
      To add an exception for this directory, call:

      \tgit config --global --add safe.directory /srv/app

      """
    #expect(
      GitQuestion.reason(in: errors)
        == "fatal: detected dubious ownership in repository at '/srv/app'; "
        + "run git config --global --add safe.directory /srv/app")
    #expect(GitQuestion.reason(in: "fatal: not a git repository\n") == "fatal: not a git repository")
    #expect(GitQuestion.reason(in: "") == "it failed")
  }
}
