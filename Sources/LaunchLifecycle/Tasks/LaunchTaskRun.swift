// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import CLaunchSchema
internal import LaunchPlatform
internal import LaunchProfiler

/// One run of a graph. One lock protects the list of ready tasks and the number of tasks that are left.
final class LaunchTaskRun: @unchecked Sendable {
  private static let signposter = LaunchSignposter(subsystem: "", category: LS_CATEGORY_LAUNCH_TASK)
  private static let waits = LaunchSignposter(subsystem: "", category: LS_CATEGORY_LAUNCH_TASK_WAIT)

  private let graph: LaunchTaskGraph
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var threads: [pthread_t] = []

  // Protected by the lock.
  private var needs: [Int]
  private var ready: [Int]
  private var left: Int
  private var skipped: Set<Int> = []
  private var firstError: (any Error)?

  init(_ graph: LaunchTaskGraph) {
    self.graph = graph
    needs = graph.needs
    ready = graph.tasks.indices.filter { graph.needs[$0] == 0 }
    left = graph.tasks.count
    lock.initialize(to: pthread_mutex_t())
    changed.initialize(to: pthread_cond_t())
    pthread_mutex_init(lock, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(lock)
    changed.deallocate()
    lock.deallocate()
  }

  var error: (any Error)? { locked { firstError } }

  /// Starts the threads. Starts fewer, or none, if the system refuses.
  func start(threads count: Int) {
    for _ in 0..<count {
      var thread = pthread_t()
      let context = Unmanaged.passRetained(self).toOpaque()
      let status = pthread_create(&thread, nil, taskThread, context)
      guard status == 0 else {
        Unmanaged<LaunchTaskRun>.fromOpaque(context).release()
        return
      }
      threads.append(thread)
    }
  }

  /// Runs the tasks of the main thread, and waits for the other tasks. Without threads, it runs those as well.
  @MainActor
  func workOnMainThread() {
    let takesAll = threads.isEmpty
    while true {
      if let place = take(where: { takesAll || $0.isForMainThread }) {
        perform(place)
      } else if locked({ left == 0 }) {
        break
      } else {
        Self.waits.withIntervalSignpost("wait for launch tasks") { wait { $0.isForMainThread } }
      }
    }
    for thread in threads { pthread_join(thread, nil) }
  }

  fileprivate func work() {
    while true {
      if let place = take(where: { !$0.isForMainThread }) {
        perform(place)
      } else if locked({ left == 0 }) {
        return
      } else {
        wait { !$0.isForMainThread }
      }
    }
  }

  // MARK: One task

  private func take(where fits: (LaunchTask) -> Bool) -> Int? {
    locked {
      guard let index = ready.firstIndex(where: { fits(graph.tasks[$0]) }) else { return nil }
      return ready.remove(at: index)
    }
  }

  private func perform(_ place: Int) {
    let task = graph.tasks[place]
    guard !locked({ skipped.contains(place) }) else { return finish(place, nil) }
    do {
      try Self.signposter.withIntervalSignpost(
        task.name, task.dependencies.joined(separator: "\n"), around: task.work)
      finish(place, nil)
    } catch {
      finish(place, error)
    }
  }

  private func finish(_ place: Int, _ error: (any Error)?) {
    locked {
      left -= 1
      firstError = firstError ?? error
      let isMissing = error != nil || skipped.contains(place)
      for dependent in graph.dependents[place] {
        if isMissing { skipped.insert(dependent) }
        needs[dependent] -= 1
        if needs[dependent] == 0 { ready.append(dependent) }
      }
      pthread_cond_broadcast(changed)
    }
  }

  // MARK: The lock

  private func locked<T>(_ body: () -> T) -> T {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body()
  }

  /// Waits until a suitable task is ready, or all are done.
  private func wait(where fits: (LaunchTask) -> Bool) {
    locked {
      while left > 0, !ready.contains(where: { fits(graph.tasks[$0]) }) { pthread_cond_wait(changed, lock) }
    }
  }
}

private func taskThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<LaunchTaskRun>.fromOpaque(context).takeRetainedValue().work()
  return nil
}
#endif
