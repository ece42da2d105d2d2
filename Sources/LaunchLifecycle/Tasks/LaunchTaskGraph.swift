// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import CLaunchRecorder

/// The tasks of a launch, with the tasks that each one needs. The graph runs independent tasks at the same time, off
/// the main thread.
///
///     try LaunchTaskGraph([
///       LaunchTask("read configuration") { … },
///       LaunchTask("open database", after: ["read configuration"]) { … },
///       .onMainThread("make menus", after: ["read configuration"]) { … },
///     ]).run()
///
/// Each task is an interval on its thread. The report shows the critical path.
public struct LaunchTaskGraph: Sendable {
  let tasks: [LaunchTask]
  /// For each task: the indices of the tasks that need it, and the number of tasks that it needs.
  let dependents: [[Int]]
  let needs: [Int]

  /// - Throws: `LifecycleError`: `duplicateTask`, `unknownTask`, or `cyclicTasks` with the names of the circle.
  public init(_ tasks: [LaunchTask]) throws(LifecycleError) {
    var places: [String: Int] = [:]
    for (place, task) in tasks.enumerated() where places.updateValue(place, forKey: task.name.description) != nil {
      throw LifecycleError(.duplicateTask, "two launch tasks have the name \"\(task.name)\"; rename one")
    }
    var dependents = [[Int]](repeating: [], count: tasks.count)
    var needs = [Int](repeating: 0, count: tasks.count)
    for (place, task) in tasks.enumerated() {
      for name in Set(task.dependencies) {
        guard let dependency = places[name] else {
          throw LifecycleError(
            .unknownTask, "the launch task \"\(task.name)\" needs \"\(name)\", which is not in the graph; add it")
        }
        dependents[dependency].append(place)
        needs[place] += 1
      }
    }
    (self.tasks, self.dependents, self.needs) = (tasks, dependents, needs)
    try checkForCircles()
  }

  private func checkForCircles() throws(LifecycleError) {
    var needs = needs
    var ready = tasks.indices.filter { needs[$0] == 0 }
    var done = 0
    while let place = ready.popLast() {
      done += 1
      for dependent in dependents[place] {
        needs[dependent] -= 1
        if needs[dependent] == 0 { ready.append(dependent) }
      }
    }
    guard done < tasks.count else { return }
    var circle = Set(tasks.indices.filter { needs[$0] > 0 })
    // A task that needs the circle is not in it.
    while let outer = circle.first(where: { !dependents[$0].contains(where: circle.contains) }) { circle.remove(outer) }
    let names = circle.sorted().map { "\"\(tasks[$0].name)\"" }
    throw LifecycleError(
      .cyclicTasks, "these launch tasks need each other, so none can begin: \(names.joined(separator: ", "))")
  }

  /// Runs all tasks and returns when they are done.
  ///
  /// - Parameter workers: the number of threads besides the main thread; nil for as many as there are
  ///   processors that the process may use.
  /// - Throws: the first error that a task throws. Tasks that need that task do not run; the others do.
  @MainActor
  public func run(workers: Int? = nil) throws {
    let others = tasks.count { !$0.isForMainThread }
    let run = LaunchTaskRun(self)
    run.start(threads: min(others, max(1, workers ?? Int(lr_processors_usable()))))
    run.workOnMainThread()
    if let error = run.error { throw error }
  }
}
#endif
