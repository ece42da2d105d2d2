// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

/// A bar of a viewer, as its place in a `ViewerLaunch`: a trace may have a million of them.
struct ViewerSpan {
  enum Origin {
    /// Something recorded.
    case slice(SliceIndex)
    /// A place in `ViewerLaunch.derivedPhases`.
    case phase(Int)
  }

  /// The slice, or -1 minus the place of the phase.
  private let code: Int32

  init(_ origin: Origin) {
    switch origin {
    case .slice(let row): code = Int32(truncatingIfNeeded: row)
    case .phase(let place): code = Int32(truncatingIfNeeded: ~place)
    }
  }

  var origin: Origin { code >= 0 ? .slice(Int(code)) : .phase(Int(~code)) }
}

extension ViewerLaunch {
  /// ns from the launch's start.
  func start(of span: ViewerSpan) -> Int64 {
    switch span.origin {
    case .slice(let row): max(timeline.spans.start[row], timeline.window.lowerBound) - timeline.start
    case .phase(let place): derivedPhases[place].start - timeline.start
    }
  }

  /// ns from the launch's start.
  func end(of span: ViewerSpan) -> Int64 {
    switch span.origin {
    case .slice(let row): min(timeline.spans.end(row), timeline.window.upperBound) - timeline.start
    case .phase(let place): derivedPhases[place].end - timeline.start
    }
  }

  func name(of span: ViewerSpan) -> String {
    switch span.origin {
    case .slice(let row): timeline.trace.strings[StringID(rawValue: timeline.trace.slices.name[row])]
    case .phase(let place): derivedPhases[place].id
    }
  }

  /// Outer ones first.
  func precedes(_ left: ViewerSpan, _ right: ViewerSpan) -> Bool {
    let starts = (start(of: left), start(of: right))
    return starts.0 != starts.1 ? starts.0 < starts.1 : end(of: left) > end(of: right)
  }
}
