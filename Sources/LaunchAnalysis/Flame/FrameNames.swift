// SPDX-License-Identifier: Apache-2.0

package import LaunchTrace

/// The names of stack frames: the function, or its address if the name is unknown.
struct FrameNames {
  private let trace: Trace
  /// String id by frame; 0: not looked up yet.
  private var names: [UInt32]

  init(_ trace: Trace) {
    self.trace = trace
    names = trace.stacks.function
  }

  mutating func name(of frame: Int32, in strings: inout StringTable) -> UInt32 {
    let row = Int(frame)
    if names[row] != 0 { return names[row] }
    names[row] = strings.intern(trace.name(ofFrame: row)).rawValue
    return names[row]
  }
}

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

  /// The name of a row of `stacks`: the function, or its address if the name is unknown.
  package func name(ofFrame row: Int) -> String {
    let function = strings[StringID(rawValue: stacks.function[row])]
    if !function.isEmpty { return function }
    let image = strings[StringID(rawValue: stacks.image[row])]
    let file = image.split(separator: "/").last.map(String.init) ?? "unknown"
    return file + "+0x" + String(stacks.address[row], radix: 16)
  }
}
