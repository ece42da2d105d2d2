// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization
import Testing

@testable import LaunchLifecycle

@MainActor
struct LaunchTaskTests {
  private struct Failure: Error {}

  /// Records the order in which tasks began and ended.
  private final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
  }

  private func task(_ name: StaticString, _ log: Log, after: [String] = []) -> LaunchTask {
    LaunchTask(name, after: after) {
      log.add("begin \(name)")
      usleep(2_000)
      log.add("end \(name)")
    }
  }

  @Test(arguments: [1, 2, 4, nil] as [Int?]) func dependenciesComeFirst(workers: Int?) throws {
    let log = Log()
    let names: [(StaticString, [String])] = [
      ("d", ["b", "c"]), ("b", ["a"]), ("c", ["a"]), ("a", []), ("e", ["d", "d"]), ("f", []),
    ]
    try LaunchTaskGraph(names.map { task($0.0, log, after: $0.1) }).run(workers: workers)
    let order = log.all
    #expect(order.count == 12)
    for (name, dependencies) in names {
      for dependency in dependencies {
        let end = try #require(order.firstIndex(of: "end \(dependency)"))
        let begin = try #require(order.firstIndex(of: "begin \(name)"))
        #expect(end < begin, "\(order)")
      }
    }
  }

  /// Two tasks that each wait for the other to begin can only end if they run at once.
  @Test func whatCanRunsAtTheSameTime() throws {
    let log = Log()
    let meet: @Sendable () -> Void = {
      log.add("here")
      while log.all.count < 2 { sched_yield() }
    }
    try LaunchTaskGraph([LaunchTask("a", meet), LaunchTask("b", meet)]).run(workers: 2)
    #expect(log.all.count == 2)
  }

  @Test func mainThreadTasksRunThere() throws {
    let main = pthread_self()
    let log = Log()
    func place() -> @Sendable () -> Void {
      { log.add(pthread_equal(pthread_self(), main) == 0 ? "elsewhere" : "main") }
    }
    let (first, second) = (place(), place())
    try LaunchTaskGraph([LaunchTask("work", first), .onMainThread("show", after: ["work"]) { second() }]).run()
    #expect(log.all == ["elsewhere", "main"])
  }

  @Test func whatNeedsAFailedTaskIsLeftOutAndTheRestRuns() throws {
    let log = Log()
    let graph = try LaunchTaskGraph([
      LaunchTask("bad") { throw Failure() }, task("needs bad", log, after: ["bad"]),
      task("needs it too", log, after: ["needs bad"]), task("good", log),
    ])
    #expect(throws: Failure.self) { try graph.run() }
    #expect(log.all == ["begin good", "end good"])
  }

  @Test func badGraphsSayWhy() {
    func code(_ tasks: [LaunchTask]) -> (LifecycleError.Code?, String) {
      do throws(LifecycleError) {
        _ = try LaunchTaskGraph(tasks)
        return (nil, "")
      } catch { return (error.code, error.description) }
    }
    #expect(code([LaunchTask("a") {}, LaunchTask("a") {}]).0 == .duplicateTask)
    #expect(code([LaunchTask("a", after: ["b"]) {}]).0 == .unknownTask)
    #expect(code([LaunchTask("a", after: ["a"]) {}]).0 == .cyclicTasks)
    let circle = code([
      LaunchTask("a", after: ["b"]) {}, LaunchTask("b", after: ["a"]) {}, LaunchTask("c") {},
      LaunchTask("d", after: ["a"]) {}, LaunchTask("e", after: ["d"]) {},
    ])
    #expect(circle.0 == .cyclicTasks)
    #expect(circle.1.contains("\"a\", \"b\"") && !["\"c\"", "\"d\"", "\"e\""].contains { circle.1.contains($0) })
  }

  @Test func anEmptyGraphIsDone() throws { try LaunchTaskGraph([]).run() }

  @Test func manyRunsEnd() throws {
    let log = Log()
    let work: @Sendable () -> Void = { log.add("") }
    let graph = try LaunchTaskGraph([LaunchTask("a", work), LaunchTask("b", after: ["a"], work)])
    for _ in 0..<500 { try graph.run(workers: 2) }
    #expect(log.all.count == 1_000)
  }
}
