// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// The states of the main thread, and its waits.
struct JSONStates {
  /// The largest number of waits. The longest ones are written, in the order of time.
  private static let most = 1000

  let timeline: LaunchTimeline

  func writeTotals(to json: inout JSONWriter) {
    Self.write(timeline.states.totals(from: timeline.start, to: timeline.end), to: &json)
    json.object("kernelTime", timeline.kernelTime) { $0.values(["time": $1.time, "error": $1.error]) }
  }

  func writeWaits(to json: inout JSONWriter) {
    json.objects("waits", timeline.states.waits.longest(Self.most, \.duration)) { write($1, to: &$0) }
    let steps = timeline.criticalPath.steps
    guard steps.contains(where: { $0.depth > 0 }) else { return }
    json.objects("criticalPath", steps.longest(Self.most, \.duration)) { write($1, to: &$0) }
  }

  private func write(_ step: CriticalPath.Step, to json: inout JSONWriter) {
    let isMain = step.track == timeline.mainThread?.rawValue
    json.values([
      "start": step.start - timeline.start, "duration": step.duration,
      "thread": timeline.trace.title(ofTrack: step.track, isMain: isMain), "state": step.state.name,
      "depth": Int(step.depth), "link": step.link?.rawValue,
    ])
  }

  static func write(_ totals: StateTotals, to json: inout JSONWriter) {
    json.object("states") { json in
      for state in ThreadState.allCases where totals[state] > 0 { json.value(state.name, totals[state]) }
    }
  }

  private func write(_ wait: Wait, to json: inout JSONWriter) {
    let place = timeline.place(of: wait)
    json.values([
      "start": wait.start - timeline.start, "duration": wait.duration, "state": wait.state.name,
      "systemCall": wait.systemCall, "path": wait.path,
      "thread": wait.culprit.map { timeline.trace.title(ofTrack: $0, isMain: false) }, "link": wait.link?.rawValue,
      "function": place?.own, "file": place?.file, "line": place?.line,
    ])
  }
}

extension RandomAccessCollection where Index == Int {
  /// The elements with the longest times, in their order.
  func longest(_ most: Int, _ time: (Element) -> Int64) -> [Element] {
    guard count > most else { return Array(self) }
    var places = indices.map { Int32(truncatingIfNeeded: $0) }
    places.sort { (time(self[Int($1)]), $0) < (time(self[Int($0)]), $1) }
    return places.prefix(most).sorted().map { self[Int($0)] }
  }
}
