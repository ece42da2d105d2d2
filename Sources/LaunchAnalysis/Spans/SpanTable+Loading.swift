// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

extension SpanTable {
  /// The recorder in a program counts all time before it as `load`. If the observer knows better, this cuts that span
  /// to the time from the loader's first instruction to the last library mapped. A span stays as it is if another one
  /// begins in the part that would go, because rows are in the order of their starts.
  mutating func narrowLoading(_ trace: Trace, _ points: LaunchPoints) {
    guard let start = points.load.loaderStarted?.time, let preinit = points.preinit,
      let name = trace.strings.id(of: PhaseName.load)?.rawValue
    else { return }
    let end = points.load.libraries.last?.time ?? preinit
    let loading = (0..<count).first { row in
      flags[row].isSuperset(of: [.phase, .mainThread]) && trace.slices.name[row] == name
        && self.start[row] <= start && start <= end && end <= self.end(row)
        && (row + 1 == count || start <= self.start[row + 1])
    }
    guard let row = loading else { return }
    let before = self.end(row)
    self.start[row] = start
    duration[row] = end - start
    release(behind: row, before: before)
  }

  /// Slices after the span's new end, the relocations of each library, belong to the phase that comes there.
  private mutating func release(behind row: SliceIndex, before oldEnd: Int64) {
    for inner in row + 1..<count {
      if start[inner] > oldEnd { return }
      if parent[inner] == row, start[inner] >= end(row) { parent[inner] = parent[row] }
    }
  }
}
