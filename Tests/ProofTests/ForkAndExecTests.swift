import LaunchTrace
import TestSupport
import Testing

/// A program that becomes two, or another.
struct ForkAndExecTests {
  @Test func aForkedChildLeavesItsParentsTraceAlone() throws {
    let run = try ProofRun()
    #expect(try run.run(["fork", run.ledger, "300"]).succeeded)
    #expect(try run.directory.contents() == ["ledger", "trace.pftrace"])
    let trace = try sound(run.trace)
    let committed = try run.committed()
    let parent = try #require(committed.first)
    let child = try #require(committed.last)
    #expect(child.thread != parent.thread && child.rounds == 300)
    let events = ThreadEvents(trace)
    // The parent worked before the fork and after it.
    #expect(events.slices("outer", on: parent.thread) == 600)
    #expect(events.slices[child.thread] == nil, "the child wrote into its parent's trace")
    #expect(Set(trace.processes.map(\.processID)) == [parent.thread])
  }

  @Test func anExecBeginsATraceOfItsOwn() throws {
    let run = try ProofRun()
    #expect(try run.run(["exec", run.ledger, "300"]).succeeded)
    #expect(try run.directory.contents() == ["ledger", "trace-2.pftrace", "trace.pftrace"])
    let before = try sound(run.trace)
    let after = try sound(run.directory.appending("trace-2.pftrace"))
    #expect(before.processes.map(\.processID) == after.processes.map(\.processID))
    for trace in [before, after] {
      let outer = ThreadEvents(trace).slices.values.map { $0["outer"] ?? 0 }.reduce(0, +)
      #expect(outer == 300)
    }
  }

  private func sound(_ path: String) throws -> Trace {
    try TraceSchema.check(paths: [path])
    #expect(try TraceProcessor.errorStatistics(path: path).isEmpty)
    let trace = try TraceReader().read(path: path)
    #expect(trace.diagnostics.isEmpty)
    return trace
  }
}
