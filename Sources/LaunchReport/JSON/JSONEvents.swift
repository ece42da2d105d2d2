// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

/// The members `events` and `counters` of a launch.
struct JSONEvents {
  let timeline: LaunchTimeline
  let mainThreadOnly: Bool

  /// Of more events, some of the whole launch are written. CSV has all.
  private static let most = 65_536

  func write(to json: inout JSONWriter) {
    let events = ProgramEvents(timeline, mainThreadOnly: mainThreadOnly)
    let (all, count) = (events.rows.count, min(events.rows.count, Self.most))
    json.objects("events", (0..<count).lazy.map { events[events.rows[$0 * all / count]] }) { json, event in
      json.values([
        "name": event.name, "category": event.category.isEmpty ? nil : event.category, "time": event.time,
        "thread": event.thread, "mainThread": event.isOnMainThread, "message": event.message,
      ])
    }
    if count < all { json.value("eventsLeftOut", all - count) }
    writeCounters(to: &json)
  }

  private func writeCounters(to json: inout JSONWriter) {
    let (trace, table) = (timeline.trace, timeline.trace.counters)
    json.objects("counters", timeline.shownCounters) { json, counter in
      let unit = trace.strings[trace.tracks[Int(counter.track)].unit]
      json.values([
        "name": trace.title(ofTrack: counter.track, isMain: false), "unit": unit.isEmpty ? nil : unit,
      ])
      json.objects("values", counter.rows.lazy.map { Int($0) }) { json, row in
        json.value("time", table.time[row] - timeline.start)
        json.counterValue("value", table.value[row])
      }
    }
  }
}
