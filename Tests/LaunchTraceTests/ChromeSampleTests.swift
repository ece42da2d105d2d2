// SPDX-License-Identifier: Apache-2.0

import FuzzSupport
import TestSupport
import Testing

@testable import LaunchTrace

/// The samples of Chrome's JSON: profiles of V8, and `samples` with `stackFrames`.
@Suite struct ChromeSampleTests {
  private func read(_ text: String) throws -> Trace { try Trace(reading: Array(text.utf8)) }

  /// A sample's stack, outermost first: `function (image) file:line`.
  private func stack(_ trace: Trace, _ sample: Int) -> [String] {
    var frames: [String] = []
    var row = Int(trace.samples.stack[sample])
    while row >= 0 {
      let frame = trace.stacks[row]
      let (image, file) = (
        trace.strings[StringID(rawValue: frame.image)], trace.strings[StringID(rawValue: frame.file)]
      )
      var text = trace.name(ofFrame: row)
      if !image.isEmpty { text += " (\(image))" }
      if !file.isEmpty { text += " \(file):\(frame.line)" }
      frames.append(text)
      row = Int(trace.stacks.caller[row])
    }
    return frames.reversed()
  }

  private func stacks(_ trace: Trace) -> [[String]] { (0..<trace.samples.count).map { stack(trace, $0) } }

  private func threads(_ trace: Trace) -> [[Int32]] {
    trace.samples.track.map { track in
      track < 0 ? [] : [trace.tracks[Int(track)].processID, trace.tracks[Int(track)].threadID]
    }
  }

  // MARK: V8

  @Test func profilesOfV8() throws {
    let trace = try read(SampleInput.v8)
    // The sample that comes after the one of 2,300 µs was taken before it, and is idle.
    #expect(trace.samples.time == [1_100_000, 2_300_000, 2_800_000, 3_000_000])
    #expect(trace.samples.weight == [900_000, 500_000, 200_000, 2_000_000] && trace.sampleUnit == "ns")
    #expect(trace.samplesWaits && trace.hasTimes && trace.diagnostics.isEmpty)
    #expect(trace.statistics.skipped == ["samples of idle time": 1] && trace.statistics.ignored.isEmpty)
    #expect(threads(trace) == Array(repeating: [7, 8], count: 4))
    let parse = ["(anonymous) http://a/b.js:1", "parse http://a/b.js:7"]
    #expect(stacks(trace) == [["(program)"], ["(anonymous) http://a/b.js:1"], parse, parse])
  }

  /// The chunks of a profile are in the order of their events' times, and a caller may be in a later one.
  @Test func chunksMayComeInAnyOrder() throws {
    let text = SampleInput.v8
    let second = try #require(text.range(of: #"{"args":{"data":{"cpuProfile":{"nodes":["# + "\n"))
    let end = try #require(text.range(of: #"{"args":{"data":{"endTime""#))
    let chunk = text[second.lowerBound..<end.lowerBound]
    let moved = "[" + chunk + text.dropFirst().replacing(chunk, with: "")
    let (trace, expected) = (try read(moved), try read(text))
    #expect(trace.samples.time == expected.samples.time && trace.samples.weight == expected.samples.weight)
    #expect(stacks(trace) == stacks(expected))
  }

  @Test func aProfileWithoutABeginningHasNoTimes() throws {
    let trace = try read(SampleInput.v8.replacing(#""name":"Profile""#, with: #""name":"Other""#))
    #expect(trace.samples.count == 0)
    #expect(trace.statistics.ignored == ["samples of a profile whose beginning is missing": 5])
    #expect(trace.statistics.skipped == ["events of phase P": 1])
  }

  /// Each isolate of V8 counts its nodes from 1.
  @Test func profilesHaveNodesOfTheirOwn() throws {
    func events(_ id: Int, _ thread: Int, _ name: String) -> String {
      """
      {"ph":"P","name":"Profile","id":"\(id)","pid":1,"tid":\(thread),"ts":1,"args":{"data":{"startTime":\(id)}}},
      {"ph":"P","name":"ProfileChunk","id":"\(id)","pid":1,"tid":9,"ts":2,"args":{"data":{"timeDeltas":[1],
        "cpuProfile":{"nodes":[{"id":1,"callFrame":{"functionName":"\(name)"}}],"samples":[1]}}}}
      """
    }
    let trace = try read("[" + events(1, 1, "page") + "," + events(2, 2, "worker") + "]")
    #expect(stacks(trace) == [["page"], ["worker"]] && threads(trace) == [[1, 1], [1, 2]])
  }

  /// Chrome's developer tools save a profile of Node as one event.
  @Test func anEventMayHoldAWholeProfile() throws {
    func event(_ thread: Int, phase: String = "X") -> String {
      """
      {"name":"CpuProfile","ph":"\(phase)","pid":1,"tid":\(thread),"ts":5000,"dur":0,"cat":"",
        "args":{"data":{"cpuProfile":\(ProfileInput.cpuProfile)}}}
      """
    }
    let trace = try read("{\"traceEvents\":[\(event(1)),\(event(2, phase: "I"))]}")
    let whole = try read(ProfileInput.cpuProfile)
    #expect(trace.slices.count == 0 && trace.instants.count == 0 && trace.annotations.count == 0)
    #expect(threads(trace).filter { $0 == [1, 1] }.count == 3 && threads(trace).filter { $0 == [1, 2] }.count == 3)
    let main = (0..<6).filter { threads(trace)[$0] == [1, 1] }
    #expect(main.map { stack(trace, $0) } == stacks(whole) && trace.sampleUnit == "ns" && trace.samplesWaits)
    #expect(main.map { trace.samples.time[$0] } == whole.samples.time)
    #expect(main.map { trace.samples.weight[$0] } == whole.samples.weight)
    let other = try read(#"[{"name":"CpuProfile","ph":"X","pid":1,"tid":1,"ts":1,"dur":2,"args":{"data":{}}}]"#)
    #expect(other.slices.count == 1)
  }

  // MARK: Listed samples

  @Test func listedSamples() throws {
    let trace = try read(SampleInput.jsonSamples)
    #expect(trace.samples.time == [10_000, 11_500, 12_000, 13_000] && trace.samples.weight == [2, 1, 5, 1])
    #expect(trace.sampleUnit == "count" && trace.hasTimes && !trace.samplesWaits)
    // The format names no process. One thread with this id has one.
    #expect(threads(trace) == [[7, 8], [7, 8], [], [7, 9]])
    let main = ["(anonymous)", "main (/bin/app) main.c:5"]
    #expect(stacks(trace) == [main, main + ["readé (/lib/libc.so.6)"], [], []])
    #expect(trace.statistics.skipped.isEmpty && trace.diagnostics.isEmpty)
  }

  /// A trace has one unit.
  @Test func listedSamplesBesideAProfileCountTime() throws {
    let text = #"{"samples":[{"tid":8,"ts":5,"sf":1}],"stackFrames":{"1":{"name":"a"}},"traceEvents":"# + SampleInput.v8
    let trace = try read(text + "}")
    #expect(trace.statistics.skipped == ["samples of idle time": 1, "samples that do not count time": 1])
    #expect(stacks(trace) == stacks(try read(SampleInput.v8)))
    let timed = try read(text + #","otherData":{"sampleUnit":"ns"}}"#)
    #expect(timed.samples.count == trace.samples.count + 1 && stacks(timed)[0] == ["a"])
  }

  @Test func brokenSamplesArePassedOver() throws {
    let text = SampleInput.jsonSamples
      .replacing(#""ts": 12,"#, with: #""ts": @,"#)
      .replacing(#""3": {"category""#, with: #""3": {@"category""#)
    let trace = try read(text)
    #expect(trace.samples.time == [10_000, 11_500, 13_000] && trace.diagnostics.count == 2)
    #expect(stacks(trace) == [[], ["readé (/lib/libc.so.6)"], []])
    let cut = try read(String(SampleInput.jsonSamples.dropLast(20)))
    #expect(cut.statistics.truncated && cut.samples.count == 4)
  }

  // MARK: What launchprof writes

  @Test(arguments: SampleInput.all) func writtenSamplesAreReadAgain(sample: SampleInput) throws {
    let trace = try Trace(reading: sample.bytes)
    var bytes: [UInt8] = []
    try ChromeTraceExporter().write(trace) { bytes += $0 }
    let again = try Trace(reading: bytes)
    #expect(again.diagnostics.isEmpty && again.statistics.ignored.isEmpty)
    #expect(again.samples.time == trace.samples.time && again.samples.weight == trace.samples.weight)
    #expect(stacks(again) == stacks(trace) && threads(again) == threads(trace))
    if trace.samples.count == 0 { return }
    #expect(again.sampleUnit == trace.sampleUnit && again.samplesWaits == trace.samplesWaits)
    #expect(again.hasTimes == trace.hasTimes)
  }

  // MARK: What is hostile

  /// Nodes that call each other in a circle, and deeper than any real stack.
  @Test func endlessStacksAreCut() throws {
    let circle =
      #"{"traceEvents":[],"stackFrames":{"1":{"name":"a","parent":2},"2":{"name":"b","parent":1},"3":{"parent":3}},"#
    let trace = try read(circle + #""samples":[{"ts":1,"sf":1},{"ts":2,"sf":2},{"ts":3,"sf":3},{"ts":4,"sf":4}]}"#)
    #expect(stacks(trace) == [["b", "a"], ["b"], ["(anonymous)"], []])
    let count = 40_000
    let frames = (1...count).map { "\"\($0)\":{\"name\":\"f\",\"parent\":\($0 + 1)}" }
    let deep = try read(
      "{\"traceEvents\":[],\"stackFrames\":{\(frames.joined(separator: ","))},\"samples\":[{\"ts\":1,\"sf\":1}]}")
    #expect(stack(deep, 0).count == StackInterning.longestStack)
  }

  private func profile(nodes: Int, samples: Int) -> String {
    let list = (1...nodes).map { "{\"id\":\($0)}" }.joined(separator: ",")
    let (ones, zeros) = (Array(repeating: "1", count: samples), Array(repeating: "0", count: samples))
    return """
      [{"ph":"P","name":"Profile","pid":1,"ts":1,"args":{"data":{"startTime":1}}},
       {"ph":"P","name":"ProfileChunk","pid":1,"ts":1,"args":{"data":{"cpuProfile":{"nodes":[\(list)],
       "samples":[\(ones.joined(separator: ","))]},"timeDeltas":[\(zeros.joined(separator: ","))]}}}]
      """
  }

  /// A node takes twelve bytes of the file.
  @Test(.smallerLimits) func nodesAreBounded() throws {
    let text = profile(nodes: 6_000, samples: 1)
    let trace = try read(text)
    #expect(trace.statistics.cutStacks >= 6_000 - TraceLimits.nodes(bytes: text.utf8.count))
    #expect(trace.statistics.cutStacks > 1_000 && stacks(trace) == [["(anonymous)"]])
  }

  /// A sample takes four bytes of the file.
  @Test(.smallerLimits) func samplesAreBounded() throws {
    let many = 8_000
    let text = profile(nodes: 1, samples: many)
    let trace = try read(text)
    #expect(trace.samples.count <= TraceLimits.samples(bytes: text.utf8.count) && trace.samples.count < many)
    #expect(trace.samples.count + (trace.statistics.ignored["more samples than a file of its size has"] ?? 0) == many)
    #expect(TraceInvariants.violations(trace).isEmpty)
  }

  /// Profiles within profiles are not followed.
  @Test func nestedProfilesAreHarmless() throws {
    let depth = 200_000
    let open = String(repeating: #"{"cpuProfile":"#, count: depth)
    let text =
      #"[{"ph":"P","name":"ProfileChunk","ts":1,"args":{"data":"# + open + "{}" + String(repeating: "}", count: depth)
      + "}}]"
    #expect(try read(text).samples.count == 0)
  }
}
