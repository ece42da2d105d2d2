// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import Testing

/// When the CPU time of a comparison decides, on a busy machine whose wall times do not.
struct CPUDecisionTests {
  /// - Parameters: ms of each launch. The wall times vary by half.
  private static func launches(
    _ session: String, side: String? = nil, wall: Double, cpu: Double, onCore: Double, seed: Int
  ) -> [Measurement] {
    (1...20).map { round in
      var provenance = Provenance(round: round)
      (provenance.session, provenance.side) = (session, side)
      let small = 1 + 0.01 * Double((round * 7 + seed) % 11) / 11
      let large = 1 + Double((round * (seed == 0 ? 5 : 8) + 2 * seed) % 13) / 13
      return Measurement(
        name: "", leftOut: nil, provenance: provenance, endMilestone: "exit",
        values: [.total: 1e6 * wall * large, .cpu: 1e6 * cpu * small, .onCore: 1e6 * onCore * small], flame: [:],
        isCPUOfLaunch: true)
    }
  }

  /// A millisecond is what the user allows, of CPU time as of wall time.
  @Test func anAbsoluteThresholdAlsoHoldsForCPUTime() {
    let base = Self.launches("live", side: "base", wall: 30, cpu: 20, onCore: 20, seed: 0)
    let head = Self.launches("live", side: "head", wall: 31.5, cpu: 21.5, onCore: 21.5, seed: 3)
    func comparison(_ absolute: Double?) -> LaunchComparison {
      var options = ComparisonOptions()
      options.absolute = absolute
      return LaunchComparison(base: base, head: head, options: options)
    }
    #expect(comparison(nil).outcome == .decided(.regressed) && comparison(nil).decidedBy == "cpu")
    #expect(comparison(1e6).outcome == .decided(.regressed))
    let allowed = comparison(1e7)
    #expect(allowed.outcome != .decided(.regressed) && allowed.cpu?.verdict == .noChange, "\(allowed.outcome)")
  }

  /// Work that moved to a thread beside the main thread costs CPU time, also in launches that were recorded before.
  @Test func recordedCPUTimeDoesNotDecideAgainstOnCoreTime() {
    var options = ComparisonOptions()
    options.sessionSpread = 0.1
    func comparison(onCore: Double) -> LaunchComparison {
      LaunchComparison(
        base: Self.launches("monday", wall: 40, cpu: 20, onCore: 20, seed: 0),
        head: Self.launches("tuesday", wall: 44, cpu: 28, onCore: onCore, seed: 3), options: options)
    }
    let grown = comparison(onCore: 28)
    #expect(grown.outcome == .decided(.regressed) && grown.decidedBy == "cpu", "\(grown.outcome)")
    #expect(comparison(onCore: 16).outcome.isInconclusive)
  }
}
