// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchTrace
import TestSupport
import Testing

/// SIGKILL gives the program no time to clean up, but no committed event is lost.
struct KilledTraceTests {
  static let kills = 60
  /// Rounds that each of four threads writes. They fit into the file, however late the kill is.
  private static let rounds = 1000

  @Test func nothingCommittedIsLost() throws {
    var random = SeededGenerator()
    var runs: [ProofRun] = []
    var rounds = 0
    for number in 0..<Self.kills {
      let run = try ProofRun()
      let program = try run.start(["stay", run.ledger, "\(Self.rounds)", "4", "1200"], limit: 8 << 20)
      // A tenth are killed at any time, perhaps before they have a trace, the others once they have written enough.
      if number % 10 != 0 {
        let target = Int.random(in: 1..<Self.rounds * 2, using: &random)
        try waitUntil("the program has committed \(target) rounds") { try run.committed().map(\.rounds).sum >= target }
      }
      usleep(.random(in: 0..<(number % 10 == 0 ? 30_000 : 300), using: &random))
      program.signal(SIGKILL)
      #expect(try program.finish().outcome == .signalled(SIGKILL))
      if access(run.trace, R_OK) == 0 { runs.append(run) }
    }
    #expect(runs.count >= Self.kills * 9 / 10)
    // trace_processor recognises a trace by its first packet. A program that was killed earlier left none.
    let begun = try TraceSchema.check(paths: runs.map(\.trace)).filter { $0.packets > 0 }.map(\.path)
    #expect(begun.count >= Self.kills * 9 / 10)
    #expect(try TraceProcessor.errorStatistics(paths: begun) == [:])
    for run in runs {
      let committed = try run.committed()
      rounds += committed.map(\.rounds).sum
      let trace = try TraceReader().read(path: run.trace)
      #expect(trace.diagnostics.isEmpty)
      expectCommitted(committed, in: trace)
    }
    print("\(runs.count) traces of killed programs: \(rounds) rounds were committed")
    #expect(rounds > 0)
  }
}

extension [Int] {
  fileprivate var sum: Int { reduce(0, +) }
}
