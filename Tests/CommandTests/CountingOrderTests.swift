// SPDX-License-Identifier: Apache-2.0

import LaunchSystem
import Testing

struct CountingOrderTests {
  @Test(arguments: [
    ["app-1.pftrace", "app-2.pftrace", "app-10.pftrace", "app-100.pftrace"], ["a", "a1", "a1b", "a2", "b"],
    ["app-20261127-9", "app-20261127-10", "app-20261128-1"], ["0", "00", "01", "1", "1a", "02", "2"],
    ["02.9", "2.9", "2.9.1", "2.10", "10", "a"],
    ["", "-", "1", "a"], ["run", "run-2", "run-10"],
    ["99999999999999999999998", "99999999999999999999999", "100000000000000000000000"],
    ["é1", "é2", "é10"],
  ])
  func numbersAreInTheOrderOfTheirValues(_ names: [String]) {
    #expect(names.sorted(by: CountingOrder.precedes) == names)
    #expect(names.reversed().sorted(by: CountingOrder.precedes) == names)
  }

  @Test func aPreReleaseIsBeforeItsRelease() {
    let releases = ["2.9", "2.10", "3.0-alpha", "3.0-beta.2", "3.0-beta.10", "3.0", "3.0 b", "v3.0.1", "3.0.2", "v10"]
    #expect(releases.reversed().sorted(by: CountingOrder.releasePrecedes) == releases)
  }
}
