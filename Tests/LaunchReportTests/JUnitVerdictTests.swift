// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchReport
import LaunchTrace
import Testing

/// What a CI system shows as failed.
struct JUnitVerdictTests {
  /// Only the wall time of two builds differs, so other programs may have had the processor.
  @Test(arguments: [2, 0.4]) func whatFailsTheGateIsNotGreen(factor: Double) throws {
    func launches(_ session: String, build: String, wall: Double) -> [Measurement] {
      (1...9).map { round in
        var provenance = Provenance(round: round)
        (provenance.session, provenance.arguments) = (session, [])
        provenance.image = ImageDescription(
          libraries: [], libraryBytes: 0, relocations: 0, initializers: 0, bytes: 1, toolchain: nil, buildID: build)
        let noise = 1 + 0.01 * Double(round)
        return Measurement(
          name: "", leftOut: nil, provenance: provenance, endMilestone: "exit",
          values: [.total: wall * noise, .cpu: 4e7 * noise, .onCore: 5e7 * noise], flame: [:], isCPUOfLaunch: true)
      }
    }
    let head = launches("tuesday", build: "cd", wall: 1e8 * factor)
    let comparison = LaunchComparison(base: launches("monday", build: "ab", wall: 1e8), head: head)
    var result = GateResult(comparison: comparison, launches: head)
    #expect(result.status == .inconclusive && comparison.total?.verdict.isChange == true)
    for (fails, counts) in [
      (true, "failures=\"1\" errors=\"0\" skipped=\"0\""), (false, "failures=\"0\" errors=\"0\" skipped=\"1\""),
    ] {
      result.inconclusiveFails = fails
      let text = ComparisonFormat.junit.string(result)
      #expect(text.contains(counts), "\(text)")
    }
  }
}
