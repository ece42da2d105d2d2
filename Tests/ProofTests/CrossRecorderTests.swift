import LaunchTrace
import TestSupport
import Testing

/// The recorder where no Swift of this machine's reaches: what it writes there is the same.
struct CrossRecorderTests {
  /// The trace of a run, held against what the run says that it did.
  private func record(_ name: String, _ program: String, _ arguments: [String]) throws -> Trace {
    let directory = try TemporaryDirectory(keepsTraces: true)
    let path = directory.appending("cross-\(name).pftrace")
    let run = try TestProcess.run(program, arguments + ["4", "500"], adding: ["LAUNCHPROF_TRACE": path])
    #expect(run.succeeded, "\(run.outcome) \(run.errorText)")
    #expect(run.errorText == "recording\n")
    try TraceSchema.check(paths: [path])
    #expect(try TraceProcessor.errorStatistics(path: path).isEmpty)
    let trace = try TraceReader().read(path: path)
    let committed = try run.text.split(separator: "\n").map { line in
      let words = line.split(separator: " ")
      return ProofRun.Committed(thread: try #require(Int32(words[0])), rounds: try #require(Int(words[1])))
    }
    #expect(committed.count == 4)
    expectCommitted(committed, in: trace)
    return trace
  }

  /// Of x86-64 and arm64 the other one, emulated.
  @Test(arguments: ["dynamic", "static"])
  func theOtherArchitectureRecordsTheSame(mode: String) throws {
    let trace = try record(mode, BuiltProgram.crossRecorder("run"), [BuiltProgram.crossRecorder(mode)])
    #expect(!RecordedSpan.initializers(in: trace).isEmpty)
  }

  /// musl walks no .preinit_array and tells initialisers nothing: the recorder is the first of the executable's.
  @Test(arguments: ["musl-dynamic", "musl-static"])
  func muslRecordsTheSame(mode: String) throws {
    let program = try BuiltProgram.crossRecorder(mode)
    let trace = try record(mode, program, [])
    let timed = RecordedSpan.initializers(in: trace)
    // The program's own, and one of the recorder's.
    #expect(timed.count >= 2)
    // An offset in the file, which the loader may have put anywhere.
    #expect(timed.allSatisfy { $0.image == program && (1..<1 << 24).contains($0.offset ?? 0) }, "\(timed)")
    let phases = RecordedSpan.phases(in: trace).map(\.name)
    #expect(phases == ["load", "recorder", "static-init", "did-finish-launching"])
    let process = try #require(trace.processes.first { !$0.commandLine.isEmpty })
    #expect(process.commandLine == [program, "4", "500"])
  }
}
