// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// `launchprof bisect` in repositories that other people configured, merged, or search at the same time.
final class BisectRepositoryTests: CommandSuite {
  private func bisect(from good: String) throws -> TestProcess {
    let build = ["--build", "cc -O1 -o app main.c", "--metric", "initializers", "--", "./app"]
    return try launchprof.run(["bisect", "--good", good] + build)
  }

  /// git then says what it thinks of a signature before it answers.
  @Test func signaturesMayBeShown() throws {
    let signer = try launchprof.directory.write(
      """
      #!/bin/sh
      cat >/dev/null
      case "$*" in *--verify*) echo "Good signature" >&2; exit ;; esac
      printf '\\n[GNUPG:] SIG_CREATED \\n' >&2
      printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n'
      """, to: "signer")
    chmod(signer, 0o755)
    try launchprof.makeRepository(
      """
      git config gpg.program '\(signer)'
      git config commit.gpgsign true
      git config log.showSignature true
      commit first 1
      commit guilty 4
      git log -1 | grep -q 'Good signature'
      """)
    let run = try bisect(from: "HEAD~1")
    #expect(run.outcome == .exited(2), "\(run.text)\(run.errorText)")
    #expect(run.text.hasPrefix("FOUND\n") && run.text.contains("  guilty\n"), "\(run.text)")
  }

  /// As `git subtree add` does: the merge itself is what was found.
  @Test func aMergeOfAnotherRepositoryIsFound() throws {
    try launchprof.makeRepository(
      """
      commit first 1
      commit second 1
      git checkout -q --orphan library
      git rm -q -rf .
      echo >library.c
      git add library.c
      git commit -q -m library
      git checkout -q main
      git merge -q --no-commit --allow-unrelated-histories library
      commit merged 4
      """)
    let run = try bisect(from: "HEAD~2")
    #expect(run.outcome == .exited(2), "\(run.text)\(run.errorText)")
    #expect(run.text.hasPrefix("FOUND\n") && run.text.contains("  merged\n"), "\(run.text)")
  }

  /// Both would use the same files, and name wrong commits.
  @Test func oneSearchRunsAtATime() throws {
    try launchprof.makeRepository("commit first 1; commit guilty 4")
    let place = launchprof.directory.appending(".git/launchprof-bisect")
    mkdir(place, 0o777)
    let other = open(place, O_RDONLY | O_CLOEXEC)
    #expect(flock(other, LOCK_EX) == 0)
    let refused = try bisect(from: "HEAD~1")
    #expect(refused.outcome == .exited(1), "\(refused.text)\(refused.errorText)")
    #expect(refused.errorText.contains("another bisect searches in this repository"), "\(refused.errorText)")
    close(other)
    let run = try bisect(from: "HEAD~1")
    #expect(run.outcome == .exited(2) && run.text.contains("  guilty\n"), "\(run.text)\(run.errorText)")
    #expect(access(place, F_OK) != 0)
  }
}
