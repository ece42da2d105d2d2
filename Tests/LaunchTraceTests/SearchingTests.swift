// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import Testing

struct SearchingTests {
  @Test func aValueIsMadeOnceAlsoIfItIsNil() {
    var (known, made): ([Int: Int?], Int) = ([:], 0)
    for _ in 1...3 {
      let value = known.value(of: 7) {
        made += 1
        return nil
      }
      #expect(value == nil)
    }
    #expect(made == 1)
  }
}
