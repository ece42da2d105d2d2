// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// `launchprof what-if`.
final class WhatIfTests: CommandSuite {
  /// A program, the library that it links, and what only that one brings.
  private func compile() throws {
    let directory = launchprof.directory
    func library(_ name: String, _ source: String, _ flags: [String]) throws {
      try CompiledProgram.c(
        source, "lib\(name).so", ["-shared", "-fPIC", "-Wl,-soname,lib\(name).so"] + flags, in: directory)
    }
    let table = (0..<40_000).map { "&data[\($0 % 7)]" }.joined(separator: ",")
    try library("inner", "int inner(void) { return 1; }\n", [])
    let here = ["-L\(directory.path)", "-Wl,-rpath,$ORIGIN"]
    try library(
      "heavy",
      """
      #include <unistd.h>
      int inner(void);
      static int data[7];
      int *table[] = {\(table)};
      __attribute__((constructor)) static void start(void) { for (volatile int i = 0; i < 30000000; i++) {} }
      int heavy(void) { return inner() + *table[3]; }
      """, ["-linner"] + here)
    try CompiledProgram.c(
      "int heavy(void);\nint main(void) { return heavy() - 1; }\n", "app", ["-lheavy"] + here, in: directory)
  }

  @Test func aLibraryThatIsDroppedIsPredicted() throws {
    try requirePerf()
    try compile()
    let run = try launchprof.run(["what-if", "-q", "--runs", "3", "--format", "csv", "--", "./app"])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    let rows = run.text.split(separator: "\r\n").map { $0.split(separator: ",").map(String.init) }
    let row = try #require(rows.first { $0[0] == "drop-library" }, "\(run.text)")
    #expect(row[1] == "libheavy.so" && row[6] == "libheavy.so;libinner.so")
    // Its initialiser takes nearly all of the launch; without the agent, libraries share the phase by what else they cost.
    #expect(Double(row[2]).map { $0 > 0.2 && $0 < 1 } == true, "\(row)")
    #expect(!rows.contains { $0[0] == "static-stdlib" }, "no Swift library is linked")
  }

  /// The advice was to build it with Swift.
  @Test func theProofOfAProgramInCNamesItsBuild() throws {
    try requirePerf()
    try compile()
    #expect(try launchprof.run(["record", "-q", "-o", "app.pftrace", "--", "./app"]).outcome == .exited(0))
    let run = try launchprof.run(["what-if", "app.pftrace"])
    let proof =
      "launchprof what-if --prove static-executable --build 'your build' --changed-build 'your build, with -static'"
    #expect(run.text.inOneLine.contains(proof + " -- PATH/app"), "\(run.text)")
    // It named ./app for every path, so the proof did not run.
    let live = try launchprof.run(["what-if", "-q", "--runs", "3", "--", "././app", "a b"])
    #expect(live.text.inOneLine.contains(proof + " -- ././app 'a b'"), "\(live.text)")
    // --prove refuses a path that is not of the folder.
    let path = launchprof.directory.appending("app")
    let absolute = try launchprof.run(["what-if", "-q", "--runs", "3", "--", path, "a b"])
    #expect(absolute.text.inOneLine.contains(proof + " -- PATH/app 'a b'"), "\(absolute.text)")
  }

  @Test func aChangeThatBringsNothingIsSaidToDoSo() throws {
    let run = try launchprof.run(["what-if", "--about", "relr", "--about", "static-stdlib", "--about", "drop-library"])
    #expect(run.text.inOneLine.contains("drop-library: do without a library. How: do not link it"), "\(run.text)")
    #expect(run.outcome == .exited(0) && run.text.hasPrefix("relr saves nothing."))
    #expect(run.text.contains("--static-swift-stdlib"))
    let unknown = try launchprof.run(["what-if", "--about", "magic"])
    #expect(unknown.outcome == .exited(64) && unknown.errorText.contains("prefetch"))
  }

  @Test func anOptionWithoutEffectIsAnError() throws {
    let proof = ["--prove", "strip", "--build", "cc -o app main.c", "--changed-build", "cc -s -o app main.c"]
    for (arguments, message) in [
      (proof + ["-o", "result.json", "--", "./app"], "--output: only predictions"),
      (["--about", "relr", "--format", "json"], "--format: only predictions"),
      (["--about", "relr", "--runs", "3"], "leave out --runs"),
      (["--about", "relr", "t.pftrace"], "leave out the traces"),
      (["--timeout", "5", "t.pftrace"], "--timeout has no effect on recorded traces"),
      (["--runs", "3"], "--runs has no effect on recorded traces"),
      (["t.pftrace", "--runs"], "Unknown option '--runs'"),
      (proof + ["--", "/tmp/app"], "--prove builds copies of this folder: name the program by its path in the folder"),
    ] {
      let run = try launchprof.run(["what-if"] + arguments)
      #expect(run.outcome == .exited(64) && run.errorText.contains(message), "\(arguments): \(run.errorText)")
    }
  }

  @Test func tracesThatDoNotCountAreNamed() throws {
    for program in ["true", "false"] {
      _ = try launchprof.run(["record", "-q", "-o", "\(program).pftrace", "--", program])
    }
    let run = try launchprof.run(["what-if", "true.pftrace", "false.pftrace"])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    #expect(run.errorText.contains("left out: 1 failed (launch 2)"), "\(run.errorText)")
    // Also of those that the command launches itself. Every third one fails.
    let flaky = try launchprof.directory.write(
      "#!/bin/sh\necho >> count\nexit $(( $(wc -l < count) % 3 == 0 ))\n", to: "flaky")
    chmod(flaky, 0o755)
    let launched = try launchprof.run(["what-if", "-q", "--runs", "4", "--", "./flaky"])
    let errors = launched.errorText
    #expect(errors.contains("left out: ") && errors.contains(" failed"), "\(errors)")
  }

  @Test func launchesThatFailAreCounted() throws {
    let run = try launchprof.run(["what-if", "-q", "--runs", "3", "--", "false"])
    #expect(run.outcome == .exited(3))
    #expect(run.errorText.contains("no launch of false counts: 3 failed"), "\(run.errorText)")
  }

  /// The build asks launchprof to stop, or the program does when it is launched.
  @Test(arguments: ["kill -INT $PPID; cc -o app main.c", "cc -DSTOPS -o app main.c"])
  func anInterruptedProofLeavesNothing(build: String) throws {
    let directory = launchprof.directory
    // TMPDIR is in the folder that is copied, between others of its entries.
    let parts = (0..<8).map { "part\($0).h" }
    for part in parts { try directory.write("", to: part) }
    try directory.write(
      """
      #include <signal.h>
      #include <unistd.h>
      \(parts.map { "#include \"\($0)\"\n" }.joined())
      int main(void) {
      #ifdef STOPS
        kill(getppid(), SIGINT);
      #endif
        return 0;
      }
      """, to: "main.c")
    // What a killed launchprof has left.
    try Compiler.run("mkdir", ["-p", "tmp/launchprof-builds-abcdef/base"], in: directory)
    let proof = try launchprof.run(
      ["what-if", "--prove", "strip", "--build", build, "--changed-build", build, "--", "./app"],
      adding: ["TMPDIR": directory.appending("tmp")])
    #expect(proof.outcome == .signalled(SIGINT), "\(proof.errorText)")
    let left = try TestProcess.run("/bin/ls", ["-A", directory.appending("tmp")])
    #expect(left.text.isEmpty, "\(left.text)")
  }

  /// git is asked first whether there is a repository.
  @Test func anInterruptionWhileGitRunsEndsAProof() throws {
    let directory = launchprof.directory
    for name in ["bin", "tmp"] { mkdir(directory.appending(name), 0o777) }
    chmod(try directory.write("#!/bin/sh\nkill -INT $PPID\nexit 128\n", to: "bin/git"), 0o755)
    let path = "\(directory.appending("bin")):\(TestProcess.currentEnvironment["PATH"] ?? "")"
    let proof = try launchprof.run(
      ["what-if", "--prove", "strip", "--build", "touch built", "--changed-build", "true", "--", "./app"],
      adding: ["PATH": path, "TMPDIR": directory.appending("tmp")])
    #expect(proof.outcome == .signalled(SIGINT), "\(proof.errorText)")
    #expect(!proof.errorText.contains("Building"), "\(proof.errorText)")
    #expect(try TestProcess.run("/bin/ls", ["-A", directory.appending("tmp")]).text.isEmpty)
  }

  @Test func aProofNeedsAProgramThatCanBeExecuted() throws {
    let proof = try launchprof.run([
      "what-if", "--prove", "strip", "--build", "touch app", "--changed-build", "touch app", "--", "./app",
    ])
    #expect(proof.outcome == .exited(1) && proof.errorText.contains("mounted noexec"), "\(proof.errorText)")
  }

  @Test func aProofSetsThePredictionBesideTheMeasurement() throws {
    let directory = launchprof.directory
    try directory.write("int main(void) { for (volatile int i = 0; i < 3000000; i++) {} return 0; }\n", to: "main.c")
    let proof = try launchprof.run([
      "what-if", "--prove", "strip", "--build", "cc -g -o app main.c", "--changed-build", "cc -s -o app main.c", "--",
      "./app",
    ])
    #expect(proof.outcome == .exited(0), "\(proof.errorText)")
    #expect(proof.text.hasPrefix("strip: nothing predicted.") && proof.text.contains("measured, wall: "))
    // Built elsewhere.
    #expect(access(directory.appending("app"), F_OK) != 0)
    let unclear = try launchprof.run(["what-if", "--prove", "strip", "--build", "make", "--", "./app"])
    #expect(unclear.outcome == .exited(64) && unclear.errorText.contains("--changed-build"))
  }
}
