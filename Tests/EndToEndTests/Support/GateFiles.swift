// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

extension Launchprof {
  /// Records `count` launches of `command` into a folder.
  func recordSeries(_ folder: String, _ count: Int, _ command: [String]) throws {
    let run = try run(["record", "-q", "-n", "\(count)", "-o", folder + "/", "--"] + command)
    #expect(run.outcome == .exited(0), "\(run.errorText)")
  }

  /// Writes launch-budgets.yml.
  func configure(_ text: String) throws { try directory.write(text, to: "launch-budgets.yml") }
}
