// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// What a thread did for a time, for the trace.
struct ThreadSlice {
  var name: String
  var category: String
  var processID: Int32
  var threadID: Int32
  var start: Int64
  /// nil if it never ended.
  var end: Int64?
  var annotations: [(key: String, value: AnnotationValue)]
}

extension PerfettoTraceWriter {
  /// Writes slices, thread by thread, as begins and ends that nest.
  ///
  /// - Parameter track: of a thread, and of which process.
  mutating func write(_ slices: [ThreadSlice], sequence: UInt32, track: (_ thread: Int32, _ process: Int32) -> UInt64) {
    for (thread, own) in Dictionary(grouping: slices, by: \.threadID).sorted(by: { $0.key < $1.key }) {
      let track = track(thread, own[0].processID)
      var open: [Int64] = []
      func closeLast() {
        let end = open.removeLast()
        if end != .max { self.end(sequence: sequence, time: end, track: track) }
      }
      for slice in own.sorted(by: { ($0.start, -($0.end ?? .max)) < ($1.start, -($1.end ?? .max)) }) {
        while let end = open.last, end <= slice.start { closeLast() }
        // One that crosses the outer one would not nest: it ends with the outer one.
        open.append(min(slice.end ?? .max, open.last ?? .max))
        begin(
          sequence: sequence, time: slice.start, track: track, name: slice.name, category: slice.category,
          annotations: slice.annotations)
      }
      while !open.isEmpty { closeLast() }
    }
  }
}
