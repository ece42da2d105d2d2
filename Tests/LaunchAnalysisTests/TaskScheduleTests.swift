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

  @Test func brokenGraphsEnd() throws {
    #expect(TaskSchedule([]) == nil)
    let circle = try #require(TaskSchedule([task("a", 0, 2, after: ["b"]), task("b", 0, 1, after: ["a", "gone"])]))
    #expect(circle.criticalPath.map(\.piece.name) == ["b", "a"])
  }
}
