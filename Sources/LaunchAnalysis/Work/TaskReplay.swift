// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Runs a graph of tasks once more, in thought.
struct TaskReplay {
  private let tasks: [TaskSchedule.Task]
  private let ways: [Int64]
  /// By task: of how many names it waits for a task.
  private var missing: [Int]
  /// By name: the tasks that wait for it.
  private var waiting: [String: [Int]] = [:]
  private var isStarted: [Bool]
  /// Tasks that can start: the next one last.
  private var ready: [Int] = []
  /// Tasks that run: the next one to end last.
  private var running: [(end: Int64, task: Int)] = []

  /// - Parameters:
  ///   - tasks: by start.
  ///   - ways: how long it takes from the start of each task to the end of the last one that depends on it.
  init(_ tasks: [TaskSchedule.Task], ways: [Int64]) {
    (self.tasks, self.ways) = (tasks, ways)
    missing = [Int](repeating: 0, count: tasks.count)
    isStarted = [Bool](repeating: false, count: tasks.count)
    let names = Set(tasks.map(\.piece.name))
    for (task, facts) in tasks.enumerated() {
      for name in Set(facts.dependencies) where names.contains(name) {
        missing[task] += 1
        waiting[name, default: []].append(task)
      }
    }
    for task in tasks.indices where missing[task] == 0 { addReady(task) }
  }

  /// How long it takes, ns.
  mutating func run(on threads: Int) -> Int64 {
    var (now, first): (Int64, Int) = (0, 0)
    while true {
      while running.count < threads, let task = ready.popLast() {
        isStarted[task] = true
        let end = now + tasks[task].piece.duration
        running.insert((end, task), at: running.partitioningIndex { $0.end <= end })
      }
      if let next = running.last?.end {
        now = next
        while let done = running.last, done.end <= now { finish(running.removeLast().task) }
      } else {
        // Nothing would ever be ready: all have run, or those that are left are a circle.
        while first < tasks.count, isStarted[first] { first += 1 }
        if first == tasks.count { return now }
        ready = [first]
      }
    }
  }

  private mutating func finish(_ task: Int) {
    for next in waiting.removeValue(forKey: tasks[task].piece.name) ?? [] {
      missing[next] -= 1
      if missing[next] == 0, !isStarted[next] { addReady(next) }
    }
  }

  /// The longest way first; of equal ones, what began first.
  private mutating func addReady(_ task: Int) {
    let place = ready.partitioningIndex { (ways[$0], -$0) > (ways[task], -task) }
    ready.insert(task, at: place)
  }
}
