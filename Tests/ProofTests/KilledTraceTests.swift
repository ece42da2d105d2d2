import Foundation
import LaunchTrace
import TestSupport
import Testing

/// SIGKILL, which leaves the program no time to tidy up, loses no event that was committed.
struct KilledTraceTests {
  static let kills = 200

  @Test func nothingCommittedIsLost() throws {
    var random = SeededGenerator()
    var runs: [ProofRun] = []
    var rounds = 0
    // From before the file is made to well into the writing, which a busy machine comes to later.
    var longest: UInt32 = 30_000
    for _ in 0..<Self.kills {
      let run = try ProofRun()
      let program = try run.start(["write", run.ledger, "0", "4", "1200"], limit: 8 << 20)
      usleep(.random(in: 0..<longest, using: &random))
      program.signal(SIGKILL)
      #expect(try program.finish().outcome == .signalled(SIGKILL))
      if access(run.trace, R_OK) == 0 { runs.append(run) } else { longest = min(longest + longest / 10, 1_000_000) }
    }
    #expect(runs.count > Self.kills / 2, "most were killed before they had a trace: the test says little")
    // trace_processor knows a trace by its first packet; a program that was killed before that left none.
    let begun = try TraceSchema.check(paths: runs.map(\.trace)).filter { $0.packets > 0 }.map(\.path)
    #expect(runs.count - begun.count < Self.kills / 10)
    #expect(try TraceProcessor.errorStatistics(paths: begun) == [:])
    for run in runs {
      let committed = try run.committed()
      rounds += committed.reduce(0) { $0 + $1.rounds }
      let trace = try TraceReader().read(path: run.trace)
      #expect(trace.diagnostics.isEmpty)
      expectCommitted(committed, in: trace)
    }
    print("\(runs.count) traces of killed programs: \(rounds) rounds were committed")
    #expect(rounds > 0)
  }
}
