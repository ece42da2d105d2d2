// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

@testable import LaunchReport

/// Numbers that no launch has. Each of these reports ended in a trap.
struct CraftedNumbersTests {
  private func report(_ events: String...) throws -> String {
    let json = "{\"traceEvents\": [\n\(events.joined(separator: ",\n"))\n]}"
    let trace = try Array(json.utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) }
    return ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: trace)]))
  }

  private func mark(_ name: String, at time: String) -> String {
    """
    {"name": "\(name)", "cat": "launchprof.mark", "ph": "i", "s": "t", "ts": \(time), "pid": 1, "tid": 1}
    """
  }

  /// A launch of 1 ns, and work of 13 million seconds after it.
  @Test func timeAfterAShortLaunchHasNoShare() throws {
    let end = "4400000000000"
    let work = (0..<3).map { id in
      """
      {"name": "a", "cat": "x", "ph": "b", "id": "\(id)", "ts": 0, "pid": 1, "tid": 1},
      {"name": "a", "cat": "x", "ph": "e", "id": "\(id)", "ts": \(end), "pid": 1, "tid": 1}
      """
    }
    let first = """
      {"name": "first", "cat": "x", "ph": "X", "ts": 0, "dur": 0.001, "pid": 1, "tid": 1}
      """
    let text = try report(
      first, mark("ready", at: "0.001"), work.joined(separator: ",\n"), mark("fully-drawn", at: end))
    #expect(text.contains("first"), "\(text)")
    #expect(DecimalText.percent(.max, of: 1) == "900000000000000000.0")
  }

  /// No time passed, and recording cost nothing.
  @Test func aLaunchWithoutTimeHasNoShareOfIt() throws {
    let text = try report(
      """
      {"name": "recorder", "cat": "launchprof.recorder", "ph": "i", "s": "t", "ts": 5, "pid": 1, "tid": 1, "args": {}}
      """)
    #expect(text.contains("recording cost") && !text.contains("% of the launch"), "\(text)")
  }
}
