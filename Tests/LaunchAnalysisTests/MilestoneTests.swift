// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

/// The milestones of a launch, one of which is its end.
struct MilestoneTests {
  private func timeline(_ launch: SampleLaunch) -> LaunchTimeline { LaunchTimeline(trace: launch.trace()) }

  @Test func theEndOfALaunch() {
    func end(_ marks: [(String, Int64)], exit: Int64? = nil) -> (String, Int64) {
      var launch = SampleLaunch(preinit: 100)
      launch.mark("main", at: 150)
      for (id, time) in marks { launch.mark(id, at: time) }
      if let exit { launch.launcher(exit: exit) }
      let timeline = timeline(launch)
      expectTiling(timeline)
      return (timeline.endMilestone, timeline.total)
    }
    #expect(end([("ready", 300), ("first-frame", 200), ("fully-drawn", 400)]) == ("first-frame", 200))
    #expect(end([("ready", 200), ("first-frame", 300)]) == ("ready", 200))
    #expect(end([("fully-drawn", 400)], exit: 900) == ("fully-drawn", 400))
    #expect(end([], exit: 900) == ("exit", 900))
    #expect(end([]) == ("last-event", 150))
  }

  /// The launcher looks for a socket from time to time.
  @Test func aMilestoneMayHaveBeenEarlier() throws {
    var launch = SampleLaunch()
    launch.recorder(preinit: 100)
    launch.mark("main", at: 200)
    launch.instant("ready", at: 600, category: "launchprof.mark", on: launch.process, [("error_ns", .uint(50))])
    let milestones = timeline(launch).milestones
    #expect(milestones.first { $0.id == "ready" }?.error == 50)
    #expect(milestones.first { $0.id == "main" }?.error == 0)
  }

  /// A launcher that had no processor for 350 ms saw a launch of 157 ms, and the report said "up to 350 ms late".
  @Test func noMilestoneIsBeforeTheStart() throws {
    var launch = SampleLaunch()
    launch.recorder(preinit: 100)
    launch.instant("ready", at: 600, category: "launchprof.mark", on: launch.process, [("error_ns", .uint(9000))])
    #expect(timeline(launch).milestones.first { $0.id == "ready" }?.error == 600)
  }

  /// To compare each with all others would take minutes.
  @Test func aLaunchMayReachManyMilestones() {
    var launch = SampleLaunch()
    for number in 0..<60_000 { launch.mark("step \(number)", at: Int64(number) * 100) }
    launch.mark("step 7", at: 6_500_000)
    launch.mark("ready", at: 7_000_000)
    let milestones = timeline(launch).milestones
    #expect(milestones.count { $0.id.hasPrefix("step ") } == 60_000)
    #expect(milestones.last?.id == "ready")
  }
}
