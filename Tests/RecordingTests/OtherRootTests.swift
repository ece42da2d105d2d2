// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
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
        __attribute__((noinline)) void \(function)_work(void) { for (volatile long i = 0; i < 20000000; i++); }
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

  private func run(_ function: String, at place: String, as program: String) throws -> (text: String, errorText: String)
  {
    let script = "mount --bind \"$1\" \"$2\" && exec \"$3\""
    return try functions(["unshare", "--mount", "sh", "-c", script, "sh", function, place, program])
  }

  /// A file system may be gone with its namespace when the names are read.
  @Test(Namespaces.needed(["--mount"])) func aProgramInAnotherMountNamespaceHasTheNamesOfItsOwnFile() throws {
    let inside = launchprof.directory.appending("root") + path
    let found = try run(inside, at: path, as: path)
    #expect(found.text.contains("inside_work") && !found.text.contains("outside_work"), "\(found.text)")
    #expect(!found.errorText.contains("have no names"), "\(found.errorText)")
  }

  @Test(Namespaces.needed(["--mount"])) func aLibraryInAnotherMountNamespaceHasNoNamesOfOtherFiles() throws {
    let directory = launchprof.directory
    for function in ["outside", "inside"] {
      let source = "void work(void) { for (volatile long i = 0; i < 20000000; i++); }"
      try CompiledProgram.c(
        "#define work \(function)_part\n\(source)\n#undef work\nvoid work(void) { \(function)_part(); }",
        "lib\(function).so", ["-shared", "-fPIC"], in: directory)
    }
    let library = directory.appending("liboutside.so")
    let program = try CompiledProgram.c(
      "void work(void);\nint main(void) { work(); return 0; }", "user", [library], in: directory)
    let found = try run(directory.appending("libinside.so"), at: library, as: program)
    #expect(!found.text.contains("outside_part"), "\(found.text)")
    #expect(found.errorText.contains("in another mount namespace, so their code has no names: \(library)"))
  }
}
