// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

extension CSVTable {
  /// One row for each event that the program recorded.
  static func events(mainThreadOnly: Bool) -> CSVTable {
    CSVTable(columns: "name,category,thread,main_thread,start_ns,message") { launch, row in
      let events = ProgramEvents(launch.timeline, mainThreadOnly: mainThreadOnly)
      for place in events.rows {
        let event = events[place]
        row([
          CSVField.text(event.name), CSVField.text(event.category), CSVField.text(event.thread),
          "\(event.isOnMainThread)", "\(event.time)", CSVField.text(event.message ?? ""),
        ])
      }
    }
  }

  /// One row for each value of a counter.
  static let counters = CSVTable(columns: "counter,unit,start_ns,value") { launch, row in
    let (timeline, trace) = (launch.timeline, launch.timeline.trace)
    let table = trace.counters
    var names: [Int32: [String]] = [:]
    for place in 0..<table.count where table.time[place] <= timeline.window.upperBound {
      let track = table.track[place]
      let head =
        names[track]
        ?? [trace.title(ofTrack: track, isMain: false), trace.strings[trace.tracks[Int(track)].unit]].map(CSVField.text)
      names[track] = head
      row(head + ["\(table.time[place] - timeline.start)", number(table.value[place])])
    }
  }

  /// Empty for what is not a number.
  private static func number(_ value: Double) -> String {
    if let whole = Int64(exactly: value) { return "\(whole)" }
    return value.isFinite ? "\(value)" : ""
  }
}
