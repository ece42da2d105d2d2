// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import launchprof

struct SimilarWordTests {
  @Test(arguments: [
    ("recrod", ["record"]), ("REPORT", ["report", "record"]), ("stat", ["static-init", "slow-static-init"]),
    ("static-slow", ["slow-static-init"]), ("init-foo", []), ("xyz", []), ("", []),
  ])
  func wordsThatResembleAnotherOneAreFound(word: String, similar: [String]) {
    let known = ["record", "report", "static-init", "slow-static-init"]
    #expect(SimilarWord.all(of: word, in: known) == similar)
  }

  @Test(arguments: [
    ("launches.jsonl", true), ("launches.jsonl.zst", true), ("launches.json", true), ("launches", true),
    ("a.csv", false),
    ("r.txt", false), ("page.HTML", false),
  ])
  func recordsAreNotNamedAfterOtherFormats(path: String, isFine: Bool) {
    #expect((RecordFileName.mistake(path, option: "-o") == nil) == isFine)
  }

  @Test func progressHasTheMinusSignOfReports() {
    #expect(ShownProgress.percent(-0.0123, ascii: false) == "−1.2")
    #expect(ShownProgress.percent(-0.0123, ascii: true) == "-1.2")
    #expect(ShownProgress.percent(0.05, ascii: false) == "+5.0")
  }

  @Test func aDefaultOfWholeSecondsHasNoDecimalPoint() {
    #expect(TimeLimit(nanoseconds: 300_000_000_000).defaultValueDescription == "300")
    #expect(TimeLimit(argument: "1500ms")?.seconds == "1.5")
  }
}
