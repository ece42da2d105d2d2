// SPDX-License-Identifier: Apache-2.0

/// What the weights of samples count in a format that names its units.
struct SampleUnit {
  /// As `Trace.sampleUnit` says it.
  let name: String
  /// ns in one unit of time; 1 for any other unit.
  let scale: Int64

  var isTime: Bool { name == "ns" }

  /// Also the short names that pprof knows (`measurement.go`).
  private static let times: [String: Int64] = [
    "nanoseconds": 1, "nanosecond": 1, "ns": 1, "microseconds": 1000, "microsecond": 1000, "us": 1000,
    "milliseconds": 1_000_000, "millisecond": 1_000_000, "ms": 1_000_000, "seconds": 1_000_000_000,
    "second": 1_000_000_000, "s": 1_000_000_000,
  ]

  /// A unit of speedscope.
  init(speedscope unit: String) {
    let time = Self.times[unit]
    (name, scale) = (time != nil ? "ns" : unit == "bytes" ? unit : "count", time ?? 1)
  }

  /// A unit of pprof, which also says what it counts.
  init(pprof type: String, unit: String) {
    let time = Self.times[unit]
    let isCount = unit.isEmpty || unit == "count"
    (name, scale) = (time != nil ? "ns" : !isCount ? unit : type.isEmpty ? "count" : type, time ?? 1)
  }
}
