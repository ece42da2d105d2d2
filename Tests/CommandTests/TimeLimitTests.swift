// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import launchprof

struct TimeLimitTests {
  @Test func timesHaveUnits() throws {
    #expect(try TimeLimit(text: "10").nanoseconds == 10_000_000_000)
    #expect(try TimeLimit(text: "0.5 s").nanoseconds == 500_000_000)
    #expect(try TimeLimitOrZero(text: "0").nanoseconds == 0)
    #expect(try TimeLimitOrZero(text: "250us").nanoseconds == 250_000)
  }

  /// "The value '1' is invalid" was all that was said.
  @Test func aWrongTimeIsToldWhatATimeIs() {
    for text in ["", "x", "1h", "-1ms", "0"] {
      let error = #expect(throws: (any Error).self) { _ = try TimeLimit(text: text) }
      #expect(error.map { "\($0)".contains("a time such as 16ms") } == true)
    }
    for text in ["", "1", "1h"] {
      let error = #expect(throws: (any Error).self) { _ = try TimeLimitOrZero(text: text) }
      #expect(error.map { "\($0)".contains("(units: ns, us, ms, s, min)") } == true)
    }
  }
}
