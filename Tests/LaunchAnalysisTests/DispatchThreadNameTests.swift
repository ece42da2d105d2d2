// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchAnalysis

/// Linux keeps the last 15 bytes of the names that libdispatch gives its threads.
struct DispatchThreadNameTests {
  @Test(arguments: [
    ("oot.default-qos", "dispatch default-qos"), ("oot.utility-qos", "dispatch utility-qos"),
    ("r-initiated-qos", "dispatch user-initiated-qos"), ("interactive-qos", "dispatch user-interactive-qos"),
    ("-qos.overcommit", "dispatch overcommit"), ("ispatch-manager", "dispatch manager"),
  ])
  func aThreadOfDispatchIsNamedByItsQueue(name: String, readable: String) {
    #expect(DispatchThreadName.readable(name) == readable)
  }

  @Test(arguments: ["", "worker", "default-qos", "com.apple.root.default-qos"])
  func otherNamesStay(name: String) {
    #expect(DispatchThreadName.readable(name) == name)
  }
}
