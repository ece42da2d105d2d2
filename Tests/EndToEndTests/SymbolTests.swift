// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import LaunchTrace
import TestSupport
import Testing

/// Traces whose stacks have only addresses.
struct SymbolTests {
  private let launchprof: Launchprof
  private let program: String
  private let buildID: String

  private static let source = """
    volatile int sink;
    static inline __attribute__((always_inline)) int inner(int value) { return sink = value * 3; }
    __attribute__((noinline)) int outer(int value) {
      return inner(value) + 1;
    }
    int main(int count, char **arguments) { return (void)arguments, outer(count) == 0; }

    """

  init() throws {
    launchprof = try Launchprof()
    program = try Compiler.c(
      Self.source, to: "known", in: launchprof.directory, ["-g", "-O1", "-Wl,--build-id=0x0123456789abcdef"])
    buildID = "0123456789abcdef"
  }

  /// Writes a trace with samples all over the program's functions, which gives the program's path as `image`.
  private func writeTrace(_ name: String, image: String, buildID: String) throws {
    var writer = PerfettoTraceWriter()
    writer.clockSnapshot([(3, 1_000), (6, 1_000), (1, 1_700_000_000_000_000_000)])
    writer.processTrack(uuid: 1, processID: 100, name: "known")
    writer.threadTrack(uuid: 2, parent: 1, processID: 100, threadID: 100, name: "known")
    writer.startSequence(7, track: 2)
    let main = try Compiler.function("main", of: program, in: launchprof.directory)
    let outer = try Compiler.function("outer", of: program, in: launchprof.directory)
    for offset in 0..<outer.size {
      let frames = [main.address, outer.address + offset].map {
        StackFrame(image: image, buildID: buildID, address: $0)
      }
      writer.sample(sequence: 7, time: 2_000 + Int64(offset), processID: 100, threadID: 100, frames: frames)
    }
    try launchprof.directory.write(writer.bytes, to: name)
  }

  /// samply writes addresses as the names of functions.
  @Test func aProfileOfSamplyIsNamed() throws {
    let outer = try Compiler.function("outer", of: program, in: launchprof.directory).address
    let profile = """
      {"meta": {"interval": 1, "processType": 0, "product": "app", "startTime": 0, "preprocessedProfileVersion": 48, "version": 24},
       "libs": [{"name": "known", "path": "/opt/known", "debugPath": "/opt/known", "codeId": "\(buildID)"}],
       "threads": [{"isMainThread": true, "name": "app", "pid": "7", "tid": 7,
        "frameTable": {"length": 1, "address": [\(outer)], "func": [0], "line": [null]},
        "funcTable": {"length": 1, "name": [0], "resource": [0], "fileName": [null]},
        "resourceTable": {"length": 1, "lib": [0], "name": [1], "host": [null], "type": [1]},
        "stackTable": {"length": 1, "prefix": [null], "frame": [0]},
        "samples": {"length": 1, "stack": [0], "time": [5.5], "weight": [1], "weightType": "samples"},
        "markers": {"length": 0, "data": [], "name": [], "startTime": [], "endTime": [], "phase": [], "category": []},
        "stringArray": ["0x\(String(outer, radix: 16))", "known"]}]}
      """
    try launchprof.directory.write(profile, to: "p.json")
    let unnamed = try report("p.json").text
    #expect(unnamed.contains("known+0x\(String(outer, radix: 16)) "), "\(unnamed)")
    let named = try report("p.json", ["--symbols", launchprof.directory.path]).text
    #expect(named.contains(";outer;inner ") && !named.contains("0x"), "\(named)")
  }

  private func report(_ trace: String, _ options: [String] = []) throws -> TestProcess {
    try launchprof.run(["report", trace, "--format", "folded"] + options)
  }

  @Test func aTraceFromElsewhereIsNamedByTheFilesOfADirectory() throws {
    try writeTrace("t.pftrace", image: "/opt/app/bin/server", buildID: buildID)
    #expect(try report("t.pftrace").text.contains("server+0x"))
    let named = try report("t.pftrace", ["--symbols", launchprof.directory.path])
    #expect(named.outcome == .exited(0))
    #expect(named.errorText.isEmpty)
    #expect(named.text.contains("main;outer;inner "), "\(named.text)")
    #expect(!named.text.contains("+0x"), "\(named.text)")
    let json = try launchprof.run([
      "report", "t.pftrace", "--format", "chrome-json", "--symbols", launchprof.directory.path,
    ])
    #expect(json.text.contains("\"inner\""))
  }

  @Test func filesOfAnotherBuildAreRefusedByName() throws {
    try writeTrace("t.pftrace", image: "/opt/app/bin/known", buildID: "00ff")
    let run = try report("t.pftrace", ["--symbols", launchprof.directory.path])
    #expect(run.outcome == .exited(0))
    #expect(run.text.contains("known+0x"))
    #expect(!run.text.contains("outer"))
    #expect(run.errorText.split(separator: "\n").count == 1, "\(run.errorText)")
    for part in [launchprof.directory.appending("known"), buildID, "/opt/app/bin/known", "00ff"] {
      #expect(run.errorText.contains(part), "\(run.errorText)")
    }
  }

  @Test func imagesWithoutAFileAreNamed() throws {
    try writeTrace("t.pftrace", image: "/opt/app/bin/other", buildID: "00ff")
    let run = try report("t.pftrace", ["--symbols", launchprof.directory.path])
    #expect(run.outcome == .exited(0))
    #expect(run.errorText == "symbols: found no names for /opt/app/bin/other\n")
  }

  @Test func aDirectoryThatIsNoneIsAnError() throws {
    try writeTrace("t.pftrace", image: program, buildID: buildID)
    mkdir(launchprof.directory.appending("empty"), 0o777)
    for (directory, message) in [
      ("none", "No such file"), ("empty", "contains no executable"), ("t.pftrace", "Not a dir"),
    ] {
      let run = try report("t.pftrace", ["--symbols", directory])
      #expect(run.outcome == .exited(1))
      #expect(run.text.isEmpty)
      #expect(run.errorText.hasPrefix("launchprof: --symbols \(directory)"), "\(run.errorText)")
      #expect(run.errorText.contains(message), "\(run.errorText)")
    }
  }

  @Test func theFileThatWasRecordedNeedsNoDirectory() throws {
    try writeTrace("same.pftrace", image: program, buildID: buildID)
    #expect(try report("same.pftrace").text.contains("main;outer;inner "))
    // Without a build ID, the file at the path may be another one.
    try writeTrace("unknown.pftrace", image: program, buildID: "")
    #expect(!(try report("unknown.pftrace").text.contains("outer")))
  }

  /// `record` names the functions in the trace at once, so that it can be read on any machine.
  @Test func recordingsCarryTheirNames() throws {
    try writeTrace("made.pftrace", image: program, buildID: buildID)
    let script = "cp made.pftrace \"${LAUNCHPROF_TRACE%\\{pid\\}*}$$.pftrace\""
    let (run, trace) = try launchprof.record(["/bin/sh", "-c", script])
    #expect(run.outcome == .exited(0))
    #expect(run.errorText.isEmpty, "\(run.errorText)")
    unlink(program)
    // A report leaves the sample out, because it is older than this launch. So the names are looked for in the trace.
    let symbols = try TraceReader().read(path: trace).moduleSymbols
    #expect(Set(symbols.map(\.function)).isSuperset(of: ["main", "outer", "inner"]), "\(symbols)")
    #expect(symbols.contains { $0.function == "inner" && $0.line == 2 && $0.file.hasSuffix("/known.c") })
    #expect(try TraceProcessor.errorStatistics(path: trace).isEmpty)
    let sql = "select count(*) from stack_profile_symbol where name = 'inner' and line_number = 2"
    #expect(try TraceProcessor.query(path: trace, sql: sql)[0][0] != "0")
  }
}

/// A program that the command did not launch: its recorder tells which builds of its files ran.
struct OwnTraceSymbolTests {
  private let launchprof: Launchprof
  private let program: String

  init() throws {
    launchprof = try Launchprof()
    program = launchprof.directory.appending("program")
    symlink(Launchprof.instrumented, program)
    let run = try TestProcess.run(
      program, ["launch"], adding: ["LAUNCHPROF_TRACE": launchprof.directory.appending("own.pftrace")],
      directory: launchprof.directory.path)
    #expect(run.outcome == .exited(0), "\(run.errorText)")
  }

  private func report(_ options: [String] = []) throws -> TestProcess {
    try launchprof.run(["report", "own.pftrace", "--format", "csv", "--rows", "spans"] + options)
  }

  @Test func initialisersHaveTheNamesOfTheFileAtTheirPath() throws {
    let run = try report()
    #expect(run.text.contains(";burn_five_milliseconds (program),"), "\(run.text)")
    #expect(run.errorText.isEmpty, "\(run.errorText)")
  }

  @Test func initialisersHaveTheNamesOfTheFilesOfADirectory() throws {
    unlink(program)
    // Without a directory, there is no message for each library that another machine lacks.
    let unnamed = try report()
    #expect(unnamed.text.contains(";program initializer "), "\(unnamed.text)")
    #expect(!unnamed.text.contains("burn_five_milliseconds") && unnamed.errorText.isEmpty, "\(unnamed.errorText)")
    mkdir(launchprof.directory.appending("files"), 0o777)
    symlink(Launchprof.instrumented, launchprof.directory.appending("files/kept"))
    let named = try report(["--symbols", "files"])
    #expect(named.text.contains(";burn_five_milliseconds (program),"), "\(named.text)")
  }

  @Test func aFileOfAnotherBuildGivesNoNames() throws {
    unlink(program)
    let other = try Compiler.c(
      "int main(void) { return 0; }\n", to: "program", in: launchprof.directory, ["-Wl,--build-id=0x0123456789abcdef"])
    mkdir(launchprof.directory.appending("files"), 0o777)
    symlink(other, launchprof.directory.appending("files/program"))
    let run = try report(["--symbols", "files"])
    #expect(run.text.contains(";program initializer "), "\(run.text)")
    #expect(run.errorText.contains("files/program: has build id "), "\(run.errorText)")
  }
}
