// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import Testing

/// The critical path as `<thread> <state> <start> <end> <depth> <link>`, ms. Checks that the steps tile the launch.
func pathSteps(_ timeline: LaunchTimeline) -> [String] {
  let steps = timeline.criticalPath.steps
  #expect(steps.first?.start == timeline.start && steps.last?.end == timeline.end)
  #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.end == $1.start })
  return steps.map { step in
    let name = timeline.trace.strings[timeline.trace.tracks[Int(step.track)].name]
    let (start, end) = (step.start - timeline.start, step.end - timeline.start)
    return "\(name) \(step.state.name) \(start / 1_000_000) \(end / 1_000_000) \(step.depth)"
      + (step.link.map { " " + $0.rawValue } ?? "")
  }
}
