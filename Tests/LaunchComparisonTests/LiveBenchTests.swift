// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchComparison
import LaunchObserver
import TestSupport
import Testing

struct LiveBenchTests {
  private static func bench() -> LiveBench {
    LiveBench(
      program: "true", arguments: [], versus: nil, maxRuns: nil, options: ComparisonOptions(), complete: { _ in },
      makeRecorder: { _, _ throws(LaunchError) in
        throw LaunchError(.cannotWrite, path: "", message: "not asked for")
      })
  }

  /// Before any directory is made, and any launch.
  @Test(arguments: [("./no-such-program", "true"), ("true", "./no-such-program")])
  func aProgramThatIsNotThereIsAnErrorAtOnce(program: String, versus: String) {
    var bench = Self.bench()
    (bench.program, bench.versus) = (program, (versus, []))
    let error = #expect(throws: LaunchError.self) { _ = try bench.run(telling: FakeProgress()) }
    #expect(error?.code == .notFound && error?.path == "./no-such-program")
  }

  @Test func scenariosShareTheTime() {
    var standard = Self.bench()
    standard.sharers = 4
    #expect(standard.ownTime == 150_000_000_000)
    var given = Self.bench()
    given.maxTime = 9_000_000_000
    given.sharers = 3
    #expect(given.ownTime == 3_000_000_000)
  }

  /// Of a program that hangs, the rounds would never end.
  @Test(arguments: [(nil, 600), (1, 10), (60, 60), (3_600, 3_600)] as [(Int64?, Int64)])
  func noLaunchTakesForEver(most: Int64?, longest: Int64) throws {
    let directory = try TemporaryDirectory()
    var asked: Int64?
    var bench = Self.bench()
    bench.traces = directory.path
    bench.maxTime = most.map { $0 * 1_000_000_000 }
    bench.makeRecorder = { request, _ throws(LaunchError) in
      asked = request.longest
      throw LaunchError(.cannotWrite, path: "", message: "enough")
    }
    #expect(throws: LaunchError.self) { _ = try bench.run(telling: FakeProgress()) }
    #expect(asked == longest * 1_000_000_000)
  }
}
