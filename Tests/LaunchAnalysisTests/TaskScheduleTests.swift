// SPDX-License-Identifier: Apache-2.0

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
}
