// SPDX-License-Identifier: Apache-2.0

package import LaunchTrace

/// The names of stack frames: the function, or its address if the name is unknown.
struct FrameNames {
  /// String id by place in `stacks.frames`; 0: not looked up yet.
  private var names: [UInt32]

  init(_ trace: Trace) { names = trace.stacks.frames.map(\.function) }

  mutating func name(of frame: Int32, of trace: Trace, in strings: inout StringTable) -> UInt32 {
    let place = Int(trace.stacks.frame[Int(frame)])
    if names[place] == 0 { names[place] = strings.intern(trace.name(ofFrame: Int(frame))).rawValue }
    return names[place]
  }
}

extension Trace {
  /// The name of a track in reports.
  package func title(ofTrack track: Int32, isMain: Bool) -> String {
    let row = tracks[Int(track)]
    let name = strings[row.name]
    switch row.kind {
    case .thread where isMain: return "main thread"
    case .thread where row.hasMadeID:
      return name.isEmpty ? "thread \(row.threadID - Track.firstMadeID)" : DispatchThreadName.readable(name)
    case .thread where name.isEmpty: return "thread \(row.threadID)"
    case .thread: return "\(DispatchThreadName.readable(name)) (\(row.threadID))"
    case .process: return name.isEmpty ? "process \(row.processID)" : "process \(name)"
    case .async, .counter: return name.isEmpty ? "async" : name
    }
  }
}
