// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema

/// Locks that pass from thread to thread.
extension WaitEvidence {
  /// A wait for a lock in parts: one for each owner. A wait for many owners who held it briefly has one part: the whole may be
  /// a finding, and no part would be.
  ///
  /// - Parameter pause: where the thread's pause starts.
  func parts(of wait: Wait, in pause: Int64) -> [Wait] {
    let owners = owners(from: wait.start, to: wait.end, in: pause)
    guard owners.count > 1 else { return [wait] }
    let starts = [wait.start] + owners.dropFirst().map { min(max($0.time, wait.start), wait.end) }
    let parts = zip(owners, zip(starts, starts.dropFirst() + [wait.end])).map { owner, times in
      var part = wait
      (part.start, part.end, part.culprit) = (times.0, times.1, owner.track)
      return part
    }
    let filled = parts.filter { $0.start < $0.end }
    return filled.contains { $0.duration > LS_DEFAULT_INTERVAL_BUDGET } ? filled : [wait]
  }

  /// Which threads held the lock that a pause was for, in order, and from when on: as looks found them.
  ///
  /// - Parameters:
  ///   - start: of the part of the pause that is asked for. Earlier owners are left out.
  ///   - pause: where the pause starts.
  private func owners(from start: Int64, to end: Int64, in pause: Int64) -> [(time: Int64, track: Int32)] {
    var owners: [(time: Int64, track: Int32)] = []
    let first = max(looks.partitioningIndex { $0.time >= pause }, looks.partitioningIndex { $0.time > start } - 1)
    for look in looks[first...].prefix(while: { $0.time < end }) {
      guard look.link == .owner, let track = look.culprit, track != owners.last?.track else { continue }
      owners.append((look.time, track))
    }
    return owners
  }
}
