// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import Testing

/// Checks that phases tile the launch without a gap, and that children are inside their phase.
func expectTiling(_ timeline: LaunchTimeline, sourceLocation: SourceLocation = #_sourceLocation) {
  var time = timeline.start
  for phase in timeline.phases {
    #expect(phase.start == time, "\(phase.id) leaves a gap", sourceLocation: sourceLocation)
    #expect(phase.end >= phase.start, sourceLocation: sourceLocation)
    expectInside(phase, sourceLocation: sourceLocation)
    time = phase.end
    if phase.id == "extended", phase.start == timeline.end { break }
  }
  let launch = timeline.phases.filter { $0.start < timeline.end }.reduce(0) { $0 + $1.duration }
  #expect(launch == timeline.total, sourceLocation: sourceLocation)
}

private func expectInside(_ phase: Phase, sourceLocation: SourceLocation) {
  for child in phase.children {
    #expect(child.start >= phase.start && child.end <= phase.end && child.duration >= 0, sourceLocation: sourceLocation)
    expectInside(child, sourceLocation: sourceLocation)
  }
}
