// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import launchprof

struct MetricWordTests {
  @Test(arguments: [
    ("totl", "did you mean total?"), ("CPU", "did you mean cpu?"), ("phases", "did you mean phase?"),
    ("minor-fault", "did you mean minor-faults?"), ("phse/main", "did you mean phase/main?"),
    ("intervals/GET /users", "did you mean interval/GET /users?"), ("", "expected a name"),
    ("phase/", "expected a name"),
    ("milestone/ready", "no such metrics"), ("longest/x", "no such metrics"),
  ])
  func aMistakeIsKnownWithoutLaunches(word: String, message: String) {
    #expect(MetricWord.mistake(in: word)?.contains(message) == true, "\(MetricWord.mistake(in: word) ?? "")")
  }

  // The last ones may be intervals.
  @Test(arguments: [
    "total", "cpu", "phase", "resource", "library", "interval", "minor-faults", "phase/main", "phase/no-such",
    "library/libc.so.6", "interval/totl", "open-database", "GET /users", "GET /",
  ])
  func onlyLaunchesCanTell(word: String) { #expect(MetricWord.mistake(in: word) == nil) }
}
