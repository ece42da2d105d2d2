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
  ///
  /// - Parameters:
  ///   - track: its place in `tracks`.
  ///   - isMain: whether it is the launch's main thread.
  ///   - hasID: whether the system's ID of a thread or process is in the name. It differs in every launch.
  package func title(ofTrack track: Int32, isMain: Bool, hasID: Bool = true) -> String {
    let row = tracks[Int(track)]
    let name = strings[row.name]
    switch row.kind {
    case .thread where isMain: return "main thread"
    case .thread where name.isEmpty && row.hasMadeID: return "thread \(row.threadID - Track.firstMadeID)"
    case .thread where name.isEmpty: return hasID ? "thread \(row.threadID)" : "thread"
    case .thread where row.hasMadeID || !hasID: return DispatchThreadName.readable(name)
    case .thread: return "\(DispatchThreadName.readable(name)) (\(row.threadID))"
    case .process where name.isEmpty: return hasID ? "process \(row.processID)" : "process"
    case .process: return "process \(name)"
    case .async, .counter: return name.isEmpty ? "async" : name
    }
  }
}
