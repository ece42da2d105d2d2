// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import TestSupport
import Testing

@testable import LaunchAnalysis
@testable import LaunchReport

struct CSVPathsTests {
  /// Each written span has a parent of its own that is not written, below the same deep stack.
  private static func paths(depth: Int64, lastOnly: Bool) throws -> [Substring] {
    var launch = SampleLaunch()
    for level in 0..<depth { launch.interval("a", from: level, to: 10 * depth - level) }
    for place in 0..<depth {
      launch.interval("b", from: 2 * depth + 4 * place, to: 2 * depth + 4 * place + 3)
      launch.interval("c", from: 2 * depth + 4 * place + 1, to: 2 * depth + 4 * place + 2)
    }
    let timeline = LaunchTimeline(trace: launch.trace())
    var paths = CSVPaths(timeline, names: CSVNames(timeline.trace.strings))
    let first = lastOnly ? timeline.spans.count - 1 : Int(depth) + 1
    let text = MemorySink.text { sink in
      var output = OutputBuffer(sink)
      for row in stride(from: first, to: timeline.spans.count, by: 2) {
        paths.write(row, to: &output)
        output.append(UInt8(ascii: "\n"))
      }
      try output.finish()
    }
    return text.split(separator: "\n")
  }

  @Test func spansThatAreNotWrittenAreInThePath() throws {
    let paths = try Self.paths(depth: 100, lastOnly: false)
    let expected = String(repeating: "a;", count: 100) + "b;c"
    #expect(paths.count == 100 && paths.allSatisfy { $0 == expected })
  }

  @Test func aDeepPathKeepsItsInnermostNames() throws {
    let path = try #require(Self.paths(depth: 20_000, lastOnly: true).first)
    #expect(path.hasPrefix("...;a;a") && path.hasSuffix(";a;a;b;c"))
    #expect(path.utf8.count < 32_010)
  }
}
