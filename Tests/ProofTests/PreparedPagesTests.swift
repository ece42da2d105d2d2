// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchTrace
import TestSupport
import Testing

/// A launch with a prepared trace uses the pages that the launcher has filled.
struct PreparedPagesTests {
  private static let pairs = 4000, first = 8

  private func compiled(in directory: TemporaryDirectory) throws -> String {
    let recorder = PackageRoot.appending("Sources/CLaunchRecorder")
    let sources = try FileManager.default.contentsOfDirectory(atPath: recorder).filter {
      $0.hasSuffix(".c") || $0.hasSuffix(".S")
    }
    let program = directory.appending("operations")
    try Compiler.run(
      "gcc",
      ["-std=gnu17", "-O2", "-I\(recorder)/include", PackageRoot.appending("Tests/RecorderInstructions/main.c")]
        + sources.map { "\(recorder)/\($0)" } + ["-lpthread", "-o", program], in: directory)
    return program
  }

  /// The pairs take 188 KiB. With 256 KiB filled, the recorder needs no thread that gets more pages. A launcher of an
  /// older version fills 16 KiB and does not say so, and then there is such a thread. More than what the recorder maps
  /// at first counts as that much.
  @Test(arguments: [(filled: 16 << 10, threads: 2), (filled: 256 << 10, threads: 1), (filled: 1 << 20, threads: 1)])
  func filledPagesNeedNoOtherThread(filled: Int, threads: Int) throws {
    let directory = try TemporaryDirectory(keepsTraces: true)
    let path = directory.appending("prepared.pftrace")
    let pair = "1"
    let run = try TestProcess.run(
      try compiled(in: directory), ["prepared", path, "\(filled)", pair, "\(Self.pairs)"])
    #expect(run.succeeded, "\(run.outcome) \(run.text)\(run.errorText)")
    let answer = run.text.split(whereSeparator: \.isWhitespace)
    #expect(answer.last == "\(threads)", "\(run.text)")

    let trace = try TraceReader().read(path: path)
    #expect(trace.diagnostics.isEmpty)
    let works = trace.slices.name.indices.filter { trace.string(trace.slices.name[$0]) == "work" }
    #expect(works.count == Self.pairs + Self.first)
  }
}
