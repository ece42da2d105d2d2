// SPDX-License-Identifier: Apache-2.0

import LaunchSystem
import Testing

struct ListedNamesTests {
  @Test(arguments: [
    ([], "", ""), (["a"], "a", "a"), (["a", "b"], "a, b", "a, b"),
    (["a", "b", "c"], "a, b and 1 more", "a, b and others"),
    (["a", "b", "c", "d"], "a, b and 2 more", "a, b and others"),
  ]) func theFirstNamesAreListed(names: [String], counted: String, others: String) {
    #expect(names.listed(2) == counted)
    #expect(names.listed(2, rest: "others") == others)
  }
}
