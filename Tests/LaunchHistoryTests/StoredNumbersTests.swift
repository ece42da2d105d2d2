// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import Testing

@testable import LaunchHistory

/// Numbers that no launch has, in a history that someone else wrote. Their sums ended the command by a trap.
struct StoredNumbersTests {
  /// 4.5 million seconds: a frame may have it, but not 2,100 of them.
  private static let longest = 1 << 52

  private func stored(flame: [String] = [], _ more: String = "") throws -> Measurement {
    try StoredMeasurement.measurement(
      """
      {"name": "a", "end": "ready", "session": "s", "round": 1, "flame": [\(flame.joined(separator: ","))],
       "values": [{"group": "total", "path": ["total"], "value": 5}]\(more)}
      """)
  }

  private func frames(_ count: Int, path: (Int) -> String) -> [String] {
    (0..<count).map { "{\"path\": [\"main thread\"\(path($0))], \"time\": \(Self.longest)}" }
  }

  @Test func theTimesOfALaunchAreBounded() throws {
    let same = try stored(flame: frames(2_100) { _ in "" })
    #expect(same.flame == [["main thread"]: 1 << 60])
    let different = try stored(flame: frames(2_100) { ", \"\($0)\"" })
    #expect(different.flame.count == 256 && different.flame.values.reduce(0, +) == 1 << 60)
    let waits = try stored(", \"waits\": [\(frames(2_100) { _ in "" }.joined(separator: ","))]")
    #expect(waits.waits == [["main thread"]: 1 << 60])
  }

  /// It adds up what is below a path.
  @Test func theGrowthOfManyPathsIsCompared() throws {
    let base = try stored(flame: frames(1) { _ in "" } + frames(2_100) { ", \"\($0)\"" })
    let head = try stored(flame: frames(2_100) { ", \"new \($0)\"" })
    let nodes = LaunchComparison(base: [base], head: [head]).flame.nodes
    #expect(nodes.first?.name == "main thread" && nodes.first?.growth == -(1 << 52))
  }

  @Test(arguments: [-1, 0, 1 << 52, 1 << 53, Int64.max]) func countsThatNoLaunchHasAreNotRead(count: Int64) throws {
    let isSound = (0...1 << 52).contains(count)
    let launch = try stored(
      flame: ["{\"path\": [\"a\"], \"time\": \(count)}"],
      """
      , "loaded": {"mapped": [], "opened": [], "bytes": \(count)}, "globals": [{"name": "a", "time": \(count)}],
      "image": {"libraries": [], "libraryBytes": \(count), "relocations": 1, "initializers": 1, "bytes": 1, "buildID": ""}
      """)
    #expect((launch.loaded != nil) == isSound && (launch.provenance.image != nil) == isSound)
    #expect((launch.globals?.names == ["a"]) == isSound && launch.flame.isEmpty != isSound)
  }
}
