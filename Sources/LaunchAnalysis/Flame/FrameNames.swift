internal import LaunchTrace

/// What frames of stacks are called: the function, or where it is when nobody knows its name.
struct FrameNames {
  private let trace: Trace
  /// String id by frame; 0 is not known yet.
  private var names: [UInt32]

  init(_ trace: Trace) {
    self.trace = trace
    names = trace.stacks.function
  }

  mutating func name(of frame: Int32, in strings: inout StringTable) -> UInt32 {
    let row = Int(frame)
    if names[row] != 0 { return names[row] }
    let image = trace.strings[StringID(rawValue: trace.stacks.image[row])]
    let file = image.split(separator: "/").last.map(String.init) ?? "unknown"
    names[row] = strings.intern(file + "+0x" + String(trace.stacks.address[row], radix: 16)).rawValue
    return names[row]
  }
}
