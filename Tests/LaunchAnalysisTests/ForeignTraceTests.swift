// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// Traces of other tools, which say little about a launch.
struct ForeignTraceTests {
  @Test func countersAloneHaveAnExtent() {
    var launch = SampleLaunch()
    launch.counter("frequency", every: 1_000_000, [1, 2, 3, 4])
    let timeline = LaunchTimeline(trace: launch.trace())
    #expect(timeline.trace.hasOnlyCounters)
    #expect(timeline.start == launch.origin && timeline.total == 3_000_000)
  }

  /// They may go on long after the last event.
  @Test func countersDoNotMakeALaunchLonger() {
    var launch = SampleLaunch()
    launch.interval("work", from: 1_000_000, to: 3_000_000)
    launch.counter("frequency", every: 1_000_000, [1, 2, 3, 4, 5, 6])
    let timeline = LaunchTimeline(trace: launch.trace())
    #expect(!timeline.trace.hasOnlyCounters && timeline.total == 2_000_000)
  }

  /// CLOCK_BOOTTIME (6) counts the time in which the machine slept, CLOCK_MONOTONIC (3) does not.
  @Test(arguments: [3, 6] as [UInt64]) func theWallTimeIsThatOfTheTracesClock(primary: UInt64) throws {
    var writer = PerfettoTraceWriter()
    for (realtime, time) in [(1_790_000_000_000, 1_000), (1_790_000_007_000, 5_000)] as [(Int64, Int64)] {
      writer.clockSnapshot([(1, realtime), (3, time), (6, time + 7_200_000)], primary: primary)
    }
    writer.threadTrack(uuid: 1, processID: 7, threadID: 7)
    writer.startSequence(1, track: 1, clock: primary)
    let start: Int64 = primary == 3 ? 4_000 : 7_204_000
    writer.begin(sequence: 1, time: start, name: "work")
    writer.end(sequence: 1, time: start + 500)
    let timeline = LaunchTimeline(trace: try writer.bytes.withUnsafeBytes { try TraceReader().read(bytes: $0) })
    #expect(timeline.wallClockStart?.nanoseconds == 1_790_000_006_000)
  }

  @Test(arguments: [
    ("GPU Process: https://example.com/index.html", "GPU Process: https://example.com/index.html"),
    ("/usr/bin/notes-server", "notes-server"), ("notes", "notes"), ("/", ""),
  ]) func onlyPathsAreShortened(name: String, program: String) throws {
    let trace = """
      {"traceEvents": [{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "\(name)"}},
        {"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 0, "dur": 1000}]}
      """
    let read = try Array(trace.utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) }
    #expect(LaunchTimeline(trace: read).program == program)
  }

  /// Sampled profiles of speedscope say how much samples weigh, but not when they were taken. So nobody knows whether a
  /// function ran without a pause.
  @Test func samplesWithoutTimesTellNoStatesAndNoCalls() throws {
    let trace = """
      {"$schema": "https://www.speedscope.app/file-format-schema.json", "shared": {"frames": [{"name": "a"}, {"name": "b"}]},
        "profiles": [{"type": "sampled", "name": "main", "unit": "milliseconds", "startValue": 0, "endValue": 600,
          "samples": [[0, 1], [0, 1], [0, 1], [0]], "weights": [50, 200, 50, 300]}]}
      """
    let read = try Array(trace.utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) }
    let timeline = LaunchTimeline(trace: read)
    #expect(timeline.total == 600_000_000)
    #expect(timeline.findings == [])
    #expect(!timeline.states.isKnown)
  }

  private func timeline(_ text: String) throws -> LaunchTimeline {
    LaunchTimeline(trace: try Array(text.utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) })
  }

  /// On macOS and Windows, no thread has the id of its process.
  @Test(arguments: [("CrRendererMain", true), ("MainThread", true), ("worker", false)])
  func mainThreadsOfOtherSystemsAreKnownByName(name: String, isMain: Bool) throws {
    let timeline = try timeline(
      """
      [{"ph":"M","name":"thread_name","pid":500,"tid":259,"args":{"name":"\(name)"}},
      {"ph":"X","name":"RunTask","pid":500,"tid":259,"ts":1.5,"dur":100000},
      {"ph":"X","name":"other","pid":500,"tid":260,"ts":2,"dur":10}]
      """)
    #expect(timeline.mainThread.map { timeline.trace.tracks[Int($0.rawValue)].threadID } == (isMain ? 259 : nil))
    #expect(timeline.findings.contains { $0.subject == "RunTask" } == isMain)
  }

  /// A time profile of all processes has a main thread of each.
  @Test(arguments: [[77], [1, 77]]) func aTimeProfileOfAllProcessesHasNoMainThread(processes: [Int]) throws {
    let rows = processes.map {
      """
      <row><sample-time>1000000\($0)</sample-time><thread fmt="Main Thread 0x1f (app, pid: \($0))"><tid>\($0)</tid>
      <process fmt="app (\($0))"><pid>\($0)</pid></process></thread><weight>1000000</weight>
      <backtrace><frame name="f" addr="0x1000"/></backtrace></row>
      """
    }
    let text = "<?xml version=\"1.0\"?><trace-query-result><node><schema name=\"time-profile\"></schema>"
    let timeline = try timeline(text + rows.joined() + "</node></trace-query-result>")
    #expect(timeline.trace.samples.count == processes.count)
    #expect((timeline.mainThread != nil) == (processes.count == 1))
  }

  /// `perf record -a`: the main thread of the lowest process id was shown as that of the program.
  @Test func aRecordingOfTheWholeSystemHasNoMainThread() throws {
    let programs = ["swift-frontend 5428", "app 5629"].enumerated().map {
      "\($1) [000] 7.\($0): 1000000 cpu-clock: \n\t 63c f (/app)\n\n"
    }
    #expect(try timeline(programs.joined()).mainThread != nil)
    let idle = "swapper     0 [001] 7.5: 1000000 cpu-clock: \n\tffff idle ([kernel])\n\n"
    let system = try timeline(programs.joined() + idle)
    #expect(system.mainThread == nil && system.breakdown(by: .thread).rows.contains { $0.name == "app (5629)" })
  }

  /// A request that the main thread began and received the answer of, while it did something else.
  @Test func asyncWorkOfOtherToolsIsNotTheMainThreads() throws {
    let timeline = try timeline(
      """
      [{"ph": "X", "name": "start", "pid": 1, "tid": 1, "ts": 0, "dur": 60000},
        {"ph": "b", "cat": "net", "name": "request", "id": 1, "pid": 1, "tid": 1, "ts": 1000},
        {"ph": "e", "cat": "net", "name": "request", "id": 1, "pid": 1, "tid": 1, "ts": 31000}]
      """)
    #expect(timeline.findings.map(\.subject) == ["start"])
    let main = try #require(timeline.flame.roots.first { timeline.flame.name(of: $0) == "main thread" })
    let start = try #require(timeline.flame.children(of: main).first)
    #expect(timeline.flame.selfTime(of: start) == 60_000_000)
  }

  /// V8 samples by the wall clock. Two calls of 40 ms with a timer between them are not one call, and waiting is no work.
  @Test func waitingInAProfileOfV8IsNotRunning() throws {
    let timeline = try timeline(
      """
      {"nodes": [{"id": 1, "callFrame": {"functionName": "(root)", "url": ""}, "children": [2, 3]},
          {"id": 2, "callFrame": {"functionName": "(idle)", "url": ""}},
          {"id": 3, "callFrame": {"functionName": "parse", "url": ""}}],
        "startTime": 0, "endTime": 280000,
        "samples": [\(Array(repeating: "3", count: 40).joined(separator: ",")), 2,
          \(Array(repeating: "3", count: 40).joined(separator: ","))],
        "timeDeltas": [0, \(Array(repeating: "1000", count: 40).joined(separator: ",")), 200000,
          \(Array(repeating: "1000", count: 39).joined(separator: ","))]}
      """)
    #expect(timeline.total == 280_000_000 && !timeline.states.isKnown)
    #expect(timeline.breakdown(by: .state).shortcoming?.contains("by the wall clock") == true)
    #expect(timeline.findings.map(\.occurrences) == [2] && timeline.findings.map(\.subject) == ["parse"])
    #expect(timeline.findings.map { ($0.actual + 500_000) / 1_000_000 } == [40])
  }

  /// A sampler may be slow, or late.
  @Test func longStepsBetweenSamplesAreNoPauses() throws {
    let timeline = try timeline(
      """
      {"nodes": [{"id": 1, "callFrame": {"functionName": "(root)", "url": ""}, "children": [2]},
          {"id": 2, "callFrame": {"functionName": "parse", "url": ""}}],
        "startTime": 0, "endTime": 100000, "samples": [2, 2, 2, 2], "timeDeltas": [0, 25000, 25000, 25000]}
      """)
    #expect(timeline.findings.map(\.subject) == ["parse"] && timeline.findings.map(\.occurrences) == [1])
  }

  /// Chrome's performance panel records the browser, too. The page is what was profiled.
  @Test func theMainThreadOfAProfileOfV8IsThatOfThePage() throws {
    func process(_ id: Int, _ name: String) -> String {
      #"{"ph":"M","name":"thread_name","pid":\#(id),"tid":\#(id),"ts":0,"args":{"name":"\#(name)"}}"#
    }
    func profile(_ process: Int, _ samples: Int) -> String {
      let list = Array(repeating: "2", count: samples).joined(separator: ",")
      let steps = Array(repeating: "1000", count: samples).joined(separator: ",")
      return """
        {"ph":"P","name":"Profile","id":"0x1","pid":\(process),"tid":\(process),"ts":1,"args":{"data":{"startTime":1}}},
        {"ph":"P","name":"ProfileChunk","id":"0x1","pid":\(process),"tid":\(process + 5),"ts":9,"args":{"data":{
          "timeDeltas":[\(steps)],"cpuProfile":{"samples":[\(list)],"nodes":[{"id":1,"callFrame":{"functionName":"(root)"}},
          {"id":2,"parent":1,"callFrame":{"functionName":"render","url":"http://a/app.js","lineNumber":3}}]}}}}
        """
    }
    let processes = [process(10, "CrBrowserMain"), process(20, "CrRendererMain"), process(30, "CrRendererMain")]
    let recorded = try timeline("[" + (processes + [profile(20, 5), profile(30, 50)]).joined(separator: ",") + "]")
    #expect(recorded.mainThread.map { recorded.trace.tracks[Int($0.rawValue)].threadID } == 30)
    #expect(recorded.findings.map(\.subject) == ["render"] && !recorded.states.isKnown)
    let own = #"{"ph":"X","name":"start","pid":10,"tid":10,"ts":1,"dur":5}"#
    let plain = try timeline("[" + (processes + [own, profile(40, 5)]).joined(separator: ",") + "]")
    #expect(plain.mainThread.map { plain.trace.tracks[Int($0.rawValue)].threadID } == 10)
  }

  /// A parent that waits for its children may have the last events.
  @Test func theMainThreadIsThatOfTheParent() throws {
    let timeline = try timeline(
      """
      app 102 1.000000: 1000000 cpu-clock:
      \t  1 child (/app)

      app 101 1.010000: 1000000 cpu-clock:
      \t  2 parent (/app)

      """)
    #expect(timeline.mainThread.map { timeline.trace.tracks[Int($0.rawValue)].threadID } == 101)
  }

  /// Its helper processes begin with fewer things to do, and so their events may come first.
  @Test func theMainThreadOfABrowserIsNotThatOfAHelper() throws {
    let timeline = try timeline(
      """
      {"traceEvents": [{"ph": "M", "name": "thread_name", "pid": 7, "tid": 7, "args": {"name": "CrUtilityMain"}},
        {"ph": "M", "name": "thread_name", "pid": 9, "tid": 9, "args": {"name": "CrBrowserMain"}},
        {"ph": "X", "name": "a", "pid": 7, "tid": 7, "ts": 0, "dur": 1000},
        {"ph": "X", "name": "b", "pid": 9, "tid": 9, "ts": 500, "dur": 1000}]}
      """)
    #expect(timeline.mainThread.map { timeline.trace.tracks[Int($0.rawValue)].threadID } == 9)
  }

  /// The complete event begins within the other one, and ends after it. It was 792.9 % of the time by library.
  @Test func whatOutlastsTheSliceAroundItCountsUpToItsEnd() throws {
    let timeline = try timeline(
      """
      {"traceEvents":[{"ph":"B","pid":1,"tid":3,"ts":1007,"name":"a"},
        {"ph":"X","pid":1,"tid":3,"ts":1016,"dur":102,"name":"b"},
        {"ph":"X","pid":1,"tid":3,"ts":1018,"dur":100,"name":"c"},{"ph":"E","pid":1,"tid":3,"ts":1021,"name":"a"}]}
      """)
    #expect(timeline.spans.duration == [14_000, 102_000, 100_000])
    #expect(timeline.spans.selfTimes() == [9_000, 2_000, 3_000])
    let flame = timeline.flame
    #expect(flame.total == [14_000, 14_000, 5_000, 3_000])
    #expect((0..<flame.count).map(flame.selfTime) == [0, 9_000, 2_000, 3_000])
    let libraries = timeline.breakdown(by: .library)
    #expect(libraries.whole == 14_000 && libraries.rows.map(\.selfTime) == [14_000])
    let symbols = timeline.breakdown(by: .symbol)
    #expect(symbols.rows.map(\.total) == [14_000, 3_000, 5_000])
    #expect(symbols.rows.map(\.selfTime) == [9_000, 3_000, 2_000])
  }

  /// The samples of Chrome's JSON count, unless the file says that they measure time.
  @Test func countsOfSamplesDoNotSayWhenAThreadRan() throws {
    let timeline = try timeline(
      """
      {"traceEvents":[{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"m"}},
        {"ph":"X","pid":1,"tid":1,"ts":1000,"dur":100,"name":"a"},{"ph":"X","pid":1,"tid":1,"ts":1010,"dur":50,"name":"b"}],
        "stackFrames":{"1":{"name":"f"}},
        "samples":[{"cpu":0,"tid":1,"ts":1000,"name":"s","sf":1,"weight":1},
          {"cpu":0,"tid":1,"ts":3000,"name":"s","sf":1,"weight":1}]}
      """)
    #expect(timeline.trace.samples.count == 2 && timeline.trace.sampleUnit != "ns")
    let threads = timeline.breakdown(by: .thread)
    #expect(threads.counted == "intervals" && threads.rows.map(\.count) == [1])
    #expect(threads.shortcoming?.hasPrefix("computed from intervals, because") == true)
    let said = "the samples of the trace do not measure time, and do not show when the main thread ran"
    #expect(timeline.breakdown(by: .state).shortcoming == said)
  }
}
