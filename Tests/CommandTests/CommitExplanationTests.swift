// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchAnalysis
@testable import launchprof

/// What `bisect` says about the commit that it found.
struct CommitExplanationTests {
  /// The saving is that of the program with the commit, as `what-if` says it.
  @Test func aSavingIsNotItsGrowth() {
    var saving = Saving(.staticExecutable, share: 0.6, error: 0.1)
    saving.time = 612_300
    #expect(
      CommitExplanation.text(saving, more: 120_000)
        == "what-if: link everything statically would save 0.61 ms, 0.12 ms more than before (static-executable)")
    #expect(
      CommitExplanation.text(saving, more: 612_300)
        == "what-if: link everything statically would save 0.61 ms (static-executable)")
  }
}
