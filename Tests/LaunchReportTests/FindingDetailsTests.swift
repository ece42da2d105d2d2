// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchReport
import TestSupport
import Testing

@Suite struct FindingDetailsTests {
  /// The library that was opened, not the last one of those that it needs.
  @Test func ofManyLibrariesTheOpenedOneIsShown() throws {
    let needed = (1...67).map { "/usr/lib/x86_64-linux-gnu/libneeded-\($0).so.0" }
    var launch = SampleLaunch(exit: 400_000_000)
    launch.interval(
      "dlopen", from: 100_000_000, to: 370_000_000, category: "launchprof.library",
      [("path", .array((["/usr/lib/app/libxul.so"] + needed).map { .string($0) }))])
    launch.interval(
      "dlopen", from: 371_000_000, to: 375_000_000, category: "launchprof.library",
      [("path", .string("/usr/lib/app/plugins/" + String(repeating: "long/", count: 30) + "libplugin.so"))])
    let set = LaunchSet([LaunchTimeline(trace: launch.trace())])
    for width in [60, 80, 120] {
      var options = ReportOptions()
      (options.width, options.findingsOnly) = (width, true)
      let lines = ReportFormat.text.string(set, options: options).split(separator: "\n")
      let shown = lines.filter { $0.contains("  library  ") }
      try #require(shown.count == 2, "\(lines)")
      #expect(shown[0].contains("  libxul.so") && shown[0].wholeMatch(of: /.* and \d+ more/) != nil, "\(shown[0])")
      // One path ends with the name that says the most.
      #expect(shown[1].hasSuffix("libplugin.so") && shown[1].contains("…"), "\(shown[1])")
      #expect(shown.allSatisfy { $0.count <= width })
    }
  }
}
