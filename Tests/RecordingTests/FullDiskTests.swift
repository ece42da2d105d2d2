// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// The result of launches is printed if its file cannot be written.
final class FullDiskTests: CommandSuite {
  #if arch(x86_64)
  private static let orders = [(["order", "--format", "lld", "-o"], "main\n")]
  #else
  private static let orders: [([String], String)] = []
  #endif

  /// Verbs with the output last, and what is part of their result.
  private static let verbs =
    [
      (["what-if", "-q", "--runs", "2", "--format", "json", "-o"], "\"savings\": ["),
      (["gate", "init", "-q", "--force", "--runs", "2", "-o"], "budgets:"),
    ] + orders

  @Test(arguments: verbs) func theResultIsPrinted(verb: [String], result: String) throws {
    try CompiledProgram.c("int main(void) { return 0; }\n", "app", in: launchprof.directory)
    symlink("/dev/full", launchprof.directory.appending("full"))
    let run = try launchprof.run(verb + ["full", "--", "./app"])
    #expect(run.outcome == .exited(1) && run.text.contains(result), "\(run.text)")
    #expect(run.errorText.inOneLine.contains("full: cannot write: No space left on device"), "\(run.errorText)")
  }

  /// `ulimit -f` counts blocks of 512 bytes.
  @Test func recordsOfBeforeStay() throws {
    try CompiledProgram.c("int main(void) { return 0; }\n", "app", in: launchprof.directory)
    #expect(try launchprof.run(["record", "-q", "-n", "3", "-o", "traces/", "--", "./app"]).outcome == .exited(0))
    #expect(try launchprof.run(["extract", "traces", "-o", "records.jsonl"]).outcome == .exited(0))
    let before = try contents(launchprof.directory.appending("records.jsonl"))
    for file in ["records.jsonl", "new.jsonl"] {
      let run = try TestProcess.run(
        "/bin/sh", ["-c", "ulimit -f 1; exec \"$@\"", "sh", Launchprof.path, "extract", "traces", "-o", file],
        directory: launchprof.directory.path)
      #expect(run.outcome == .exited(1))
      #expect(run.errorText.inOneLine.contains("\(file): cannot be written: File too large"), "\(run.errorText)")
    }
    #expect(try contents(launchprof.directory.appending("records.jsonl")) == before)
    #expect(names(in: launchprof.directory.path).filter { $0.contains(".jsonl") } == ["records.jsonl"])
  }

  @Test(Namespaces.needed(["-m"], "mount -t tmpfs none /mnt"), arguments: verbs)
  func anEarlierFileStaysWhole(verb: [String], result: String) throws {
    try CompiledProgram.c("int main(void) { return 0; }\n", "app", in: launchprof.directory)
    mkdir(launchprof.directory.appending("disk"), 0o755)
    let script = """
      mount -t tmpfs -o size=4k none disk && echo earlier > disk/file && "$@"
      echo "status $?"; ls disk; cat disk/file
      """
    let run = try TestProcess.run(
      "/usr/bin/unshare",
      ["-m", "sh", "-c", script, "sh", Launchprof.path] + verb + ["disk/file", "--", "./app"],
      directory: launchprof.directory.path)
    #expect(run.text.contains(result) && run.text.hasSuffix("\nstatus 1\nfile\nearlier\n"), "\(run.text)")
    #expect(run.errorText.inOneLine.contains("disk/file: cannot write: No space left"), "\(run.errorText)")
  }
}
