// SPDX-License-Identifier: Apache-2.0

/// What the values of a profile count.
struct SpeedscopeUnit {
  /// As `Trace.sampleUnit` says it.
  let sampleUnit: String
  /// ns in one; nil if it is not a unit of time.
  let nanoseconds: Double?

  init(_ name: String) {
    switch name {
    case "nanoseconds": (sampleUnit, nanoseconds) = ("ns", 1)
    case "microseconds": (sampleUnit, nanoseconds) = ("ns", 1e3)
    case "milliseconds": (sampleUnit, nanoseconds) = ("ns", 1e6)
    case "seconds": (sampleUnit, nanoseconds) = ("ns", 1e9)
    case "bytes": (sampleUnit, nanoseconds) = ("bytes", nil)
    default: (sampleUnit, nanoseconds) = ("count", nil)
    }
  }

  var scale: Double { nanoseconds ?? 1 }
}
