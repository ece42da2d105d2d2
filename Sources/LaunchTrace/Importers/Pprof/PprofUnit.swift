// SPDX-License-Identifier: Apache-2.0

/// What a value of pprof counts.
struct PprofUnit {
  /// As `Trace.sampleUnit` says it.
  let sampleUnit: String
  private let factor: Int64

  init(type: String, unit: String) {
    switch unit {
    case "nanoseconds": (sampleUnit, factor) = ("ns", 1)
    case "microseconds": (sampleUnit, factor) = ("ns", 1000)
    case "milliseconds": (sampleUnit, factor) = ("ns", 1_000_000)
    case "seconds": (sampleUnit, factor) = ("ns", 1_000_000_000)
    case "bytes": (sampleUnit, factor) = ("bytes", 1)
    case "", "count": (sampleUnit, factor) = (type.isEmpty ? "count" : type, 1)
    default: (sampleUnit, factor) = (unit, 1)
    }
  }

  var isTime: Bool { sampleUnit == "ns" }

  func scaled(_ value: Int64) -> Int64 { value.multipliedSaturated(factor) }
}
