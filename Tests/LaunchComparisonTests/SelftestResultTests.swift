// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchComparison
import Testing

/// What a self-test says of comparisons whose launches are simulated.
struct SelftestResultTests {
  /// Launches of 20 ms of CPU time. On a busy machine, the wall time is twice as long, and varies by half.
  private static func comparison(isBusy: Bool, delay: Double, rounds: Int = 20) -> LaunchComparison {
    func launches(_ side: String, _ factor: Double, _ seed: Int) -> [Measurement] {
      (1...rounds).map { round in
        var provenance = Provenance(round: round)
        (provenance.session, provenance.side) = ("live", side)
        let small = 1 + 0.01 * Double((round * 7 + seed) % 11) / 11
        let large = isBusy ? 2 + Double((round * (seed == 0 ? 5 : 8) + 2 * seed) % 13) / 13 : small
        return Measurement(
          name: "", leftOut: nil, provenance: provenance, endMilestone: "exit",
          values: [.total: 2e7 * factor * large, .cpu: 2e7 * factor * small], flame: [:], isCPUOfLaunch: true)
      }
    }
    return LaunchComparison(base: launches("base", 1, 0), head: launches("head", 1 + delay, 3))
  }

  private static func result(isBusy: Bool, delay: Double = 0.1) -> SelftestResult? {
    SelftestResult(
      same: comparison(isBusy: isBusy, delay: 0), slower: comparison(isBusy: isBusy, delay: delay), delay: delay)
  }

  /// The gate decides by CPU time there, so the machine is good enough.
  @Test func cpuTimeCountsOnABusyMachine() throws {
    let busy = try #require(Self.result(isBusy: true))
    #expect(busy.status == 0 && busy.lines.last == "PASSED", "\(busy.lines)")
    let floor = try #require(busy.lines.first { $0.hasPrefix("noise floor: ") })
    #expect(floor.contains(" % by wall time, ") && floor.hasSuffix(" % by CPU time, with 20 rounds"), "\(floor)")
    #expect(try #require(Self.result(isBusy: false)).status == 0)
    let undetected = try #require(Self.result(isBusy: true, delay: 0))
    #expect(undetected.status == 2 && undetected.lines.contains { $0.contains("was not detected") })
  }

  /// A threshold above the noise of such a machine would pass a launch of twice the time.
  @Test func aBusyMachineIsNotARelativeThreshold() throws {
    func wall(_ comparison: LaunchComparison) -> LaunchComparison {
      func without(_ launches: [Measurement]) -> [Measurement] {
        launches.map { launch in
          var launch = launch
          launch.isCPUOfLaunch = false
          return launch
        }
      }
      return LaunchComparison(base: without(comparison.base), head: without(comparison.head))
    }
    // Few rounds have a wide interval.
    let (same, slower) = (
      Self.comparison(isBusy: true, delay: 0, rounds: 7), Self.comparison(isBusy: true, delay: 0.1, rounds: 7)
    )
    let result = try #require(SelftestResult(same: wall(same), slower: wall(slower), delay: 0.1))
    #expect(result.status == 2)
    let advice = try #require(result.lines.last)
    #expect(advice.hasPrefix("REJECTED: ") && advice.contains("too busy") && !advice.contains("relative"), "\(advice)")
  }
}
