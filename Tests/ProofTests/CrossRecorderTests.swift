// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import TestSupport
import Testing

/// Where this machine's Swift has no target, the recorder writes the same.
struct CrossRecorderTests {
  /// Records a run, and compares its trace with what the run printed.
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

  #if arch(arm64)
  private static let pageSizes = [4096]
  #else
  /// Of the kernels of arm64, in bytes.
  private static let pageSizes = [4096, 16384, 65536]
  #endif

  /// The other architecture of x86-64 and arm64, emulated.
  @Test(arguments: ["dynamic", "static"], pageSizes)
  func theOtherArchitectureRecordsTheSame(mode: String, pageSize: Int) throws {
    let emulated = try ["-p", "\(pageSize)", BuiltProgram.crossRecorder(mode)]
    let trace = try record("\(mode)-\(pageSize)", BuiltProgram.crossRecorder("run"), emulated)
    #expect(!RecordedSpan.initializers(in: trace).isEmpty)
  }

  /// musl ignores .preinit_array and passes no arguments to initialisers. So the recorder is the first initialiser of
  /// the executable.
  @Test(arguments: ["musl-dynamic", "musl-static"])
  func muslRecordsTheSame(mode: String) throws {
    let program = try BuiltProgram.crossRecorder(mode)
    let trace = try record(mode, program, [])
    let timed = RecordedSpan.initializers(in: trace)
    // One of the program, and one of the recorder.
    #expect(timed.count >= 2)
    // An offset in the file, because the loader may have put it anywhere.
    #expect(timed.allSatisfy { $0.image == program && (1..<1 << 24).contains($0.offset ?? 0) }, "\(timed)")
    let phases = RecordedSpan.phases(in: trace).map(\.name)
    #expect(phases == ["load", "recorder", "static-init", "did-finish-launching"])
    let process = try #require(trace.processes.first { !$0.commandLine.isEmpty })
    #expect(process.commandLine == [program, "4", "500"])
  }
}
