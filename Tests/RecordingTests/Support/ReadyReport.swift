// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
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
  /// Expects that the program was ready `before` ns after the start or later, and `after` ns or more before the end. On a busy
  /// machine, the launcher may see late that it is ready; the report says how late that may be.
  func expectReady(rule: String, isDefault: Bool, before: Int, after: Int) throws {
    #expect(end == "ready")
    #expect(readyRule == rule)
    #expect(isReadyByDefault == isDefault)
    let (seen, exit) = (try #require(time("ready")), try #require(time("exit")))
    let error = milestone("ready")?["error"] as? Int ?? 0
    #expect(seen >= before && exit - (seen - error) >= after, "\(seen), up to \(error) late, \(exit)")
    #expect(milestone("ready")?["source"] as? String == "launcher")
  }
}
