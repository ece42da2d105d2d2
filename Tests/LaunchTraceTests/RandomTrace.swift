// SPDX-License-Identifier: Apache-2.0

import LaunchTrace

/// A random trace for the writer: threads, lanes, counters, ends without a begin, and slices that never end.
struct RandomTrace {
  var writer = PerfettoTraceWriter()

  init(using random: inout some RandomNumberGenerator, events: Int, timeMayStandStill: Bool = true) {
    let threads = Int.random(in: 1...5, using: &random)
    let lanes = Int.random(in: 0...3, using: &random)
    writer.clockSnapshot([(3, 1_000), (6, Int64.random(in: 1_000...9_000, using: &random)), (1, 1_700_000_000)])
    writer.processTrack(uuid: 1, processID: 500, name: "p \"q\"\u{1}", start: 500)
    for thread in 0..<threads {
      let uuid = UInt64(10 + thread)
      writer.threadTrack(
        uuid: uuid, parent: 1, processID: 500, threadID: Int32(500 + thread), name: "thread \(thread)")
      writer.startSequence(UInt32(1 + thread), track: uuid)
    }
    for lane in 0..<lanes { writer.asyncTrack(uuid: UInt64(100 + lane), parent: 1, name: "lane \(lane)") }
    writer.counterTrack(uuid: 200, parent: 1, name: "memory", unit: "bytes")
    var times = [Int64](repeating: 2_000, count: threads)
    for _ in 0..<events {
      let thread = Int.random(in: 0..<threads, using: &random)
      times[thread] += Int64.random(in: timeMayStandStill ? 0...3 : 1...3, using: &random) * 100
      let sequence = UInt32(1 + thread)
      let time = times[thread]
      let lane =
        lanes > 0 && Int.random(in: 0..<4, using: &random) == 0
        ? UInt64(100 + Int.random(in: 0..<lanes, using: &random)) : nil
      let name = "n\(Int.random(in: 0..<6, using: &random))"
      let category = Bool.random(using: &random) ? "c\(Int.random(in: 0..<2, using: &random))" : ""
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        writer.begin(
          sequence: sequence, time: time, track: lane, name: name, category: category,
          annotations: Bool.random(using: &random) ? [("k", .int(Int64.random(in: .min ... .max, using: &random)))] : []
        )
      case 4..<8: writer.end(sequence: sequence, time: time, track: lane)
      case 8: writer.instant(sequence: sequence, time: time, track: lane, name: "instant " + name, category: category)
      default: writer.counter(sequence: sequence, time: time, track: 200, value: Double(time))
      }
    }
  }
}
