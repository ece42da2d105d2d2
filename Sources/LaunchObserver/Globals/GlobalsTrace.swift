internal import CLaunchSchema
internal import LaunchTrace

/// Lazy globals as slices of the threads that initialised them: docs/trace-format.md, "Lazy globals".
struct GlobalsTrace {
  /// An initialisation, and what its addresses are.
  struct Row {
    var initialization: GlobalInitializations.Initialization
    var function: StackFrame
    /// Innermost first.
    var callers: [StackFrame]
  }

  private let rows: [Row]
  private let names: GlobalNames
  private let sequence: UInt32

  /// Of the callers so many are kept.
  static let mostCallers = 12

  init(_ rows: [Row], sequence: UInt32) {
    self.rows = rows
    self.sequence = sequence
    names = GlobalNames(Set(rows.flatMap { [$0.function] + $0.callers }.map(GlobalNames.Place.init)))
  }

  /// - Parameter track: of a thread, and of which process.
  func write(to writer: inout PerfettoTraceWriter, track: (_ thread: Int32, _ process: Int32) -> UInt64) {
    for (thread, own) in Dictionary(grouping: rows, by: \.initialization.threadID).sorted(by: { $0.key < $1.key }) {
      write(own, to: &writer, track: track(thread, own[0].initialization.processID))
    }
  }

  /// What one thread did, as begins and ends that nest.
  private func write(_ rows: [Row], to writer: inout PerfettoTraceWriter, track: UInt64) {
    var open: [Int64] = []
    func closeLast() {
      let end = open.removeLast()
      if end != .max { writer.end(sequence: sequence, time: end, track: track) }
    }
    for row in rows {
      let initialization = row.initialization
      while let end = open.last, end <= initialization.start { closeLast() }
      open.append(min(initialization.end ?? .max, open.last ?? .max))
      let name = names[GlobalNames.Place(row.function)]
      writer.begin(
        sequence: sequence, time: initialization.start, track: track,
        name: initialization.isWait ? "waiting for " + name : name, category: LS_CATEGORY_GLOBAL,
        annotations: annotations(row, name: name))
    }
    while !open.isEmpty { closeLast() }
  }

  private func annotations(_ row: Row, name: String) -> [(key: String, value: AnnotationValue)] {
    var values: [(key: String, value: AnnotationValue)] = [
      (LS_KEY_NAME, .string(name)), (LS_KEY_IMAGE, .string(row.function.image)),
      (LS_KEY_OFFSET, .pointer(row.function.address)), (LS_KEY_TOKEN, .pointer(row.initialization.token)),
      (LS_KEY_CALLERS, .array(row.callers.map { .string(names[GlobalNames.Place($0)]) })),
    ]
    if row.initialization.isWait { values.append((LS_KEY_IS_WAIT, .bool(true))) }
    return values
  }
}

extension GlobalNames.Place {
  init(_ frame: StackFrame) { self.init(path: frame.image, address: frame.address) }
}
