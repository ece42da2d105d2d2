// SPDX-License-Identifier: Apache-2.0

/// The markers of a thread.
struct FirefoxMarkers {
  let strings: FirefoxStrings?
  let categories: [StringID]
  let track: TrackID
  /// The profile is a report of launchprof.
  let isReport: Bool

  /// Markers of a report that say what launchprof concluded. They are not work of the program.
  private static let conclusions: Set<String> = ["Finding", "State"]

  /// The type of a report's markers that belong to no thread.
  private static let async = "Async"

  private enum Phase {
    static let instant: Int32 = 0
    static let interval: Int32 = 1
    static let start: Int32 = 2
    static let end: Int32 = 3
  }

  func read(_ markers: JSONView, into reader: inout FirefoxReader) {
    func column(_ view: JSONView?) -> JSONElements? { view.map { JSONElements($0) } }
    var names = column(markers["name"])
    // Before version 26, markers had one time.
    var starts = column(markers["startTime"] ?? markers["time"])
    var (ends, phases, kinds) = (column(markers["endTime"]), column(markers["phase"]), column(markers["category"]))
    /// Intervals that have begun, by name: places in the reader's events.
    var open: [StringID: [Int]] = [:]
    let most = TraceLimits.nodes(bytes: reader.builder.bytes)
    markers["data"]?.forEachElement { data in
      let (row, begin, finish, phase, group) =
        (names?.next(), starts?.next(), ends?.next(), phases?.next(), kinds?.next())
      guard let row, let begin else { return }
      guard reader.events.count + reader.builder.trace.instants.count < most else {
        return reader.builder.ignored("more markers than a file of its size has")
      }
      let kind = isReport ? data["type"]?.string ?? "" : ""
      if Self.conclusions.contains(kind) { return reader.builder.skipped("findings and states of a report") }
      let lane = isReport ? data["lane"]?.integer : nil
      let track = kind == Self.async || lane != nil ? reader.asyncTrack(beside: track, lane: lane) : track
      let name = strings?.string(row.index, &reader.builder) ?? .empty
      let category = group.flatMap { categories.value($0.index) } ?? .empty
      let start = (begin.number ?? .nan).nanoseconds(unit: FirefoxReader.millisecond)
      let end = (finish?.number ?? .nan).nanoseconds(unit: FirefoxReader.millisecond)
      func slice(duration: Int64) -> DeferredEvent {
        DeferredEvent(
          .slice, start, duration: duration, track, thread: nil, name: name, category: category, annotation: annotation)
      }
      var annotation: UInt32 { data.isObject ? ChromeArguments.row(data.bytes, &reader.builder) : 0 }
      switch phase?.index ?? Phase.instant {
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
        reader.events[begun].value = max(0, end.subtractingSaturated(time))
      default:
        reader.builder.instant(track: track, time: start, name: name, category: category, annotation: annotation)
      }
    }
  }
}
