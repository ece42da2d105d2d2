// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

@testable import LaunchReport

/// Trees that are deeper than a line is wide.
@Suite struct DeepTreeTests {
  /// `work 0` contains `work 1`, and so on.
  private static func text(depth: Int, width: Int) -> [Substring] {
    var launch = SampleLaunch(preinit: 1000)
    let end = Int64(depth) * 20_000_000
    for level in 0..<depth {
      let start = 10_000 + Int64(level) * 1_000_000
      launch.interval("work \(level)", from: start, to: end - Int64(level) * 10_000_000)
    }
    launch.mark("ready", at: end)
    var options = ReportOptions()
    options.width = width
    options.minPercent = 0
    let report = ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: launch.trace())]), options: options)
    return report.split(separator: "\n").filter { $0.contains(#/work \d+/#) && $0.contains("└ ") }
  }

  @Test(arguments: [60, 80, 120]) func deepRowsStayATree(width: Int) throws {
    let rows = Self.text(depth: 40, width: width)
    // The tree shows the name of every level, and no line is only a number.
    for level in 0..<40 { #expect(rows.contains { $0.contains("└ work \(level)") }, "work \(level)") }
    #expect(rows.allSatisfy { $0.count <= width + 1 })
    let places = try rows.map { row in
      let branch = try #require(row.firstRange(of: "└ "))
      return row.distance(from: row.startIndex, to: branch.lowerBound)
    }
    // A row is to the right of its parent, or begins a block that says how many levels were left out.
    for (place, next) in zip(places.indices.dropLast(), places.indices.dropFirst()) {
      #expect(places[next] > places[place] || rows[next].contains(#/…\d+ *└/#), "\(rows[next])")
    }
  }

  /// Paths of all of them would take the square of their number.
  @Test func thousandsOfNestedIntervalsOverBudget() throws {
    var launch = SampleLaunch()
    let end = 100_000_000_000 as Int64
    for level in 0..<3000 as Range<Int64> { launch.interval("work \(level)", from: level * 1000, to: end - level) }
    let set = LaunchSet([LaunchTimeline(trace: launch.trace())])
    let findings = set.launches[0].findings.filter { $0.subject.hasPrefix("work ") }
    #expect(findings.count == 3000 && findings.allSatisfy { !$0.evidence.isEmpty })
    #expect(findings.allSatisfy { $0.path.count < 32 })
    let innermost = try #require(findings.first { $0.subject == "work 2999" })
    #expect(innermost.path.first == "…" && innermost.path.last == "work 2998")
    var options = ReportOptions()
    options.minPercent = 0
    let rows = ReportFormat.text.string(set, options: options).split(separator: "\n").filter { $0.contains("└ ") }
    #expect(rows.count > 200 && rows.count < 300)
    // A depth that was asked for is shown.
    options.depth = 400
    let deeper = ReportFormat.text.string(set, options: options).split(separator: "\n").filter { $0.contains("└ ") }
    #expect(deeper.count >= 400)
  }

  /// The part that is too deep is not short: it has most of the samples.
  @Test func whatIsTooDeepIsNotCalledShort() throws {
    let names = (0..<600).map { "f\($0)" }
    let text = "\(names.joined(separator: ";")) 15\nx;y 3\n"
    let trace = try Array(text.utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) }
    var options = ReportOptions()
    options.minPercent = 5
    let set = LaunchSet([LaunchTimeline(trace: trace)])
    let report = ReportFormat.text.string(set, options: options)
    #expect(report.contains("└ 1 name below level 256\n"), "\(report)")
    #expect(report.contains("344 paths below 5 % or deeper than 256 not shown; --depth 1024 shows more\n"))
    options.depth = 1024
    #expect(ReportFormat.text.string(set, options: options).contains("└ f599"))
  }

  /// A folded stack has its track and its 511 innermost names.
  @Test func foldedStacksAreShortened() throws {
    var launch = SampleLaunch()
    for level in 0..<600 as Range<Int64> {
      launch.interval("work \(level)", from: 1000 + level * 1000, to: 100_000_000 - level * 1000)
    }
    let lines = ReportFormat.folded.string(LaunchSet([LaunchTimeline(trace: launch.trace())])).split(separator: "\n")
    let stack = { (level: Int) in lines.first { $0.contains(";work \(level) ") }?.split(separator: ";") }
    let (short, deep) = (try #require(stack(100)), try #require(stack(599)))
    #expect(short.count - 2 == 101 + (short[2].hasPrefix("work") ? 0 : 1) && !short.contains("..."))
    #expect(deep[1] == short[1] && deep[2] == "..." && deep[3] == "work 89")
    #expect(deep.count == 2 + 1 + 511 && deep.last?.hasPrefix("work 599 ") == true)
  }

  /// Lines are made for the levels that are shown, so a tree of any depth takes little.
  @Test func everyLevelThatWasAskedForIsShown() {
    var launch = SampleLaunch()
    let depth = 2500
    for level in 0..<Int64(depth) { launch.interval("work \(level)", from: level, to: 1_000_000_000 - level) }
    var options = ReportOptions()
    options.minPercent = 0
    options.depth = .max
    options.width = 80
    let set = LaunchSet([LaunchTimeline(trace: launch.trace())])
    let rows = ReportFormat.text.string(set, options: options).split(separator: "\n").filter { $0.contains("└ ") }
    #expect(rows.count >= depth - 1 && rows.contains { $0.contains("└ work 2499") })
    #expect(rows.allSatisfy { $0.count <= 81 })
  }

  /// Long values in the columns before the tree can leave less than nothing for it.
  @Test(arguments: -3...9) func anyRoomWillDo(room: Int) {
    var lines = FlameLines(TextStyle(hasColor: false, isASCII: false))
    for depth in 0..<9 {
      let text = lines.next(depth: depth, isLast: depth % 2 == 0, room: room)
      #expect(text.count <= max(depth * 2, 3), "\(text)")
    }
  }
}
