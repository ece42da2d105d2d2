// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchReport
import TestSupport
import Testing

/// What the first screen shows of findings.
struct OverviewFindingTests {
  private let millisecond: Int64 = 1_000_000

  private func text(_ launch: SampleLaunch, findingsOnly: Bool = false) -> String {
    var options = ReportOptions()
    (options.isBrief, options.findingsOnly) = (!findingsOnly, findingsOnly)
    return ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: launch.trace())]), options: options)
  }

  /// "This is Python's interpreter: a script took the time." and nothing more: the next step was in the third line.
  @Test func theNextStepIsShown() {
    let python = "/usr/bin/python3.11"
    let stack = ["main", "Py_RunMain", "_PyEval_EvalFrameDefault"].map { SampleLaunch.Frame($0, image: python) }
    var launch = SampleLaunch()
    launch.launcher(exit: 200 * millisecond, isInstrumented: false, [("program", .string(python))])
    launch.samples(stack, from: 10 * millisecond, to: 130 * millisecond)
    let text = text(launch)
    #expect(text.inOneLine.contains("and python3 -m cProfile its functions."), "\(text)")
  }

  /// `report --findings` sent the reader to itself.
  @Test func onlyReportsWithoutEvidenceNameTheList() {
    var launch = SampleLaunch(exit: 1000 * millisecond)
    for (number, start) in stride(from: Int64(10), to: 900, by: 90).enumerated() {
      launch.pause(from: start * millisecond, to: (start + 60) * millisecond)
      launch.look("call \(number)", at: (start + 30) * millisecond)
    }
    #expect(text(launch).inOneLine.contains("none stands out. report --findings lists the longest."))
    let details = text(launch, findingsOnly: true).inOneLine
    #expect(details.contains("none stands out.") && !details.contains("report --findings"), "\(details)")
  }

  /// `newfstatat (… and others (701 times)`
  @Test func ofSeveralReasonsTheCallIsNamed() {
    let directory = "/srv/" + String(repeating: "long name ", count: 7)
    var launch = SampleLaunch()
    for (file, start, end) in [("a", 10, 40), ("b", 50, 70)] as [(String, Int64, Int64)] {
      launch.pause(from: start * millisecond, to: end * millisecond, .uninterruptible)
      launch.look("read", at: (start + 10) * millisecond, state: "D", path: "\(directory)/\(file).dat")
    }
    launch.launcher(exit: 400 * millisecond)
    let text = text(launch)
    #expect(text.contains(" read and others (2 times) "), "\(text)")
    // Here is room for the path.
    #expect(self.text(launch, findingsOnly: true).inOneLine.contains("a.dat"))
  }
}
