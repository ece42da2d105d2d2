// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// Deferred and deferrable work, and the schedule of the launch's tasks. See docs/json.md.
struct JSONWork {
  let timeline: LaunchTimeline

  func write(to json: inout JSONWriter) {
    write("deferred", timeline.deferredWork, to: &json)
    write("deferrable", timeline.deferrableWork, to: &json)
    write("extendedTasks", timeline.extendedTasks, to: &json)
    guard let schedule = timeline.taskSchedule else { return }
    json.object("launchTasks") { json in
      json.value("work", schedule.work)
      json.value("wall", schedule.wall)
      json.texts("criticalPath", schedule.criticalPath.map(\.piece.name))
      json.objects("tasks", schedule.tasks) { json, task in
        write(task.piece, to: &json)
        json.value("mainThread", task.isOnMainThread)
        json.texts("after", task.dependencies)
      }
    }
  }

  private func write(_ key: String, _ pieces: [WorkPiece], to json: inout JSONWriter) {
    guard !pieces.isEmpty else { return }
    json.objects(key, pieces) { write($1, to: &$0) }
  }

  private func write(_ piece: WorkPiece, to json: inout JSONWriter) {
    json.values(["name": piece.name, "start": piece.start - timeline.start, "duration": piece.duration])
  }
}
