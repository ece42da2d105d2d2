// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchSystem

/// The states of the main thread, what it waited for, and whose work the launch was at each instant.
struct PageStates {
  /// With more rows than this, rows that are shorter than a share of the launch are summed up.
  private static let most = 20_000
  private static let parts: Int64 = 8192
  /// The largest number of waits. The longest ones are written, in the order of time.
  private static let mostWaits = 2000
  private static let mostSteps = 5000

  let timeline: LaunchTimeline

  struct Row {
    var start: Int64
    var state: ThreadState
    var track: Int32
  }

  func write(to json: inout JSONWriter, strings: inout PageStrings) {
    let rows = Self.rows(timeline)
    json.objects("stateNames", ThreadState.allCases) { $0.values(["id": $1.name, "title": $1.title]) }
    json.object("states") { json in
      json.value("end", timeline.states.end - timeline.start)
      json.differences("start", rows.map { $0.start - timeline.start })
      json.column("state", rows.map { $0.state.rawValue })
      json.column("track", rows.map { $0.track })
    }
    let waits = timeline.states.waits.longest(Self.mostWaits, \.duration)
    json.object("waits") { json in
      json.column("start", waits.map { $0.start - timeline.start })
      json.column("duration", waits.map(\.duration))
      json.column("state", waits.map { $0.state.rawValue })
      json.column("track", waits.map { $0.track })
      json.column("culprit", waits.map { $0.culprit ?? -1 })
      json.column("link", waits.map { strings.row(of: $0.link?.rawValue ?? "") })
      json.column("systemCall", waits.map { strings.row(of: $0.systemCall ?? "") })
      json.column("path", waits.map { strings.row(of: $0.path ?? "") })
      json.column("place", waits.map { strings.row(of: place(of: $0)) })
    }
    let steps = timeline.criticalPath.steps.longest(Self.mostSteps, \.duration)
    json.object("criticalPath") { json in
      json.column("start", steps.map { $0.start - timeline.start })
      json.column("duration", steps.map(\.duration))
      json.column("track", steps.map { $0.track })
      json.column("state", steps.map { $0.state.rawValue })
      json.column("depth", steps.map { $0.depth })
    }
  }

  /// The function that waited, its file and line, as far as they are known: `backOff() · server.swift:8`.
  private func place(of wait: Wait) -> String {
    guard let place = timeline.place(of: wait), let function = place.own else { return "" }
    guard let file = place.file else { return function }
    return "\(function) · \(fileName(file))" + (place.line.map { ":\($0)" } ?? "")
  }

  /// Joins short rows that follow each other. The joined row has the state with most of its time.
  static func rows(_ timeline: LaunchTimeline) -> [Row] {
    let states = timeline.states
    func row(_ place: Int) -> Row {
      Row(start: states.start[place], state: states.state[place], track: states.track[place])
    }
    guard states.count > most, let first = states.start.first else { return (0..<states.count).map(row) }
    let grain = max(1, (states.end - first) / parts)
    var result: [Row] = []
    var open = StateTotals()
    var begin = first
    func close() {
      guard open.sum > 0 else { return }
      let most = ThreadState.allCases.max { open[$0] < open[$1] } ?? .unknown
      result.append(Row(start: begin, state: most, track: states.track[0]))
      open = StateTotals()
    }
    for place in 0..<states.count {
      let row = row(place)
      let time = states.duration(of: place)
      if time >= grain || open.sum >= grain { close() }
      if open.sum == 0 { begin = row.start }
      if time >= grain { result.append(row) } else { open[row.state] += time }
    }
    close()
    return result
  }
}
