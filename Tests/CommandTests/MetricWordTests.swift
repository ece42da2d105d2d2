// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import launchprof

struct MetricWordTests {
  @Test(arguments: [
    ("totl", "total"), ("CPU", "cpu"), ("phases", "phase"), ("minor-fault", "minor-faults"),
    ("phse/main", "phase/main"),
    ("intervals/GET /users", "interval/GET /users"), ("total", nil), ("open-database", nil), ("phase/man", nil),
    ("milestone/ready", "interval/milestone/ready"), ("milestone", nil),
  ])
  func whatWasMeantIsSuggested(word: String, meant: String?) { #expect(MetricWord.suggestion(for: word) == meant) }

  @Test(arguments: [
    ("", "expected a name"), ("phase/", "expected a name"),
  ])
  func aMistakeIsKnownWithoutLaunches(word: String, message: String) {
    #expect(MetricWord.mistake(in: word)?.contains(message) == true, "\(MetricWord.mistake(in: word) ?? "")")
  }

  // The last ones may be intervals, phases or libraries.
  @Test(arguments: [
    "total", "cpu", "phase", "resource", "library", "interval", "minor-faults", "phase/main", "phase/no-such",
    "library/libc.so.6", "interval/totl", "open-database", "GET /users", "GET /", "gpu", "Resources", "Library/x",
    "milestone", "milestone/x", "longest/x",
  ])
  func onlyLaunchesCanTell(word: String) { #expect(MetricWord.mistake(in: word) == nil) }
}
