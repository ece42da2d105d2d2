// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import TestSupport
import Testing

/// What the importers read from each format, row by row.
@Suite struct ImporterTests {
  private func read(_ text: String) throws -> Trace {
    try Array(text.utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) }
  }

  /// A sample's stack, outermost first: `function (image) address`.
  private func stack(_ trace: Trace, _ row: Int32) -> [String] {
    var frames: [String] = []
    var row = Int(row)
    while row >= 0 {
      let function = trace.strings[StringID(rawValue: trace.stacks[row].function)]
      let image = trace.strings[StringID(rawValue: trace.stacks[row].image)]
      let address = trace.stacks[row].address
      frames.append(function + (image.isEmpty ? "" : " (\(image))") + (address == 0 ? "" : " \(address)"))
      row = Int(trace.stacks.caller[row])
    }
    return frames.reversed()
  }

  @Test func perfScript() throws {
    let trace = try read(SampleInput.perf)
    // The other sample is of another event.
    #expect(trace.samples.time == [12_000_001_000])
    #expect(
      trace.samples.stack.map { stack(trace, $0) } == [
        ["start_thread (/lib/libc.so.6 (deleted))", " (/bin/app) \(0x55e0)", "inner(int, char) (/bin/app)"]
      ])
    #expect(trace.samples.weight == [1000] && trace.sampleUnit == "ns")
    #expect(trace.statistics.ignored == ["samples of other events than the clock": 1])
    let thread = trace.tracks[Int(trace.samples.track[0])]
    #expect(thread.processID == 100 && thread.threadID == 101 && trace.strings[thread.name] == "my app 1")
    #expect(trace.diagnostics.isEmpty)
  }

  @Test func perfScriptWithOneEvent() throws {
    let trace = try read(
      "app 9 198789.478194:    1001001 cpu-clock: \n\t 63c f (/app)\n\napp 9 198789.5: 7 cpu-clock: \n")
    #expect(trace.samples.weight == [1_001_001, 7])
    #expect(trace.sampleUnit == "ns")
    #expect(trace.samples.stack == [0, -1])
  }

  /// `perf record` without `-g`: perf indents the names of programs, and `dd` could also be the address of a frame.
  @Test(arguments: ["dd", "a b", "sleep"]) func perfScriptWithoutStacks(comm: String) throws {
    let line = "              \(comm)  7425 54244.665395:     200040 cpu-clock:ppp:      7feb965c48c8 "
    let trace = try read(
      line + "do_lookup_x+0x360 (/lib/ld.so)\n" + line.replacing("395:", with: "595:") + "read_zero+0x3 ([kernel])\n")
    #expect(trace.samples.time == [54_244_665_395_000, 54_244_665_595_000])
    #expect(trace.samples.stack.map { stack(trace, $0) } == [["do_lookup_x (/lib/ld.so)"], ["read_zero ([kernel])"]])
    #expect(trace.samples.weight == [200_040, 200_040] && trace.sampleUnit == "ns")
    #expect(trace.strings[trace.tracks[Int(trace.samples.track[0])].name] == comm)
  }

  /// A thread has the name of the last program that it executed, and not that of the shell that started it.
  @Test func perfScriptOfAProgramThatExecutesAnother() throws {
    let samples = [":7 7/7", "make 7/7", "cc1 7/7", ":7 7/7", ":8 8/8"].enumerated().map {
      "\($1) 1.\($0): 7 cpu-clock: \n\t 1 f\n\n"
    }
    let trace = try read(samples.joined())
    #expect(
      trace.samples.track.map { trace.strings[trace.tracks[Int($0)].name] } == ["cc1", "cc1", "cc1", "cc1", ":8"])
  }

  /// perf prints -1 for a thread that had ended before its sample was written.
  @Test func perfScriptOfAThreadThatHasEnded() throws {
    let trace = try read(
      "app 9/10 1.5: 7 cpu-clock: \n\t 63c f (/app)\n\n:-1    -1 [001] 1.6: 7 cpu-clock: \n\t 63d g (/app)\n\n"
        + ":-1 -1/-1 1.7: 7 cpu-clock: \n\t 63d g (/app)\n\n")
    #expect(trace.samples.stack.map { stack(trace, $0) } == [["f (/app)"], ["g (/app)"], ["g (/app)"]])
    #expect(trace.samples.track.map { trace.tracks[Int($0)].threadID } == [10, -1, -1])
    #expect(trace.diagnostics.isEmpty)
  }

  /// perf prints `(inlined)` instead of the image of an inlined function. The function that contains it comes next.
  /// `--deltatime` prints the time since the line before, `--reltime` that since the first one.
  @Test(arguments: [
    ([0, 900, 300, 700, 100, 2000], [0, 900, 1200, 1900, 4000]),
    ([0, 300, 900, 1000, 1500, 2000], [0, 300, 900, 1000, 2000]),
  ]) func perfScriptWithTimesSinceTheLineBefore(printed: [Int], times: [Int64]) throws {
    let lines = printed.enumerated().map { row, time in
      let event = row == 4 ? "PERF_RECORD_COMM: app:9/9" : "1 cpu-clock: \n\t 1 main (/bin/app)\n"
      return "app 9 0.\(String(repeating: "0", count: 6 - "\(time)".count))\(time): \(event)\n"
    }
    let trace = try read(lines.joined())
    #expect(trace.samples.time == times.map { $0 * 1000 } && trace.hasTimes)
  }

  @Test func perfScriptWithInlinedFunctions() throws {
    let trace = try read(
      "a 1 1.5: 7 cpu-clock: \n\t 15c1a leaf+0x5 (inlined)\n\t 15c1a middle(int)+0x5 (inlined)\n\t 1a303 outer+0x3 (/lib/l.so)\n"
        + "\t 1bccb inner (inlined)\n\t 1bccb main ([unknown])\n\n")
    #expect(
      trace.samples.stack.map { stack(trace, $0) } == [
        ["main", "inner", "outer (/lib/l.so)", "middle(int) (/lib/l.so)", "leaf (/lib/l.so)"]
      ])
  }

  /// `perf script -F +srcline` prints a line after each frame.
  @Test func perfScriptWithSourceLines() throws {
    let sample = "\t 15c1a leaf+0x5\n  cpu features.h:3 (inlined)\n\t 1a303 outer+0x3 (/lib/l.so)\n  main.c:118\n"
    let trace = try read(
      "a 1 1.5: 7 cpu-clock: \n" + sample + "\t 1ab77 _start+0x7 (/lib/l.so)\n  :0\n\na 1 1.6: 7 cpu-clock: \n" + sample
    )
    #expect(
      trace.samples.stack.map { stack(trace, $0) } == [
        ["_start (/lib/l.so)", "outer (/lib/l.so)", "leaf (/lib/l.so)"], ["outer (/lib/l.so)", "leaf (/lib/l.so)"],
      ])
    #expect(trace.diagnostics.isEmpty && trace.statistics.skipped == ["lines after frames": 5])
  }

  /// `-F +misc`: the modes are before the time, or take its place.
  @Test(arguments: ["", "[003] "]) func perfScriptWithModes(cpu: String) throws {
    let text =
      "app  4826 \(cpu)U     7.5:    1001001 cpu-clock:ppp: \n\t 63c f (/app)\n\n"
      + "app 4826/4827 \(cpu)K     7.6:    1001001 cpu-clock:ppp: \n\t 63c f (/app)\n\n"
    let trace = try read(text)
    #expect(trace.hasTimes && trace.samples.time == [7_500_000_000, 7_600_000_000])
    #expect(trace.samples.track.map { trace.tracks[Int($0)].threadID } == [4826, 4827])
    #expect(trace.samples.weight == [1_001_001, 1_001_001] && trace.sampleUnit == "ns")
    let untimed = try read(text.replacing("7.5:", with: "").replacing("7.6:", with: ""))
    #expect(!untimed.hasTimes && untimed.samples.weight == [1_001_001, 1_001_001])
    #expect(untimed.samples.track.map { untimed.tracks[Int($0)].threadID } == [4826, 4827])
  }
  @Test func perfScriptWithoutTimes() throws {
    let text =
      "java 12688 cycles:\n\t7f1 inner+0x1 (/lib/x.so)\n\t7f2 main (/bin/java)\n\n"
      + "swapper     0 [001] 5 cycles:\n\tffff idle ([kernel])\n\n"
    let trace = try read(text + "java 12688/12690 cycles:u:\n\t7f1 inner+0x1 (/lib/x.so)\n")
    #expect(trace.format == .perfScript && !trace.hasTimes)
    #expect(trace.samples.stack.map { stack(trace, $0).count } == [2, 1, 1])
    #expect(trace.samples.time == [0, 1, 6])
    #expect(trace.samples.weight == [1, 5, 1] && trace.sampleUnit == "cycles")
    let one = try read("java 1 7 cycles:\n\t7f1 f\n\njava 1 3 cycles:\n\t7f1 f\n\njava 1 3 cycles:\n\t7f1 f\n")
    #expect(one.samples.time == [0, 7, 10] && one.samples.weight == [7, 3, 3] && one.sampleUnit == "cycles")
    // A clock without periods says how often, and not how long.
    let clock = try read("java 1 cpu-clock:ppp:\n\t7f1 f\n\njava 1 cpu-clock:ppp:\n\t7f1 f\n")
    #expect(clock.samples.weight == [1, 1] && clock.sampleUnit == "count")
  }

  @Test func folded() throws {
    let trace = try read("\u{FEFF}# comment\nmain;a;b 3\r\nmain;a 2\nmain;c 1.5\n\nno number\n")
    #expect(trace.samples.weight == [3, 2, 2])
    #expect(trace.samples.time == [0, 3, 5])
    #expect(trace.samples.stack.map { stack(trace, $0) } == [["main", "a", "b"], ["main", "a"], ["main", "c"]])
    #expect(trace.stacks.count == 4)
    #expect(trace.diagnostics.map(\.offset) == [46])
  }

  /// A difference of profiles has them. They were called damage.
  @Test func foldedWithNegativeCounts() throws {
    let trace = try read("main;a 3\nmain;b -4\nmain;c 2\n")
    #expect(trace.samples.weight == [3, 2] && trace.samples.time == [0, 3] && trace.diagnostics.isEmpty)
    #expect(trace.statistics.ignored == ["samples of a negative weight, as a difference of profiles has them": 1])
  }

  @Test func instruments() throws {
    let trace = try read(SampleInput.instruments)
    #expect(
      trace.samples.stack.map { stack(trace, $0) } == [
        ["main", "delta()"], ["main", "delta()", "alpha()"], ["main", "gamma()"],
      ])
    #expect(trace.samples.weight == [1_000_000, 1_000_000, 1_000_000])
    #expect(trace.sampleUnit == "ns")
  }

  @Test func olderInstruments() throws {
    let trace = try read(
      """
      Running Time\tSelf (ms)\t\tSymbol Name
      4.5s  100.0%\t0.0\t \tmain
      3.0s   66.6%\t3000.0\t \t alpha
      1.0s   22.2%\t1000.0\t \t beta

      """)
    #expect(trace.samples.stack.map { stack(trace, $0) } == [["main", "alpha"], ["main", "beta"], ["main"]])
    #expect(trace.samples.weight == [3_000_000_000, 1_000_000_000, 500_000_000])
    let bytes = try read("Bytes Used\tCount\t\tSymbol Name\n1.50 KB 100.0%\t3\t \tmain\n24 Bytes   1.0%\t1\t \t f\n")
    #expect(bytes.samples.weight == [24, 1512])
    #expect(bytes.sampleUnit == "bytes")
    // Bytes are no times.
    #expect(!bytes.hasTimes)
  }

  /// Counters: a row without own weight has a `-`. Its weight is that of the rows in it.
  @Test func instrumentsCounters() throws {
    let trace = try read(
      """
      Weight\tSelf Weight\t\tSymbol Name
      6.00 Kc  100.0%\t-\t \tmain
      4.01 Kc   66.7%\t-\t \t alpha
      4.01 Kc   66.7%\t4.01 Kc\t \t  beta
      1.50 Kc   25.0%\t532 cycles\t \t gamma
      1.00 Kc   16.6%\t1.00 Kc\t \t  beta

      """)
    #expect(
      trace.samples.stack.map { stack(trace, $0) } == [
        ["main", "alpha", "beta"], ["main", "gamma"], ["main", "gamma", "beta"],
      ])
    #expect(trace.samples.weight == [4010, 532, 1000])
    #expect(trace.sampleUnit == "cycles")
    #expect(!trace.hasTimes)
  }

  @Test func childrenThatAreHeavierThanAllTime() throws {
    let trace = try read(
      "Running Time\tCount\t\tSymbol Name\n1 s\t1\t \tmain\n9000000000 s\t1\t \t f\n9000000000 s\t1\t \t g\n")
    #expect(trace.statistics.unsound > 0)
  }

  @Test func xctraceExport() throws {
    let trace = try read(SampleInput.xctrace)
    let outer = " (/Applications/app) \(0x1800ab)"
    #expect(
      trace.samples.stack.map { stack(trace, $0) } == [
        [outer, "f(Array<Int>) (/Applications/app)"], [outer, "f(Array<Int>) (/Applications/app)"], [outer, "main"],
      ])
    #expect(trace.samples.time == [101_000_000, 102_000_000, 103_000_000])
    #expect(trace.samples.weight == [1_000_000, 1_000_000, 1_000_000])
    #expect(Set(trace.samples.track).count == 1)
    let thread = trace.tracks[Int(trace.samples.track[0])]
    #expect(thread.processID == 77 && thread.isMainThread)
    #expect(trace.strings[thread.name] == "Main Thread")
  }

  /// XML allows `>` in values, and names of Swift contain it. An apostrophe in a comment is no quote.
  @Test func xctraceNamesMayHoldTheEndOfATag() throws {
    let text = SampleInput.xctrace.replacingOccurrences(of: "f(Array&lt;Int&gt;)", with: "f(Array&lt;Int>) -> 'x")
    #expect(text != SampleInput.xctrace)
    let trace = try read(text.replacingOccurrences(of: "<row>", with: "<!-- it's --><row>"))
    #expect(
      trace.samples.stack.map { stack(trace, $0).last } == [
        "f(Array<Int>) -> 'x (/Applications/app)", "f(Array<Int>) -> 'x (/Applications/app)", "main",
      ])
  }

  /// Only the first thread of a process describes it. The others refer to it.
  @Test func xctraceThreadsOfOneProcess() throws {
    let row =
      "<row><sample-time id='20'>104000000</sample-time><thread id='21' fmt='worker 0x20 (app, pid: 77)'>"
      + "<tid id='22'>32</tid><process ref='4'/></thread><weight ref='7'/><backtrace ref='8'/></row></node>"
    let trace = try read(SampleInput.xctrace.replacingOccurrences(of: "</node>", with: row))
    #expect(trace.samples.stack == [1, 1, 2, 1])
    let thread = trace.tracks[Int(trace.samples.track[3])]
    #expect(thread.processID == 77 && thread.threadID == 32 && trace.strings[thread.name] == "worker")
    #expect(trace.processes.map(\.processID) == [77])
  }

  /// A row can refer to a stack of any length, which must not be walked through for each row.
  @Test func xctraceStacksAreCutAtTheirOuterEnd() throws {
    let frames = String(repeating: "<frame ref='9'/>", count: 5_000)
    let text = SampleInput.xctrace.replacingOccurrences(
      of: "</backtrace></row>\n<row><sample-time id=\"12\"",
      with: frames + "</backtrace></row>\n<row><sample-time id=\"12\"")
    let trace = try read(text)
    #expect(text.utf8.count > SampleInput.xctrace.utf8.count)
    #expect(stack(trace, trace.samples.stack[1]).count == 4_096)
  }

  @Test func aForeignTimeProfileAddsUp() throws {
    for foreign in try SharedData.foreignTraces() where foreign.file.hasPrefix("instruments/") {
      let trace = try TraceReader().read(path: foreign.path)
      #expect(trace.samples.count > 10)
      // The total of the first row is 4.93 s. Weights are printed with three digits.
      #expect(abs(trace.samples.weight.reduce(0, +) - 4_930_000_000) < 50_000_000)
    }
  }
}
