// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchTrace

/// Profiles as other versions, regions and options of the tools write them.
struct UnusualProfileTests {
  private func read(_ text: String) throws -> Trace { try Trace(reading: Array(text.utf8)) }

  private func functions(_ trace: Trace) -> [String] {
    trace.samples.stack.map { row in
      row < 0 ? "" : trace.strings[StringID(rawValue: trace.stacks[Int(row)].function)]
    }
  }

  private func message(_ text: String) -> String {
    do { _ = try read(text) } catch { return "\(error)" }
    return ""
  }

  // MARK: Instruments

  /// Since Xcode 15, a stack has another element around it, to which later rows refer. In later versions, it has the frames
  /// itself.
  @Test(arguments: [
    ("<tagged-backtrace id=\"18\"><backtrace id=\"8\">", "</backtrace></tagged-backtrace>"),
    ("<tagged-backtrace id=\"18\">", "</tagged-backtrace>"),
  ])
  func taggedStacks(begin: String, end: String) throws {
    let text = SampleInput.xctrace.replacing("<backtrace id=\"8\">", with: begin)
      .replacing(
        "</frame></backtrace></row>\n<row><sample-time id=\"12\"",
        with: "</frame>\(end)</row>\n<row><sample-time id=\"12\""
      )
      .replacing("<backtrace ref=\"8\"/>", with: "<tagged-backtrace ref=\"18\"/>")
    #expect(text != SampleInput.xctrace)
    let trace = try read(text)
    #expect(functions(trace) == ["f(Array<Int>)", "f(Array<Int>)", "main"])
    #expect(trace.statistics.ignored.isEmpty)
    let lost = try read(text.replacing("<tagged-backtrace ref=\"18\"/>", with: "<tagged-backtrace ref=\"99\"/>"))
    #expect(functions(lost) == ["f(Array<Int>)", "", "main"])
    #expect(lost.statistics.ignored == ["stacks that are not in the file": 1])
  }

  @Test func samplesOfThreadsThatWaitedAreLeftOut() throws {
    let text = SampleInput.xctrace.replacing("<core id", with: "<thread-state id=\"30\">Blocked</thread-state><core id")
      .replacing("<thread ref=\"2\"/><core ref=\"6\"/>", with: "<thread ref=\"2\"/><thread-state ref=\"30\"/>")
    let trace = try read(text)
    #expect(trace.samples.time == [103_000_000])
    #expect(trace.statistics.skipped == ["samples of threads that waited": 2])
  }

  @Test func cyclesAreWeights() throws {
    let text = SampleInput.xctrace.replacing("<weight ", with: "<cycle-weight ").replacing(
      "</weight>", with: "</cycle-weight>")
    let trace = try read(text)
    #expect(trace.samples.weight == [1_000_000, 1_000_000, 1_000_000] && trace.sampleUnit == "cycles")
  }

  @Test func tablesWithoutSamplesAreRefused() {
    let table = SampleInput.xctrace.replacing("time-profile", with: "os-signpost").replacing("weight", with: "duration")
    #expect(
      message(table).contains("is the table \"os-signpost\" of xctrace, which has no samples with a time or cycles"))
    #expect(message(table).contains("/trace-toc/run[@number=\"1\"]/data/table[@schema=\"time-profile\"]"))
  }

  /// Their times begin at 0, each.
  @Test func severalRunsAreRefused() throws {
    let node = SampleInput.xctrace.replacing("<?xml version=\"1.0\"?>\n<trace-query-result>", with: "")
      .replacing("</trace-query-result>", with: "")
    func text(_ second: String) -> String {
      "<?xml version=\"1.0\"?><trace-query-result>" + node + node.replacing("run[1]", with: second)
        + "</trace-query-result>"
    }
    #expect(message(text("run[2]")).contains("has tables of several runs"))
    #expect(try read(text("run[1]")).samples.count == 6)
  }

  /// The weights of a deep copy are as the region of the user writes them.
  @Test(arguments: [
    ("4.93 s", 4_930_000_000), ("4,93 s", 4_930_000_000), ("4,926.00 ms", 4_926_000_000),
    ("4.926,00 ms", 4_926_000_000),
    ("4\u{a0}926,00 ms", 4_926_000_000), ("4’926.00 ms", 4_926_000_000), ("4\u{202f}926,5 ms", 4_926_500_000),
    ("1,234 ms", 1_234_000_000), ("1,234,567 ms", 1_234_567_000_000), ("12 ms", 12_000_000),
  ])
  func weightsOfOtherRegions(text: String, nanoseconds: Int64) throws {
    let trace = try read("Weight\tSelf Weight\t\tSymbol Name\n\(text)  100.0%\t\(text)\t \tmain\n")
    #expect(trace.samples.weight == [nanoseconds] && trace.sampleUnit == "ns")
  }

  // MARK: Other tools

  /// The profiler of V8 hands some samples over late.
  @Test func samplesOfV8InAnotherOrder() throws {
    func profile(_ deltas: String) -> String {
      #"{"nodes":[{"id":1,"callFrame":{"functionName":"f"}}],"startTime":0,"endTime":9000,"samples":[1,1,1,1],"timeDeltas":[\#(deltas)]}"#
    }
    for deltas in ["1000,1000,1000,1000", "2000,-1000,3000,-1000"] {
      let samples = try read(profile(deltas)).samples
      #expect(samples.time == [1_000_000, 2_000_000, 3_000_000, 4_000_000])
      #expect(samples.weight == [1_000_000, 1_000_000, 1_000_000, 5_000_000])
    }
  }

  /// Periods of several events do not add up.
  @Test func oneOfSeveralPerfEventsIsRead() throws {
    func text(_ events: [String]) -> String {
      events.enumerated().map { "app 9 7.\($0): \($0 + 100) \($1): \n\t 63c f\($0) (/app)\n\n" }.joined()
    }
    let clock = try read(text(["page-faults", "page-faults", "cpu-clock", "cpu-clock:ppp"]))
    #expect(functions(clock) == ["f2", "f3"] && clock.samples.weight == [102, 103] && clock.sampleUnit == "ns")
    #expect(clock.statistics.ignored == ["samples of other events than the clock": 2])
    let cycles = try read(text(["sched:sched_switch", "cycles:u", "cycles:u"]))
    #expect(functions(cycles) == ["f1", "f2"] && cycles.sampleUnit == "cycles")
    let most = try read(text(["minor-faults", "major-faults", "minor-faults"]))
    #expect(functions(most) == ["f0", "f2"] && most.sampleUnit == "minor-faults")
    // Processors with two kinds of cores.
    let cores = try read(text(["cpu_core/cycles/P", "cpu_atom/cycles/P"]))
    #expect(functions(cores) == ["f0", "f1"] && cores.sampleUnit == "cycles" && cores.statistics.ignored.isEmpty)
  }

  /// `perf script -F tid,time,event,period,ip,sym`
  @Test func perfWithoutNamesOfThreads() throws {
    let trace = try read(
      "20495 15178.067051:    1003009 cpu-clock: \n\t 63c f\n\n 20496 15178.5: 7 cpu-clock: \n\t 63c f\n")
    #expect(trace.samples.track.map { trace.tracks[Int($0)].threadID } == [20495, 20496])
    #expect(trace.samples.weight == [1_003_009, 7] && trace.hasTimes)
  }

  /// As `tracing-chrome` of Rust numbers threads, in process 1.
  @Test func threadsCountedFromZero() throws {
    func text(_ threads: [String]) -> String {
      let events = threads.enumerated().map {
        #"{"ph":"X","name":"e\#($0)","pid":1,\#($1.isEmpty ? "" : "\"tid\":\($1),")"ts":\#($0 * 10),"dur":5}"#
      }
      return "[" + events.joined(separator: ",") + "]"
    }
    func threads(_ text: String) throws -> [String] {
      let trace = try read(text)
      return trace.slices.track.map { track in
        let track = trace.tracks[Int(track)]
        return track.isMainThread
          ? "main" : trace.strings[track.name].isEmpty ? "\(track.threadID)" : trace.strings[track.name]
      }
    }
    #expect(try threads(text(["0", "1", "2", "0"])) == ["main", "thread 1", "2", "main"])
    #expect(try threads(text(["0", "2", ""])) == ["main", "2", "main"])
    #expect(try threads(text(["1", "0", "2", "1"])) == ["main", "thread 0", "2", "main"])
  }

  /// Bazel rounds times and durations down to whole microseconds, so an inner event can end after the outer one.
  @Test func eventsInWholeMicroseconds() throws {
    func depths(_ inner: String, fraction: String = "") throws -> ([Int64], [Int64]) {
      let outer = #"{"ph":"X","name":"outer","pid":1,"tid":1,"ts":10\#(fraction),"dur":5}"#
      let trace = try read("[\(outer),{\"ph\":\"X\",\"name\":\"inner\",\"pid\":1,\"tid\":1,\(inner)}]")
      return (trace.slices.depth.map { Int64($0) }, trace.slices.duration)
    }
    #expect(try depths("\"ts\":12,\"dur\":4") == ([0, 1], [5000, 3000]))
    // Another event that overlaps it, and one whose times are exact.
    #expect(try depths("\"ts\":12,\"dur\":5") == ([0, 0], [5000, 5000]))
    #expect(try depths("\"ts\":12.5,\"dur\":3.5").0 == [0, 0])
  }

  /// `perf script -F comm,tid,time,event,period,ip,sym` prints no images.
  @Test(arguments: [
    ("std::thread::_Invoker<std::tuple<void (*)(int), int> >::operator()", ""),
    ("f (/lib/a b(1).so)", "/lib/a b(1).so"), ("f ([kernel.kallsyms])", "[kernel.kallsyms]"),
    ("f (app (deleted))", "app (deleted)"), ("f(int) (/bin/app (deleted))", "/bin/app (deleted)"),
  ])
  func imagesOfPerf(frame: String, image: String) throws {
    let trace = try read("app 9 7.1: 7 cpu-clock: \n\t 63c \(frame)\n\n")
    let place = trace.stacks[Int(trace.samples.stack[0])]
    #expect(trace.strings[StringID(rawValue: place.image)] == image)
    #expect(
      trace.strings[StringID(rawValue: place.function)]
        == (image.isEmpty ? frame : frame.replacing(" (\(image))", with: "")))
  }

  @Test func whatFollowsATraceIsSaid() throws {
    let events = #"[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":5}]"#
    #expect(try read(events + "\n\n").diagnostics.isEmpty)
    let joined = try read(events + "\n" + events)
    #expect(joined.slices.count == 1 && joined.diagnostics.map(\.reason) == ["another trace follows; it is not read"])
  }

  @Test(arguments: ["ms", "milliseconds", "millisecond"]) func shortUnitsOfPprof(unit: String) {
    #expect(SampleUnit(pprof: "cpu", unit: unit).isTime && SampleUnit(pprof: "cpu", unit: unit).scale == 1_000_000)
  }
}
