// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

/// Programs that have other files at the launcher's paths.
@Suite(.enabled(if: geteuid() == 0, "only root may change the root"))
struct OtherRootTests {
  private let launchprof: Launchprof
  /// Where the launcher finds `outside`, and the program finds `inside`.
  private let path: String

  init() throws {
    launchprof = try .observing()
    let directory = launchprof.directory
    let root = directory.appending("root") + directory.path
    #expect(try TestProcess.run("/bin/mkdir", ["-p", root]).succeeded)
    for function in ["outside", "inside"] {
      let source = """
        __attribute__((noinline)) void \(function)_work(void) { for (volatile long i = 0; i < 100000000; i++); }
        int main(void) { \(function)_work(); return 0; }
        """
      try CompiledProgram.c(source, function, ["-static"], in: directory)
    }
    path = directory.appending("program")
    #expect(rename(directory.appending("outside"), path) == 0)
    #expect(rename(directory.appending("inside"), root + "/program") == 0)
  }

  private func functions(_ command: [String]) throws -> (text: String, errorText: String) {
    let run = try launchprof.run(["record", "-o", "t.pftrace", "--"] + command)
    #expect(run.succeeded, "\(run.errorText)")
    let report = try launchprof.run(["report", "--by", "symbol", "t.pftrace"])
    #expect(report.succeeded, "\(report.errorText)")
    return (report.text, run.errorText.inOneLine)
  }

  @Test func aProgramInAnotherRootHasTheNamesOfItsOwnFile() throws {
    let found = try functions(["chroot", launchprof.directory.appending("root"), path])
    #expect(found.text.contains("inside_work") && !found.text.contains("outside_work"), "\(found.text)")
  }

  /// A file system may be gone with its namespace when the names are read.
  @Test(Namespaces.needed(["--mount"])) func aProgramInAnotherMountNamespaceHasNoNamesOfOtherFiles() throws {
    let script = "mount --bind \"$1\" \"$2\" && exec \"$2\""
    let inside = launchprof.directory.appending("root") + path
    let found = try functions(["unshare", "--mount", "sh", "-c", script, "sh", inside, path])
    #expect(!found.text.contains("outside_work"), "\(found.text)")
    #expect(found.errorText.contains("in another mount namespace, so their code has no names: \(path)"))
  }
}
