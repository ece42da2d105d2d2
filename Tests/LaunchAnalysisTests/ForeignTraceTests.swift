// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// Traces of other tools, which say little about a launch.
struct ForeignTraceTests {
  @Test func countersAloneHaveAnExtent() {
    var launch = SampleLaunch()
    launch.counter("frequency", every: 1_000_000, [1, 2, 3, 4])
    let timeline = LaunchTimeline(trace: launch.trace())
    #expect(timeline.trace.hasOnlyCounters)
    #expect(timeline.start == launch.origin && timeline.total == 3_000_000)
  }

  /// They may go on long after the last event.
  @Test func countersDoNotMakeALaunchLonger() {
    var launch = SampleLaunch()
    launch.interval("work", from: 1_000_000, to: 3_000_000)
    launch.counter("frequency", every: 1_000_000, [1, 2, 3, 4, 5, 6])
    let timeline = LaunchTimeline(trace: launch.trace())
    #expect(!timeline.trace.hasOnlyCounters && timeline.total == 2_000_000)
  }

  @Test(arguments: [
    ("GPU Process: https://example.com/index.html", "GPU Process: https://example.com/index.html"),
    ("/usr/bin/notes-server", "notes-server"), ("notes", "notes"), ("/", ""),
  ]) func onlyPathsAreShortened(name: String, program: String) throws {
    let trace = """
      {"traceEvents": [{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "\(name)"}},
        {"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 0, "dur": 1000}]}
      """
    let read = try Array(trace.utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) }
    #expect(LaunchTimeline(trace: read).program == program)
  }

  /// Sampled profiles of speedscope say how much samples weigh, but not when they were taken. So nobody knows whether a
  /// function ran without a pause.
  @Test func samplesWithoutTimesTellNoStatesAndNoCalls() throws {
    let trace = """
      {"$schema": "https://www.speedscope.app/file-format-schema.json", "shared": {"frames": [{"name": "a"}, {"name": "b"}]},
        "profiles": [{"type": "sampled", "name": "main", "unit": "milliseconds", "startValue": 0, "endValue": 600,
          "samples": [[0, 1], [0, 1], [0, 1], [0]], "weights": [50, 200, 50, 300]}]}
      """
    let read = try Array(trace.utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) }
    let timeline = LaunchTimeline(trace: read)
    #expect(timeline.total == 600_000_000)
    #expect(timeline.findings == [])
    #expect(!timeline.states.isKnown)
  }
}
