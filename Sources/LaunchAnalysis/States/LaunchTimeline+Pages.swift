// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

extension LaunchTimeline {
  /// How long the main thread waited in a range for pages of a file, ns. The kernel reads the pages around one as well, so chance
  /// says whose code waits (D394).
  ///
  /// - Parameter file: as the loader names it, which may be by a link.
  func pageWaits(of file: String, in range: Range<Int64>) -> Int64 {
    var time: Int64 = 0
    for wait in states.waits(in: range) {
      if wait.state == .blocked, wait.systemCall == SystemCall.pageFault, let path = wait.path, Self.isSame(path, file)
      {
        time += Int64((wait.start..<wait.end).clamped(to: range).count)
      }
    }
    return time
  }

  /// The kernel names a file by itself, the loader by the link that it found.
  private static func isSame(_ path: String, _ file: String) -> Bool {
    path == file || LibraryNames([fileName(path)]).first(fileName(file)) != nil
  }
}
