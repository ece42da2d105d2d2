// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import LaunchAnalysis

struct AnalysisContextTests {
  @Test func aValueIsMadeOnceAndNotBeforeItIsAskedFor() async {
    let made = MadeOnce<UInt64>()
    #expect(!made.isMade)
    let values = await withTaskGroup(of: UInt64.self) { group in
      for _ in 0..<100 { group.addTask { made.value { UInt64.random(in: 0 ... .max) } } }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(values.count == 1)
    #expect(made.isMade)
  }

  @Test func aSetOfLaunchesLooksForNoFindings() {
    var launch = SampleLaunch()
    launch.interval("work", from: 0, to: 1_000_000)
    let set = LaunchSet([LaunchTimeline(trace: launch.trace()), LaunchTimeline(trace: launch.trace())])
    #expect(set.counted.count == 2)
    #expect(set.launches.allSatisfy { !$0.timeline.context.madeFindings.isMade })
  }

  @Test func theTreeIsBuiltForFindingsOnlyWhenSomethingIsOverBudget() {
    var launch = SampleLaunch()
    launch.interval("short", from: 0, to: 1000)
    let within = LaunchTimeline(trace: launch.trace())
    #expect(within.findings.isEmpty)
    #expect(!within.context.isFlameMade)

    launch.interval("long", from: 1000, to: 1_000_000_000)
    let over = LaunchTimeline(trace: launch.trace())
    #expect(!over.context.isFlameMade)
    #expect(over.findings.map(\.subject) == ["long"])
    #expect(over.context.isFlameMade)
  }
}
