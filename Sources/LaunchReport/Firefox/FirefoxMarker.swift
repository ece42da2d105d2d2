// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// A row of a thread's markers.
struct FirefoxMarker {
  /// What a marker says besides its name and times.
  enum Data {
    case span(FirefoxSchema, ViewerSpan)
    /// A row of `Trace.instants`.
    case event(Int)
    case milestone(Milestone)
    case finding(Finding)
    case state(StateSpans.Span)
  }

  /// Row of the profile's strings.
  var name: Int64
  /// ns from the launch's start.
  var start: Int64
  /// nil for an instant.
  var end: Int64?
  var category: FirefoxCategory
  var data: Data
}

extension FirefoxMarker {
  /// The columns of a thread's markers.
  static func write(_ markers: [FirefoxMarker], to json: inout JSONWriter, _ launch: ViewerLaunch) {
    json.array("data") { json in
      for marker in markers {
        json.object { FirefoxPayload(launch: launch).write(marker.data, to: &$0) }
        if json.hasFailed { return }
      }
    }
    json.column("name", markers.lazy.map(\.name))
    json.array("startTime") { json in
      for marker in markers { json.milliseconds(nil, marker.start) }
    }
    json.array("endTime") { json in
      for marker in markers {
        if let end = marker.end { json.milliseconds(nil, end) } else { json.null() }
      }
    }
    // 0 is an instant, 1 an interval.
    json.column("phase", markers.lazy.map { $0.end == nil ? 0 : 1 })
    json.column("category", markers.lazy.map(\.category.rawValue))
    json.value("length", markers.count)
  }
}
