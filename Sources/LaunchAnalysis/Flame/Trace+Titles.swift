// SPDX-License-Identifier: Apache-2.0

package import LaunchTrace

extension Trace {
  /// The name of a track in reports.
  package func title(ofTrack track: Int32, isMain: Bool) -> String {
    let row = tracks[Int(track)]
    let name = strings[row.name]
    switch row.kind {
    case .thread where isMain: return "main thread"
    case .thread: return name.isEmpty ? "thread \(row.threadID)" : "\(name) (\(row.threadID))"
    case .process: return name.isEmpty ? "process \(row.processID)" : "process \(name)"
    case .async, .counter: return name.isEmpty ? "async" : name
    }
  }
}
