import LaunchTrace
import TestSupport
import Testing

/// The recorder on the other of x86-64 and arm64, emulated: what it writes there is the same.
struct CrossRecorderTests {
  @Test(arguments: ["dynamic", "static"])
  func theOtherArchitectureRecordsTheSame(mode: String) throws {
    let directory = try TemporaryDirectory(keepsTraces: true)
    let path = directory.appending("cross-\(mode).pftrace")
    let run = try TestProcess.run(
      BuiltProgram.crossRecorder("run"), [BuiltProgram.crossRecorder(mode), "4", "500"],
      adding: ["LAUNCHPROF_TRACE": path])
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
    let categories = Set(trace.slices.category.map(trace.string))
    #expect(categories.isSuperset(of: ["launchprof.phase", "launchprof.initializer", "proof"]))
  }
}
