// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import TestSupport
import Testing

/// What is read from events in Chrome's JSON, row by row.
struct ChromeImporterTests {
  private func read(_ text: String) throws -> Trace { try Trace(reading: Array(text.utf8)) }

  private func names(_ trace: Trace, _ ids: [UInt32]) -> [String] {
    ids.map { trace.strings[StringID(rawValue: $0)] }
  }

  @Test func chromeJSON() throws {
    let trace = try read(SampleInput.json)
    #expect(names(trace, trace.slices.name) == ["outer", "inner", "load", "local"])
    #expect(trace.slices.start == [10_500, 12_000, 16_000, 19_000])
    #expect(trace.slices.duration == [20_125, 1_250, 2_000, SliceTable.unfinished])
    #expect(trace.slices.depth == [0, 1, 0, 0])
    let arguments = trace.annotations[trace.slices.annotation[0]].map { (trace.strings[$0.key], $0.value) }
    #expect(arguments.map(\.0) == ["s", "n", "d", "o"])
    #expect(
      arguments.map(\.1) == [
        .string("t\n"), .int(-5), .double(1500),
        .dictionary(["k": .array([.int(1), .bool(true), .dictionary(["x": .dictionary([:])])])]),
      ])
    #expect(trace.processes.map(\.name) == ["app \"x\" é🏁"])
    let threads = trace.slices.asyncThreads[2].map { [$0.begin, $0.end].map { trace.tracks[Int($0)].threadID } }
    #expect(threads == [8, 9])
    #expect(names(trace, trace.instants.name) == ["point", "everywhere", "step"])
    #expect(trace.counters.value == [1.5, 2])
    #expect(
      trace.tracks.filter { $0.kind == .counter }.map { trace.strings[$0.name] } == ["memory heap", "memory stack"])
  }

  @Test(arguments: ["", "]", ",\n", ",]", "\n]\n\n"]) func anArrayMayLackItsEnd(end: String) throws {
    let trace = try read("[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":2}" + end)
    #expect(trace.slices.duration == [2_000])
    #expect(trace.diagnostics.isEmpty)
    #expect(!trace.statistics.truncated)
  }

  /// py-spy and others write what `pthread_self` returns. Such threads must not become one, or the main thread.
  @Test func threadIDsMayBeLargerThanThoseOfTheSystem() throws {
    let ids = ["140573728167616", "140573739199360", "-1", "\"pool\"", "1500000000", "3000000000", "7"]
    let events = ids.map { "{\"ph\":\"X\",\"name\":\"a\",\"pid\":5,\"tid\":\($0),\"ts\":1,\"dur\":2}" }
    let naming =
      "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":5,\"tid\":\(ids[1]),\"args\":{\"name\":\"loader\"}}"
    let trace = try read("[" + (events + [naming]).joined(separator: ",") + "]")
    let threads = trace.slices.track.map { trace.tracks[Int($0)] }
    #expect(
      Set(threads.map { trace.strings[$0.name] }) == [
        "thread 140573728167616", "loader", "thread -1", "pool", "thread 1500000000", "thread 3000000000", "",
      ])
    #expect(Set(threads.map(\.threadID)).count == ids.count)
    #expect(threads.allSatisfy { $0.processID == 5 && $0.threadID > 0 && !$0.isMainThread })
  }

  /// Many tools write thread 0 into events of a process. It is a thread only if something ran on it.
  @Test(arguments: [
    #""ph":"M","name":"process_name","args":{"name":"app"}"#, #""ph":"C","name":"heap","ts":1,"args":{"a":1}"#,
    #""ph":"b","id":1,"cat":"c","name":"request","ts":1"#,
  ]) func threadZeroOfAProcessIsNotItsMainThread(event: String) throws {
    func slice(_ thread: Int) -> String { #"{"ph":"X","name":"a","pid":7,"tid":\#(thread),"ts":1,"dur":2}"# }
    func mains(_ events: [String]) throws -> [Bool] {
      let trace = try read("[" + (["{\"pid\":7,\"tid\":0,\(event)}"] + events).joined(separator: ",") + "]")
      return trace.slices.track.map { trace.tracks[Int($0)] }.filter { $0.kind == .thread }.map(\.isMainThread)
    }
    #expect(try mains([slice(7), slice(8)]) == [true, false])
    #expect(try mains([slice(0), slice(7)]) == [true, false])
  }

  @Test func aBrokenEventIsPassedOver() throws {
    let event = "{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":2}"
    let trace = try read("[\(event),{\"ph\":\"X\",\"ts\":@@},\(event),{\"ph\"")
    #expect(trace.slices.count == 2)
    #expect(trace.diagnostics.count == 2)
    #expect(trace.statistics.truncated)
  }

  /// 2^53 µs and more: too many digits for a floating-point number.
  @Test func chromeTimesAreExact() throws {
    func event(_ ts: String, _ dur: String) -> String {
      #"{"ph":"X","name":"a","pid":1,"tid":1,"ts":\#(ts),"dur":\#(dur)}"#
    }
    let trace = try read(
      "["
        + [event("1700000000000001", "1"), event("1700000000000003.125", "\"1.5\""), event("1.7e15", "0.0015")]
        .joined(separator: ",") + "]")
    #expect(trace.slices.start == [1_700_000_000_000_000_000, 1_700_000_000_000_001_000, 1_700_000_000_000_003_125])
    #expect(trace.slices.duration == [2, 1_000, 1_500])
    let far = try read("[" + event("1", "1") + "," + event("9007199254740993", "1") + "]")
    #expect(far.slices.start == [1_000] && far.statistics.unsound == 1)
    let long = try read("[" + event("1", "1") + "," + event("2", "9007199254740993") + "]")
    #expect(long.slices.duration == [1_000] && long.statistics.unsound == 1)
  }

  /// Identifiers and hashes fill 64 bits.
  @Test func wholeNumbersAreExact() throws {
    let trace = try read(
      #"[{"ph":"i","name":"a","pid":1,"tid":1,"ts":1,"args":{"h":-1234567890123456789,"u":18446744073709551615,"#
        + #""d":12345678901234567.5,"n":99999999999999999999}}]"#)
    #expect(
      trace.annotations[trace.instants.annotation[0]].map(\.value) == [
        .int(-1_234_567_890_123_456_789), .uint(.max), .double(12_345_678_901_234_567.5), .double(1e20),
      ])
  }

  @Test func completeEventsThatBeginTogetherNest() throws {
    let trace = try read(
      """
      [{"ph":"X","name":"inner","pid":1,"tid":1,"ts":1,"dur":2},
       {"ph":"X","name":"outer","pid":1,"tid":1,"ts":1,"dur":5}]
      """)
    #expect(names(trace, trace.slices.name) == ["outer", "inner"])
    #expect(trace.slices.parent == [-1, 0])
  }

  @Test func whatWouldStraddleLiesBeside() throws {
    let trace = try read(
      """
      [{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":10}, {"ph":"X","name":"b","pid":1,"tid":1,"ts":5,"dur":10},
       {"ph":"X","name":"c","pid":1,"tid":1,"ts":7,"dur":10}]
      """)
    #expect(trace.slices.parent == [-1, -1, -1])
    #expect(Set(trace.slices.track).count == 3)
    let thread = TrackID(rawValue: trace.slices.track[0])
    #expect(trace.slices.track.dropFirst().allSatisfy { trace.tracks[Int($0)].parent == thread })
    #expect(trace.slices.duration == [10_000, 10_000, 10_000])
  }
}
