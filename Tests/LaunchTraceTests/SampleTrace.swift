// SPDX-License-Identifier: Apache-2.0

import LaunchTrace

/// A small trace that uses everything the writer can write.
enum SampleTrace {
  static let processTrack: UInt64 = 1
  static let mainThread: UInt64 = 2
  static let worker: UInt64 = 3
  static let lane: UInt64 = 4
  static let memory: UInt64 = 5

  static func writer() -> PerfettoTraceWriter {
    var writer = PerfettoTraceWriter()
    writer.clockSnapshot([(3, 1_000_000), (6, 1_500_000), (1, 1_700_000_000_000_000_000)])
    writer.processTrack(
      uuid: processTrack, processID: 100, name: "app", commandLine: ["/bin/app", "-v"], start: 900_000)
    writer.threadTrack(uuid: mainThread, parent: processTrack, processID: 100, threadID: 100, name: "main")
    writer.threadTrack(uuid: worker, parent: processTrack, processID: 100, threadID: 101, name: "worker")
    writer.asyncTrack(uuid: lane, parent: processTrack, name: "async")
    writer.counterTrack(uuid: memory, parent: processTrack, name: "memory", unit: "bytes")
    writer.startSequence(7, track: mainThread)
    writer.startSequence(8, track: worker)
    writer.begin(
      sequence: 7, time: 1_000_000, name: "main", category: "launchprof.phase",
      annotations: [
        ("source", .string("preinit")), ("list", .array([.string("a"), .string("b"), .uint(3)])),
        ("map", .dictionary(["k": .int(-1), "nested": .dictionary(["b": .bool(true)])])),
      ])
    writer.begin(sequence: 7, time: 1_100_000, name: "open", category: "app/io")
    writer.begin(sequence: 8, time: 1_150_000, track: lane, name: "fetch")
    writer.counter(sequence: 7, time: 1_160_000, track: memory, value: Int64(4096))
    writer.counter(sequence: 7, time: 1_170_000, track: memory, value: 0.5)
    writer.instant(sequence: 8, time: 1_180_000, name: "ready", category: "launchprof.mark")
    writer.end(sequence: 7, time: 1_200_000)
    writer.end(sequence: 7, time: 1_300_000, annotations: [("cpu_ns", .uint(250_000)), ("load", .double(0.25))])
    writer.end(sequence: 7, time: 1_400_000, track: lane)
    writer.begin(sequence: 8, time: 1_500_000, name: "never ends")
    writer.sample(
      sequence: 7, time: 1_250_000, processID: 100, threadID: 100,
      frames: [
        StackFrame(function: "main", image: "/bin/app", buildID: "deadbeef", address: 0x1000),
        StackFrame(image: "/bin/app", buildID: "deadbeef", address: 0x2000),
      ])
    writer.moduleSymbols(
      path: "/bin/app", buildID: "deadbeef",
      symbols: [
        ModuleSymbol(path: "/bin/app", buildID: "deadbeef", address: 0x2000, function: "f()", file: "f.swift", line: 3)
      ])
    return writer
  }
}

extension Trace {
  /// What a reader makes of these bytes.
  init(reading bytes: [UInt8]) throws { self = try bytes.withUnsafeBytes { try TraceReader().read(bytes: $0) } }
}
