// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Calls that a watched program made, as slices of its threads that nest.
struct WatchedSlices {
  struct Slice {
    var call: WatchedCalls.Call
    var name: String
    var category: String
    var annotations: [(key: String, value: AnnotationValue)]
  }

  private let slices: [Slice]
  private let sequence: UInt32

  init(_ slices: [Slice], sequence: UInt32) {
    self.slices = slices.sorted { $0.call.start < $1.call.start }
    self.sequence = sequence
  }

  /// - Parameter track: of a thread, and of which process.
  func write(to writer: inout PerfettoTraceWriter, track: (_ thread: Int32, _ process: Int32) -> UInt64) {
    for (thread, own) in Dictionary(grouping: slices, by: \.call.threadID).sorted(by: { $0.key < $1.key }) {
      write(own, to: &writer, track: track(thread, own[0].call.processID))
    }
  }

  /// What one thread did, as begins and ends.
  private func write(_ slices: [Slice], to writer: inout PerfettoTraceWriter, track: UInt64) {
    var open: [Int64] = []
    func closeLast() {
      let end = open.removeLast()
      if end != .max { writer.end(sequence: sequence, time: end, track: track) }
    }
    for slice in slices {
      while let end = open.last, end <= slice.call.start { closeLast() }
      open.append(min(slice.call.end ?? .max, open.last ?? .max))
      writer.begin(
        sequence: sequence, time: slice.call.start, track: track, name: slice.name, category: slice.category,
        annotations: slice.annotations)
    }
    while !open.isEmpty { closeLast() }
  }
}
