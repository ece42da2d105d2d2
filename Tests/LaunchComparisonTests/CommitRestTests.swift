// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchAnalysis
import Testing

@testable import LaunchComparison

/// What a search says of a step that the named commit does not explain.
struct CommitRestTests {
  private func rest(_ share: StepShare, good: String = "a", parent: String = "b", bad: String = "d") -> [String] {
    CommitSearch.rest(share, of: "97.2 %", good: good, parent: parent, commit: "c", bad: bad)
  }

  @Test func aPartSaysWhereTheRestIsToBeSearched() {
    let start = "d differs from a by 97.2 %, so other commits have a part in it: search also "
    #expect(rest(.part) == [start + "from a to b, and from c to d"])
    #expect(rest(.part, parent: "a") == [start + "from c to d"])
    let before = start.replacing("d differs", with: "c differs")
    #expect(rest(.part, bad: "c") == [before + "from a to b"])
    // No commit is left that could have a part in it.
    #expect(rest(.part, parent: "a", bad: "c").isEmpty && rest(.more, parent: "a", bad: "c").isEmpty)
  }

  @Test func whatOthersMadeUpForIsSaid() {
    #expect(
      rest(.more) == [
        "d differs from a by 97.2 % only: other commits made up for it, in part or as a whole"
      ])
    #expect(rest(.all).isEmpty)
  }

  /// By steps of 25 of 97 %, of 61 of 60 %, and of 124 of 60 %.
  @Test func onlyWhatIsClearlyNotTheWholeStepCounts() {
    func share(_ lower: Double, _ upper: Double, of step: Double) -> StepShare {
      StepShare(lower: log(1 + lower), upper: log(1 + upper), of: log(1 + step))
    }
    #expect(share(0.179, 0.308, of: 0.972) == .part)
    #expect(share(0.55, 0.68, of: 0.602) == .all)
    #expect(share(0.1, 0.9, of: 0.602) == .all)
    #expect(share(1.1, 1.35, of: 0.602) == .more)
    #expect(share(0, .infinity, of: 0.5) == .all)
  }
}
