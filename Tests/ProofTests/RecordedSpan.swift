// SPDX-License-Identifier: Apache-2.0

import LaunchTrace

/// A phase or an initialiser in a trace, ns.
struct RecordedSpan {
  var name: String
  var start: Int64
  var end: Int64
  /// For an initialiser: its file, and its address in it.
  var image = ""
  var offset: UInt64?

  static func initializers(in trace: Trace) -> [RecordedSpan] { all("launchprof.initializer", in: trace) }
  static func phases(in trace: Trace) -> [RecordedSpan] { all("launchprof.phase", in: trace) }

  private static func all(_ category: String, in trace: Trace) -> [RecordedSpan] {
    (0..<trace.slices.count).filter { trace.string(trace.slices.category[$0]) == category }.map { slice in
      var span = RecordedSpan(
        name: trace.string(trace.slices.name[slice]), start: trace.slices.start[slice],
        end: trace.slices.start[slice] + trace.slices.duration[slice])
      for entry in trace.annotations[trace.slices.annotation[slice]] {
        switch (trace.strings[entry.key], entry.value) {
        case ("image", .string(let path)): span.image = path
        case ("offset", .pointer(let offset)): span.offset = offset
        default: break
        }
      }
      return span
    }
  }
}
