// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import TestSupport
import Testing

/// The counts that trace_processor gives for a trace, computed from this package's reading of it.
struct TraceCounts: Equatable, CustomStringConvertible {
  /// There, instants are slices of no duration.
  var slices: Int
  var sliceDuration: Int64
  var unfinished: Int
  var threads: Int
  var counters: Int
  var samples: Int

  init(_ trace: Trace) {
    slices = trace.slices.count + trace.instants.count
    sliceDuration = trace.slices.duration.reduce(0) { $1 > 0 ? $0 + $1 : $0 }
    unfinished = trace.slices.duration.count { $0 == SliceTable.unfinished }
    threads = trace.tracks.count { $0.kind == .thread && $0.threadID != 0 }
    counters = trace.counters.count
    samples = trace.samples.count
  }

  var description: String {
    "slices \(slices) duration \(sliceDuration) unfinished \(unfinished) threads \(threads) counters \(counters) "
      + "samples \(samples)"
  }
}

@Suite struct ForeignTraceTests {
  /// The counts of Google's trace_processor v58 for each trace (MANIFEST.csv).
  @Test func foreignTracesCountAsInTraceProcessor() throws {
    for foreign in try SharedData.foreignTraces() {
      let trace = try TraceReader().read(path: foreign.path)
      let counts = TraceCounts(trace)
      #expect(foreign.slices == nil || counts.slices == foreign.slices, "\(foreign.file) \(counts)")
      #expect(
        foreign.sliceDuration == nil || counts.sliceDuration == foreign.sliceDuration, "\(foreign.file) \(counts)")
      #expect(foreign.unfinished == nil || counts.unfinished == foreign.unfinished, "\(foreign.file) \(counts)")
      // It takes threads 0 and 1 of process 1 for one.
      let joined = foreign.file.hasSuffix("multiprocess.json") ? 1 : 0
      #expect(foreign.threads == nil || counts.threads - joined == foreign.threads, "\(foreign.file) \(counts)")
      #expect(foreign.counters == nil || counts.counters == foreign.counters, "\(foreign.file) \(counts)")
      #expect(foreign.samples == nil || counts.samples == foreign.samples, "\(foreign.file) \(counts)")
      #expect(trace.diagnostics.isEmpty, "\(foreign.file) \(trace.diagnostics)")
    }
  }
}
