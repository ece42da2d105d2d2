// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

/// The samples in the order of time, each with its node in the tree of samples.
struct PageSamples {
  private static let most = 200_000

  let timeline: LaunchTimeline
  let code: SampledCode
  /// For each node: its row among the written nodes.
  let kept: [Int32]

  func write(to json: inout JSONWriter) {
    let samples = timeline.trace.samples
    let shown = (0..<samples.count).filter { code.nodes[$0] >= 0 && kept[Int(code.nodes[$0])] >= 0 }
    // If there are too many, only every n-th one.
    let step = max(1, (shown.count + Self.most - 1) / Self.most)
    let rows = stride(from: 0, to: shown.count, by: step).map { shown[$0] }
    json.object("rows") { json in
      json.value("step", step)
      json.differences("time", rows.lazy.map { samples.time[$0] - timeline.start })
      json.column("track", rows.lazy.map { samples.track[$0] })
      json.column("node", rows.lazy.map { kept[Int(code.nodes[$0])] })
      json.column("weight", rows.lazy.map { samples.weight[$0] })
    }
  }
}

extension JSONWriter {
  /// A `column` with each number as the difference from the previous one, so that ascending times take few digits.
  mutating func differences(_ key: String, _ values: some Sequence<Int64>) {
    array(key) { json in
      var last: Int64 = 0
      for value in values {
        json.value(nil, value &- last)
        last = value
      }
    }
  }
}
