import CTestSupport
import TestSupport

/// These tests are about perf events: on a machine that has none they must not pass in silence.
func requirePerf() throws {
  guard ct_may_observe() else {
    throw ToolFailure("perf events with hardware breakpoints are not to be had here: see docs/platforms.md")
  }
}
