// SPDX-License-Identifier: Apache-2.0

import LaunchProfiler
import LaunchTrace
import Testing

/// One at a time: the process has a limited number of extended tasks, and one of these tests uses all of them.
@Suite(.serialized) struct TaskTests {
  @Test func tasksAreLimitedAndSaySo() throws {
    let (_, recorded) = try Recording.record {
      func open(_ depth: Int) -> Int {
        let task = LaunchProfiler.extendLaunch(taskID: "limited \(depth)")
        let opened = (task.isRecorded ? 1 : 0) + (depth < 40 ? open(depth + 1) : 0)
        task.finish()
        return opened
      }
      #expect(open(0) == 16)
      let tooLong = LaunchProfiler.extendLaunch(taskID: String(repeating: "x", count: 129))
      #expect(!tooLong.isRecorded)
      let longest = LaunchProfiler.extendLaunch(taskID: String(repeating: "y", count: 128))
      #expect(longest.isRecorded)
      longest.finish()
    }
    let task = try recorded.slice(named: String(repeating: "y", count: 128))
    #expect(recorded.category(of: task) == "launchprof.task")
    #expect(recorded.track(of: task).kind == .async)
  }

  @Test func anExtendedTaskEndsWhenItsBodyThrows() async throws {
    struct Failure: Error {}
    let (_, recorded) = try await Recording.record {
      do {
        try await LaunchProfiler.withExtendedLaunchTask("failing task") { throw Failure() }
      } catch {}
    }
    #expect(recorded.trace.slices.duration[try recorded.slice(named: "failing task")] >= 0)
  }
}
