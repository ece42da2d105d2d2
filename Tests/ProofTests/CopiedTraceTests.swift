// SPDX-License-Identifier: Apache-2.0

import CTestSupport
import Foundation
import LaunchTrace
import TestSupport
import Testing

/// The file is a complete trace at every moment of a run that writes from four threads.
struct CopiedTraceTests {
  static let copies = 200
  static let copiesPerRun = 25

  /// How the moment is captured.
  enum Moment: String, CaseIterable {
    /// The program is stopped (SIGSTOP) while its file is copied: exactly one instant.
    case standing
    /// The file is copied from front to back while the program runs.
    case running
  }

  @Test(arguments: Moment.allCases)
  func everyCopyDecodes(moment: Moment) throws {
    var random = SeededGenerator()
    var packets: Set<Int> = []
    var compared = 0
    for _ in 0..<(Self.copies / Self.copiesPerRun) {
      let (run, copies) = try copyOneRun(moment, &random)
      for report in try TraceSchema.check(paths: copies.map { run.directory.appending($0.name) }) {
        packets.insert(report.packets)
      }
      // Decoding alone does not check the contents.
      let copy = try #require(copies.randomElement(using: &random))
      let trace = try TraceReader().read(path: run.directory.appending(copy.name))
      #expect(trace.diagnostics.isEmpty)
      guard trace.annotations(category: "launchprof.recorder")["events_dropped"] == .double(0) else { continue }
      let events = ThreadEvents(trace)
      compared += copy.committedBefore.count
      for row in copy.committedBefore { #expect(events.slices("outer", on: row.thread) >= row.rounds) }
    }
    print(
      "\(Self.copies) copies, program \(moment.rawValue), of \(packets.count) different lengths; \(compared) threads' events compared"
    )
    #expect(packets.count > Self.copies / 10, "the copies are too much alike: they say little")
    #expect(compared > 0)
  }

  private struct Copy {
    var name: String
    var committedBefore: [ProofRun.Committed]
  }

  /// Copies the trace of one run at random moments.
  private func copyOneRun(_ moment: Moment, _ random: inout SeededGenerator) throws -> (ProofRun, [Copy]) {
    let run = try ProofRun(keepsTraces: false)
    let program = try run.start(
      ["write", run.ledger, "0", "4", "2000"], limit: 1 << 20)
    try waitUntil("the program has a trace") { access(run.trace, R_OK) == 0 }
    var copies: [Copy] = []
    for number in 0..<Self.copiesPerRun {
      usleep(.random(in: 0..<1_500, using: &random))
      if moment == .standing { try program.stop() }
      let copy = Copy(name: "copy-\(number).pftrace", committedBefore: try run.committed())
      try copyInOrder(from: run.trace, to: run.directory.appending(copy.name))
      if moment == .standing { program.signal(SIGCONT) }
      copies.append(copy)
    }
    program.signal(SIGKILL)
    #expect(try program.finish().outcome == .signalled(SIGKILL))
    return (run, copies)
  }

  private func copyInOrder(from path: String, to copy: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    let size = Int(lseek(descriptor, 0, SEEK_END))
    let map = try #require(mmap(nil, size, PROT_READ, MAP_SHARED, descriptor, 0))
    try #require(map != MAP_FAILED)
    defer { munmap(map, size) }
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      ct_copy_in_order(buffer.baseAddress, map, size)
      count = size
    }
    try Data(bytes).write(to: URL(filePath: copy))
  }
}
