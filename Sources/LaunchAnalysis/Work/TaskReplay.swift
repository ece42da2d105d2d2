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
  /// Tasks that can start, as a heap: the next one first.
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
      while running.count < threads, let task = nextReady() {
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

  // MARK: The heap

  /// The longest way first; of equal ones, what began first.
  private func isFirst(_ task: Int, of other: Int) -> Bool { (ways[task], other) > (ways[other], task) }

  private mutating func addReady(_ task: Int) {
    var place = ready.count
    ready.append(task)
    while place > 0, isFirst(task, of: ready[(place - 1) / 2]) {
      ready.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  private mutating func nextReady() -> Int? {
    guard let first = ready.first, let last = ready.popLast() else { return nil }
    if ready.isEmpty { return first }
    ready[0] = last
    var place = 0
    while true {
      var inner = 2 * place + 1
      if inner + 1 < ready.count, isFirst(ready[inner + 1], of: ready[inner]) { inner += 1 }
      guard inner < ready.count, isFirst(ready[inner], of: last) else { return first }
      ready.swapAt(place, inner)
      place = inner
    }
  }
}
