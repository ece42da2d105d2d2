// SPDX-License-Identifier: Apache-2.0

import CTestSupport
import TestSupport

/// Fails on a machine without perf events, because these tests must not silently pass there.
func requirePerf() throws {
  guard ct_may_observe() else {
    throw ToolFailure("perf events with hardware breakpoints are not to be had here: see docs/platforms.md")
  }
}
