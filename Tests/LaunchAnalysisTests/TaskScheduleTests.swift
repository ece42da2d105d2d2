// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import TestSupport
import Testing

@testable import LaunchAnalysis

struct TaskScheduleTests {
  private func task(_ name: String, _ start: Int64, _ end: Int64, after: [String] = []) -> TaskSchedule.Task {
    TaskSchedule.Task(
      piece: WorkPiece(name: name, start: start, duration: end - start), dependencies: after, isOnMainThread: false)
  }

  @Test func theCriticalPathIsTheChainThatEndsLast() throws {
    let schedule = try #require(
      TaskSchedule([
        task("e", 45, 90, after: ["c", "d"]), task("a", 0, 10), task("b", 0, 30), task("c", 10, 25, after: ["a"]),
        task("d", 30, 40, after: ["b", "a"]), task("f", 40, 60, after: ["d"]),
      ]))
    #expect(schedule.criticalPath.map(\.piece.name) == ["b", "d", "e"])
    #expect(schedule.tasks.map(\.piece.name) == ["a", "b", "c", "d", "f", "e"])
    #expect(schedule.work == 10 + 30 + 15 + 10 + 20 + 45)
    #expect(schedule.wall == 90)
    #expect(schedule.critical == 85)
  }

  /// Of the same graph: one thread does the work in a row, two wait for the critical path only.
  @Test func theGraphIsReplayedOnThreads() throws {
    let schedule = try #require(
      TaskSchedule([
        task("a", 0, 10), task("b", 10, 40), task("c", 40, 55, after: ["a"]), task("d", 55, 65, after: ["b"]),
        task("e", 65, 110, after: ["c", "d"]),
      ]))
    #expect(schedule.wall == 110 && schedule.replayed(on: 1) == 110)
    #expect(schedule.replayed(on: 2) == 85 && schedule.replayed(on: 8) == 85)
    let wide = try #require(TaskSchedule((0..<6).map { task("t\($0)", Int64($0) * 10, Int64($0) * 10 + 10) }))
    #expect([1, 2, 3, 4, 6].map(wide.replayed) == [60, 30, 20, 20, 10])
  }

  @Test func brokenGraphsEnd() throws {
    #expect(TaskSchedule([]) == nil)
    let circle = try #require(TaskSchedule([task("a", 0, 2, after: ["b"]), task("b", 0, 1, after: ["a", "gone"])]))
    #expect(circle.criticalPath.map(\.piece.name) == ["b", "a"])
    #expect(circle.replayed(on: 2) == 3)
  }

  /// What the replay does, step by step, and slowly.
  private func simulated(_ schedule: TaskSchedule, on threads: Int) -> Int64 {
    func way(_ name: String) -> Int64 {
      let behind = schedule.tasks.filter { $0.dependencies.contains(name) }.map { way($0.piece.name) }.max() ?? 0
      return behind + (schedule.tasks.first { $0.piece.name == name }?.piece.duration ?? 0)
    }
    var (waiting, ended, running) = (schedule.tasks, Set<String>(), [(end: Int64, name: String)]())
    var now: Int64 = 0
    while !waiting.isEmpty || !running.isEmpty {
      let ready = waiting.filter { ended.isSuperset(of: $0.dependencies) }
        .sorted { (way($1.piece.name), $0.piece.start) < (way($0.piece.name), $1.piece.start) }
        .prefix(threads - running.count)
      running += ready.map { (now + $0.piece.duration, $0.piece.name) }
      waiting.removeAll { task in ready.contains { $0.piece.name == task.piece.name } }
      now = running.map(\.end).min() ?? now
      ended.formUnion(running.filter { $0.end <= now }.map(\.name))
      running.removeAll { $0.end <= now }
    }
    return now
  }

  @Test func anyGraphIsReplayedAsItWouldRun() throws {
    var random = SeededGenerator(seed: 6)
    for _ in 0..<200 {
      let count = Int.random(in: 1...9, using: &random)
      let tasks = (0..<count).map { place in
        task(
          "t\(place)", Int64(place), Int64(place) + .random(in: 0...20, using: &random),
          after: (0..<place).filter { _ in Int.random(in: 0..<4, using: &random) == 0 }.map { "t\($0)" })
      }
      let schedule = try #require(TaskSchedule(tasks))
      for threads in 1...4 { #expect(schedule.replayed(on: threads) == simulated(schedule, on: threads), "\(tasks)") }
    }
  }

  /// A file may have any number of tasks: to look at all that wait whenever one ends would take hours.
  @Test func largeGraphsAreReplayed() throws {
    let many = 100_000
    let equal = try #require(TaskSchedule((0..<many).map { task("t\($0)", Int64($0), Int64($0) + 1) }))
    #expect(equal.replayed(on: 2) == Int64(many) / 2)
    let count = 20_000
    let wide = try #require(TaskSchedule((0..<count).map { task("t\($0)", Int64($0), Int64($0) + 10) }))
    #expect(wide.replayed(on: 4) == Int64(count) * 10 / 4)
    let chain = (0..<count).map { task("t\($0)", Int64($0), Int64($0) + 1, after: $0 > 0 ? ["t\($0 - 1)"] : []) }
    #expect(try #require(TaskSchedule(chain)).replayed(on: 4) == Int64(count))
  }

  /// A file has the list once, and every task may name it.
  @Test func theDependenciesOfAllTasksAreLimited() throws {
    let names = (0..<2000).map { "name \($0)" }.joined(separator: "\n")
    var launch = SampleLaunch()
    for task in 0..<1000 as Range<Int64> {
      launch.interval(
        "task \(task)", from: task * 1000, to: task * 1000 + 500, category: "launchprof.launch-task",
        [("message", .string(names))])
    }
    let schedule = try #require(LaunchTimeline(trace: launch.trace()).taskSchedule)
    let dependencies = schedule.tasks.reduce(0) { $0 + $1.dependencies.count }
    #expect(schedule.tasks.count == 1000 && dependencies >= 1 << 20 && dependencies < 1 << 20 + 2000)
  }
}
