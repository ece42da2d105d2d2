// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchTrace
import TestSupport
import Testing

/// A launch with a prepared trace uses the pages that the launcher has filled.
struct PreparedPagesTests {
  private static let pairs = 4000, first = 8

  /// The pairs take 188 KiB. With 256 KiB filled, the recorder needs no thread that gets more pages. A launcher of an
  /// older version fills 16 KiB and does not say so, and then there is such a thread. More than what the recorder maps
  /// at first counts as that much.
  @Test func filledPagesNeedNoOtherThread() throws {
    let directory = try TemporaryDirectory(keepsTraces: true)
    let program = try RecorderProgram.compile(PackageRoot.appending("Tests/RecorderInstructions/main.c"), in: directory)
    for (filled, threads) in [(16 << 10, 2), (256 << 10, 1), (1 << 20, 1)] {
      let path = directory.appending("prepared-\(filled).pftrace")
      let pair = "1"
      let run = try TestProcess.run(program, ["prepared", path, "\(filled)", pair, "\(Self.pairs)"])
      #expect(run.succeeded, "\(filled) bytes: \(run.outcome) \(run.text)\(run.errorText)")
      let answer = run.text.split(whereSeparator: \.isWhitespace)
      #expect(answer.last == "\(threads)", "\(filled) bytes: \(run.text)")

      let trace = try TraceReader().read(path: path)
      #expect(trace.diagnostics.isEmpty)
      let works = trace.slices.name.indices.filter { trace.string(trace.slices.name[$0]) == "work" }
      #expect(works.count == Self.pairs + Self.first)
    }
  }
}
