// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

/// The counters of a launch, in columns.
struct PageCounters {
  let timeline: LaunchTimeline

  func write(to json: inout JSONWriter, strings: inout PageStrings) {
    let counters = timeline.shownCounters
    guard !counters.isEmpty else { return }
    let (trace, table) = (timeline.trace, timeline.trace.counters)
    json.objects("counters", counters) { json, counter in
      let track = trace.tracks[Int(counter.track)]
      json.value("track", Int(counter.track))
      json.value("name", strings.row(of: trace.title(ofTrack: counter.track, isMain: false)))
      json.value("unit", strings.row(of: trace.strings[track.unit]))
      json.differences("time", counter.rows.lazy.map { table.time[Int($0)] - timeline.start })
      json.array("value") { json in
        for row in counter.rows { json.counterValue(nil, table.value[Int(row)]) }
      }
    }
  }
}
