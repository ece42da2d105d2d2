// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

extension Trace {
  /// The recorder in a program counts all time before it as `load`. If the observer knows better, this cuts that phase
  /// to the time from the loader's first instruction to the last library mapped. What came before in it is of the program
  /// that executed this one.
  func withNarrowedLoading(_ points: LaunchPoints, mainThread: TrackID?) -> Trace {
    guard let start = points.load.loaderStarted?.time, let preinit = points.preinit, let mainThread,
      let name = strings.id(of: PhaseName.load)?.rawValue, let phase = strings.id(of: CategoryName.phase)?.rawValue
    else { return self }
    let end = points.load.libraries.last?.time ?? preinit
    let loading = (0..<slices.count).first { row in
      slices.name[row] == name && slices.category[row] == phase && slices.track[row] == mainThread.rawValue
        && slices.start[row] <= start && start <= end && end <= slices.start[row] + slices.duration[row]
    }
    guard let loading, !hasSlice(inside: loading, across: start) else { return self }
    var narrowed = self
    narrowed.slices.narrow(loading, to: start..<end)
    return narrowed
  }

  /// The recorder's launch screen begins with the time stamp of the process. If the launcher stopped the program to observe
  /// it, the launch begins later, by the length of that stop.
  func withLaunchScreenSinceStart(_ points: LaunchPoints) -> Trace {
    guard let screen = strings.id(of: CategoryName.screen)?.rawValue else { return self }
    let early = (0..<slices.count).prefix { slices.start[$0] < points.start }
    guard let row = early.first(where: { slices.category[$0] == screen }),
      slices.duration[row] < 0 || slices.start[row] + slices.duration[row] >= points.start
    else { return self }
    var changed = self
    changed.slices.begin(row, at: points.start)
    return changed
  }

  private func hasSlice(inside outer: SliceIndex, across time: Int64) -> Bool {
    (outer + 1..<slices.count).prefix { slices.start[$0] < time }.contains { row in
      slices.parent[row] == Int32(outer) && time < slices.start[row] + slices.duration[row]
    }
  }
}
