// SPDX-License-Identifier: Apache-2.0

/// The events of the samples in the output of `perf script`. Those of different events do not add up, so one event is kept.
struct PerfScriptEvents {
  private var names: [String] = []
  /// By row of the samples; empty as long as all are of one event.
  private var numbers: [UInt8] = []
  private var current = 0
  private var bytes: [UInt8] = []

  mutating func begin(_ event: UnsafeRawBufferPointer) {
    if event.elementsEqual(bytes) { return }
    bytes = Array(event)
    let name = Self.name(String(decoding: event, as: UTF8.self))
    current = names.firstIndex(of: name) ?? min(names.count, Int(UInt8.max))
    if current == names.count { names.append(name) }
  }

  /// Ends the sample, which is the last one of the trace.
  mutating func endSample(_ builder: borrowing TraceBuilder) {
    let rows = builder.trace.samples.count
    if names.count < 2 { return }
    while numbers.count < rows - 1 { numbers.append(0) }
    if numbers.count < rows { numbers.append(UInt8(current)) }
  }

  /// Leaves out the samples of all events but one: a clock, or the cycles, or the event of most samples.
  ///
  /// - Parameter isTimeless: the time of a sample is the sum of the weights before it.
  /// - Returns: its name; nil if there are no samples.
  func keepOne(_ builder: inout TraceBuilder, isTimeless: Bool) -> String? {
    guard !numbers.isEmpty else { return names.first }
    var counts = [Int](repeating: 0, count: Int(UInt8.max) + 1)
    for number in numbers { counts[Int(number)] += 1 }
    let most = names.indices.max { (counts[$0], $1) < (counts[$1], $0) } ?? 0
    let kept = names.firstIndex(where: Self.isClock) ?? names.firstIndex { $0.hasPrefix("cycles") } ?? most
    for (row, number) in numbers.enumerated() where number != kept { builder.trace.samples.leaveOut(row) }
    builder.trace.samples.removeLeftOut()
    if isTimeless { builder.addUpWeights() }
    let name = names[kept]
    let known = Self.isClock(name) ? "the clock" : name.hasPrefix("cycles") ? "cycles" : "the most frequent one"
    builder.ignored("samples of other events than \(known)", count: numbers.count - counts[kept])
    return name
  }

  /// Whether its periods are ns.
  static func isClock(_ name: String) -> Bool { name.hasPrefix("cpu-clock") || name.hasPrefix("task-clock") }

  /// The event without what it is counted in, such as `:u` (perf-list(1)). Processors with two kinds of cores have an event of
  /// each: `cpu_core/cycles/P` and `cpu_atom/cycles/P`.
  private static func name(_ event: String) -> String {
    let parts = event.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count > 2, parts[0].hasPrefix("cpu_") { return String(parts[1]) }
    // Tracepoints have such a name, too: `sched:sched_switch`.
    guard let colon = event.lastIndex(of: ":"),
      event[event.index(after: colon)...].allSatisfy({ "ukhHGIpPSDWeb".contains($0) })
    else { return event }
    return String(event[..<colon])
  }
}
