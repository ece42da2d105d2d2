// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchTrace

/// The time in which the main thread waits for tasks of a launch task graph.
extension Findings {
  /// Those over their budget, in order.
  static func waitsForTasks(_ timeline: LaunchTimeline) -> [Range<Int64>] {
    let spans = timeline.spans
    let waits = timeline.trace.slices(of: LS_CATEGORY_LAUNCH_TASK_WAIT).filter {
      spans.flags[$0].isSuperset(of: [.mainThread, .overBudget])
    }
    return Time.union(waits.map { spans.start[$0]..<max(spans.start[$0], spans.end($0)) })
  }

  /// Whether most of a wait is for launch tasks. The finding about their budget is about this wait, too, and names the task.
  func isForTasks(_ wait: Wait) -> Bool {
    let place = waitsForTasks.partitioningIndex { $0.upperBound > wait.start }
    guard place < waitsForTasks.count else { return false }
    let tasks = waitsForTasks[place]
    return min(wait.end, tasks.upperBound) - max(wait.start, tasks.lowerBound) > (wait.end - wait.start) / 2
  }

  /// Advice for such an interval. Nil for other intervals.
  func adviceForTasks(_ wait: SliceIndex, namesTask: Bool) -> String? {
    let (trace, spans) = (timeline.trace, timeline.spans)
    guard trace.strings[StringID(rawValue: trace.slices.category[wait])] == LS_CATEGORY_LAUNCH_TASK_WAIT else {
      return nil
    }
    func shared(_ task: SliceIndex) -> Int64 {
      min(spans.end(task), spans.end(wait)) - max(spans.start[task], spans.start[wait])
    }
    let tasks = namesTask ? trace.slices(of: CategoryName.launchTask) : []
    let longest = tasks.max { shared($0) < shared($1) }.flatMap { shared($0) > 0 ? trace.name(ofSlice: $0) : nil }
    let advice = "Make \(longest ?? "the task that runs meanwhile") shorter, or let fewer tasks need it."
    return "The main thread waits, because no task is ready that it may run. \(advice)"
  }
}
