// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
package import LaunchTrace

/// How the tasks of a `LaunchTaskGraph` ran.
package struct TaskSchedule: Sendable, Equatable {
  package struct Task: Sendable, Equatable {
    package var piece: WorkPiece
    /// Names of the tasks that it depends on.
    package var dependencies: [String]
    package var isOnMainThread: Bool
    /// Its slice in the trace; nil if it has none.
    package var slice: SliceIndex? = nil
    package var end: Int64 { piece.start + piece.duration }
  }

  /// By start.
  package var tasks: [Task]
  /// The chain of tasks that decided when the last one ended, first to last. Each waited for the preceding one.
  package var criticalPath: [Task]

  /// Sum of the tasks' times, ns, and the time from the first one's start to the last one's end.
  package var work: Int64 { tasks.reduce(0) { $0 + $1.piece.duration } }
  package var wall: Int64 { (tasks.map(\.end).max() ?? 0) - (tasks.first?.piece.start ?? 0) }
  /// Sum of the critical path's times. In the rest of `wall`, these tasks waited for a thread.
  package var critical: Int64 { criticalPath.reduce(0) { $0 + $1.piece.duration } }

  /// How long the graph would take on this number of threads, if each has a processor, ns. The next task is
  /// always the one with the longest way to the end, among those whose dependencies have ended. Tasks keep their times.
  package func replayed(on threads: Int) -> Int64 {
    // The way from a task to the end, and the longest way of those that depend on it.
    var (ways, behind): ([String: Int64], [String: Int64]) = ([:], [:])
    // From the last one on: dependencies began before. Those that a broken trace has elsewhere are left out.
    for task in tasks.reversed() {
      let way = task.piece.duration + (behind[task.piece.name] ?? 0)
      ways[task.piece.name] = way
      for name in task.dependencies { behind[name] = max(behind[name] ?? 0, way) }
    }
    var replay = TaskReplay(tasks, ways: tasks.map { ways[$0.piece.name] ?? 0 })
    return replay.run(on: max(1, threads))
  }

  init?(_ tasks: [Task]) {
    guard !tasks.isEmpty else { return nil }
    self.tasks = tasks.sorted { ($0.piece.start, $0.piece.name) < ($1.piece.start, $1.piece.name) }
    let byName = Dictionary(tasks.map { ($0.piece.name, $0) }) { first, _ in first }
    var path: [Task] = []
    var seen: Set<String> = []
    var last = tasks.max { $0.end < $1.end }
    // A damaged trace may have cycles.
    while let task = last, seen.insert(task.piece.name).inserted {
      path.append(task)
      last = task.dependencies.compactMap { byName[$0] }.max { $0.end < $1.end }
    }
    criticalPath = path.reversed()
  }
}

extension LaunchTimeline {
  /// The most dependencies of all tasks together. The tasks of a file may share one long list, so it may have many times as
  /// many as it has bytes.
  private static let mostDependencies = 1 << 20

  /// nil for a program without a task graph.
  package var taskSchedule: TaskSchedule? {
    var room = Self.mostDependencies
    return TaskSchedule(
      ownSlices(of: CategoryName.launchTask).map { row in
        let message = trace.annotations(ofSlice: row).string(LS_KEY_MESSAGE) ?? ""
        let dependencies = room > 0 ? message.split(separator: "\n").map(String.init) : []
        room -= dependencies.count
        return TaskSchedule.Task(
          piece: piece(row), dependencies: dependencies, isOnMainThread: spans.flags[row].contains(.mainThread),
          slice: row)
      })
  }
}
