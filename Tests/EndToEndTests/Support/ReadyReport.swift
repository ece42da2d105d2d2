// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

extension Launchprof {
  /// Records `command`, and returns the report of its trace.
  func reported(
    _ command: [String], options: [String] = [], adding: [String: String] = [:]
  ) throws -> (run: TestProcess, report: JSONReport) {
    let (run, trace) = try record(command, options: options, adding: adding)
    return (run, try JSONReport(self, trace))
  }
}

extension JSONReport {
  /// Expects that the program was ready `before` ns after the start or later, and `after` ns or more before the end.
  func expectReady(rule: String, isDefault: Bool, before: Int, after: Int) throws {
    #expect(end == "ready")
    #expect(readyRule == rule)
    #expect(isReadyByDefault == isDefault)
    let (ready, exit) = (try #require(time("ready")), try #require(time("exit")))
    #expect(ready >= before && exit - ready >= after, "\(ready) \(exit)")
    #expect(milestone("ready")?["source"] as? String == "launcher")
  }
}
