// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

/// A bar of a viewer: something recorded, or a phase that follows from the trace.
struct ViewerSpan {
  enum Origin {
    case slice(SliceIndex)
    case phase(Phase)
  }

  /// ns from the launch's start.
  var start: Int64
  var end: Int64
  var origin: Origin

  /// Outer ones first.
  static func precedes(_ left: ViewerSpan, _ right: ViewerSpan) -> Bool {
    left.start != right.start ? left.start < right.start : left.end > right.end
  }
}
