// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import Testing

struct RoundOrderTests {
  private func orders(_ seed: UInt64, _ count: Int) -> [[RoundOrder.Side]] {
    var order = RoundOrder(seed: seed)
    return (0..<count).map { _ in order.next() }
  }

  @Test func theSeedDecides() {
    #expect(orders(7, 50) == orders(7, 50))
    #expect(orders(7, 50) != orders(8, 50))
  }

  @Test func bothSidesGoFirstAboutAsOften() {
    let rounds = orders(3, 1000)
    #expect(rounds.allSatisfy { Set($0) == [.base, .head] })
    #expect((420...580).contains(rounds.count { $0[0] == .base }))
  }
}
