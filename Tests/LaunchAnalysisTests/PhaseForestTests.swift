// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchAnalysis

struct PhaseForestTests {
  @Test func aTimeBelongsToThePhaseThatBeginsThen() {
    func phase(_ start: Int64, _ end: Int64) -> Phase { Phase(id: "", start: start, end: end, source: .api) }
    let phases = [phase(0, 10), phase(10, 10), phase(10, 20), phase(30, 40), phase(40, 40)]
    #expect([0, 9, 10, 19, 20, 29, 30, 40, 41, -1].map(phases.place) == [0, 0, 2, 2, 2, nil, 3, 4, nil, nil])
    #expect([Phase]().place(at: 0) == nil)
  }
}
