import TestSupport
import Testing

@testable import LaunchAnalysis

struct DeferredTests {
  @Test func isMadeOnceAndNotBeforeItIsAskedFor() async {
    let deferred = Deferred { UInt64.random(in: 0 ... .max) }
    #expect(!deferred.isMade)
    let values = await withTaskGroup(of: UInt64.self) { group in
      for _ in 0..<100 { group.addTask { deferred.value } }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(values.count == 1)
    #expect(deferred.isMade)
  }

  @Test func theTreeIsBuiltForFindingsOnlyWhenSomethingIsOverBudget() {
    var launch = SampleLaunch()
    launch.interval("short", from: 0, to: 1000)
    let within = LaunchTimeline(trace: launch.trace())
    #expect(within.findings.isEmpty)
    #expect(!within.trees.isFlameMade)

    launch.interval("long", from: 1000, to: 1_000_000_000)
    let over = LaunchTimeline(trace: launch.trace())
    #expect(!over.trees.isFlameMade)
    #expect(over.findings.map(\.subject) == ["long"])
    #expect(over.trees.isFlameMade)
  }
}
