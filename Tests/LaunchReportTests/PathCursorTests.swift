// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import TestSupport
import Testing

@testable import LaunchAnalysis
@testable import LaunchReport

struct PathCursorTests {
  /// Each written span has a parent of its own that is not written, below the same deep stack. To begin each path at its
  /// outermost span would take minutes.
  @Test func spansThatAreNotWrittenAreNotVisitedAgain() {
    let many = 20_000 as Int64
    var launch = SampleLaunch()
    for depth in 0..<many { launch.interval("a", from: depth, to: 10 * many - depth) }
    for place in 0..<many {
      launch.interval("b", from: 2 * many + 4 * place, to: 2 * many + 4 * place + 3)
      launch.interval("c", from: 2 * many + 4 * place + 1, to: 2 * many + 4 * place + 2)
    }
    let trace = launch.trace()
    let spans = LaunchTimeline(trace: trace).spans
    let names = CSVNames(trace.strings)
    var cursor = PathCursor()
    for row in stride(from: Int(many) + 1, to: spans.count, by: 2) {
      cursor.move(to: row, spans: spans, nameIDs: trace.slices.name, names: names)
    }
    let path = MemorySink.text { sink in
      var output = OutputBuffer(sink)
      cursor.write(to: &output)
      try output.finish()
    }
    #expect(path.hasPrefix("...;a;a") && path.hasSuffix(";a;a;b;c"))
  }
}
