// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchTrace

/// A piece of work by its name and time.
package struct WorkPiece: Sendable, Equatable {
  package var name: String
  /// Nanoseconds on the trace's clock.
  package var start: Int64
  /// ns.
  package var duration: Int64
  /// Whether the trace does not have its end.
  package var isOpen = false
}

extension LaunchTimeline {
  /// Work that the program deferred until after the first frame (`LaunchProfiler.afterFirstFrame`), by start.
  package var deferredWork: [WorkPiece] { pieces(CategoryName.deferred) }

  /// Extended launch tasks (`LaunchProfiler.extendLaunch`), by start. They may begin or end after the launch.
  package var extendedTasks: [WorkPiece] { pieces(CategoryName.extendedTask) }

  private func pieces(_ category: String) -> [WorkPiece] {
    ownSlices(of: category).map(piece).sorted { $0.start < $1.start }
  }

  /// Those of the launched process. Another launch in the file has its own.
  func ownSlices(of category: String) -> [SliceIndex] {
    trace.slices(of: category).filter { trace.isTrack(spans.track[$0], of: processID) }
  }

  /// Intervals that could run after the first frame, the longest first. They are intervals of the main thread,
  /// directly inside the callbacks in which programs set things up, that take at least 1 ms and 2 % of the launch.
  /// Work that creates the interface is not among them, because it has its own phases. Empty for a program without
  /// such callbacks.
  package var deferrableWork: [WorkPiece] {
    let callbacks = [LS_PHASE_WILL_FINISH_LAUNCHING, LS_PHASE_DID_FINISH_LAUNCHING, LS_PHASE_SCENE_CONNECT]
      .compactMap { trace.strings.id(of: $0)?.rawValue }
    let hasHost = trace.strings.id(of: LS_PHASE_CREATE_APPLICATION) != nil || !deferredWork.isEmpty
    guard hasHost, endMilestone == MilestoneName.firstFrame else { return [] }
    let least = max(1_000_000, total / 50)
    let tasks = [LS_CATEGORY_LAUNCH_TASK, LS_CATEGORY_LAUNCH_TASK_WAIT].compactMap {
      trace.strings.id(of: $0)?.rawValue
    }
    var pieces: [WorkPiece] = []
    for row in 0..<spans.count where spans.duration[row] >= least {
      let flags = spans.flags[row]
      let outer = Int(spans.parent[row])
      // What tasks do and wait for is already planned.
      if tasks.contains(trace.slices.category[row]) { continue }
      guard flags.contains(.mainThread), flags.isDisjoint(with: [.phase, .initializer]), outer >= 0,
        spans.flags[outer].contains(.phase), callbacks.contains(trace.slices.name[outer])
      else { continue }
      var piece = piece(row)
      piece.duration = Int64(part(row).count)
      if piece.duration >= least { pieces.append(piece) }
    }
    return pieces.sorted { ($1.duration, $0.start) < ($0.duration, $1.start) }
  }

  /// The work of a slice, without what came before the launch.
  func piece(_ row: SliceIndex) -> WorkPiece {
    let begin = max(spans.start[row], start)
    return WorkPiece(
      name: trace.name(ofSlice: row), start: begin, duration: max(0, spans.end(row) - begin),
      isOpen: spans.flags[row].contains(.unfinished))
  }
}
