// SPDX-License-Identifier: Apache-2.0

import CTestSupport
import TestSupport
import Testing

/// Fails on a machine without perf events, because these tests must not silently pass there.
package func requirePerf() throws {
  guard ct_may_observe() else {
    throw ToolFailure("perf events with hardware breakpoints are not to be had here: see docs/platforms.md")
  }
}

/// Namespaces, which a container may forbid even to root.
package enum Namespaces {
  /// Skips a test where `unshare` with these options and a command of a shell fails. The output of the tests says so.
  package static func needed(_ options: [String], _ command: String = "true") -> ConditionTrait {
    .enabled("unshare \(options.joined(separator: " ")) is not allowed here") {
      try TestProcess.run("/usr/bin/unshare", options + ["/bin/sh", "-c", command]).succeeded
    }
  }
}
