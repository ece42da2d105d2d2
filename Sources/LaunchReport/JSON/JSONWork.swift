// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// Deferred and deferrable work, and the schedule of the launch's tasks. See docs/json.md.
struct JSONWork {
  private let timeline: LaunchTimeline

  init(_ timeline: LaunchTimeline) { self.timeline = timeline }

  func write(to json: inout JSONWriter) {
    write("deferred", timeline.deferredWork, to: &json)
    write("deferrable", timeline.deferrableWork, to: &json)
    guard let schedule = timeline.taskSchedule else { return }
    json.object("launchTasks") { json in
      json.value("work", schedule.work)
      json.value("wall", schedule.wall)
      json.array("criticalPath") { json in
        for task in schedule.criticalPath { json.value(nil, task.piece.name) }
      }
      json.array("tasks") { json in
        for task in schedule.tasks {
          json.object { json in
            write(task.piece, to: &json)
            json.value("mainThread", task.isOnMainThread)
            json.array("after") { json in
              for name in task.dependencies { json.value(nil, name) }
            }
          }
        }
      }
    }
  }

  private func write(_ key: String, _ pieces: [WorkPiece], to json: inout JSONWriter) {
    guard !pieces.isEmpty else { return }
    json.array(key) { json in
      for piece in pieces { json.object { write(piece, to: &$0) } }
    }
  }

  private func write(_ piece: WorkPiece, to json: inout JSONWriter) {
    json.value("name", piece.name)
    json.value("start", piece.start - timeline.start)
    json.value("duration", piece.duration)
  }
}
