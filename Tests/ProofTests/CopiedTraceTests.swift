import Foundation
import LaunchTrace
import TestSupport
import Testing

/// The file is a whole trace at every moment of a run that writes from four threads.
struct CopiedTraceTests {
  static let copies = 1_000
  static let copiesPerRun = 25

  @Test func everyCopyDecodes() throws {
    var random = SeededGenerator()
    var packets: Set<Int> = []
    for _ in 0..<(Self.copies / Self.copiesPerRun) {
      let copied = try copyWhileRunning(&random)
      for report in try TraceSchema.check(paths: copied.paths) { packets.insert(report.packets) }
      // Not in every copy: that the file decodes says nothing about what it holds.
      let last = try #require(copied.paths.last)
      let trace = try TraceReader().read(path: last)
      #expect(trace.diagnostics.isEmpty)
      let events = ThreadEvents(trace)
      for row in copied.committedBeforeLast { #expect(events.slices("outer", on: row.thread) >= row.rounds) }
    }
    // The moments were different ones.
    #expect(packets.count > Self.copies / 4)
  }

  private struct Copies {
    var run: ProofRun
    var paths: [String] = []
    var committedBeforeLast: [ProofRun.Committed] = []
  }

  /// Copies the trace of one run, a plain copy of a file that is being written, at random moments.
  private func copyWhileRunning(_ random: inout SeededGenerator) throws -> Copies {
    var copies = Copies(run: try ProofRun())
    let program = try copies.run.start(["write", copies.run.ledger, "4", "0"], limit: 2 << 20)
    let appeared = Date.now + 20
    while access(copies.run.trace, R_OK) != 0 && Date.now < appeared { usleep(100) }
    for number in 0..<Self.copiesPerRun {
      usleep(.random(in: 0..<1_500, using: &random))
      let path = copies.run.directory.appending("copy-\(number).pftrace")
      copies.committedBeforeLast = try copies.run.committed()
      try FileManager.default.copyItem(atPath: copies.run.trace, toPath: path)
      copies.paths.append(path)
    }
    program.signal(SIGKILL)
    #expect(try program.finish().outcome == .signalled(SIGKILL))
    return copies
  }
}
