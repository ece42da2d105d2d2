// SPDX-License-Identifier: Apache-2.0

/// The markers of a thread.
struct FirefoxMarkers {
  let strings: [StringID]
  let categories: [StringID]
  let track: TrackID
  /// The profile is a report of launchprof.
  let isReport: Bool

  /// Markers of a report that say what launchprof concluded. They are not work of the program.
  private static let conclusions: Set<String> = ["Finding", "State"]

  /// The type of a report's markers that belong to no thread.
  private static let async = "Async"

  /// `phase` of a marker.
  private enum Phase {
    static let instant: Int32 = 0
    static let interval: Int32 = 1
    static let start: Int32 = 2
    static let end: Int32 = 3
  }

  func read(_ markers: JSONView, into reader: inout FirefoxReader) {
    let names = markers["name"]?.indices ?? []
    // Before version 26, markers had one time.
    let starts = (markers["startTime"] ?? markers["time"])?.numbers ?? []
    let ends = markers["endTime"]?.numbers ?? []
    let phases = markers["phase"]?.indices ?? []
    let kinds = markers["category"]?.indices ?? []
    /// Intervals that have begun, by name: places in the reader's events.
    var open: [StringID: [Int]] = [:]
    var place = 0
    markers["data"]?.forEachElement { data in
      defer { place += 1 }
      guard place < names.count, place < starts.count else { return }
      let kind = isReport ? data["type"]?.string ?? "" : ""
      if Self.conclusions.contains(kind) { return reader.builder.skipped("findings and states of a report") }
      let track = kind == Self.async ? reader.asyncTrack(beside: track) : track
      let name = strings.indices.contains(Int(names[place])) ? strings[Int(names[place])] : .empty
      let category =
        place < kinds.count && categories.indices.contains(Int(kinds[place])) ? categories[Int(kinds[place])] : .empty
      let start = starts[place].nanoseconds(unit: FirefoxReader.millisecond)
      let end = (place < ends.count ? ends[place] : .nan).nanoseconds(unit: FirefoxReader.millisecond)
      func slice(duration: Int64) -> ImportedEvent {
        ImportedEvent(
          time: start, duration: duration, track: track, kind: .slice, name: name, category: category,
          annotation: annotation)
      }
      var annotation: UInt32 { data.isObject ? ChromeArguments.row(data.bytes, &reader.builder) : 0 }
      switch place < phases.count ? phases[place] : Phase.instant {
      case Phase.interval: reader.events.append(slice(duration: max(0, end.subtractingSaturated(start))))
      case Phase.start:
        open[name, default: []].append(reader.events.count)
        reader.events.append(slice(duration: SliceTable.unfinished))
      case Phase.end:
        guard let begun = open[name]?.popLast() else {
          reader.builder.trace.statistics.unmatchedEnds += 1
          return
        }
        let time = reader.events[begun].time
        reader.events[begun].duration = max(0, end.subtractingSaturated(time))
      default:
        reader.builder.instant(track: track, time: start, name: name, category: category, annotation: annotation)
      }
    }
  }
}
