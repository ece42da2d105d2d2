// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import LaunchTrace

/// What is read from other profilers' profiles, row by row.
@Suite struct ProfileImporterTests {
  func read(_ bytes: [UInt8]) throws -> Trace {
    try bytes.withUnsafeBytes { try TraceReader().read(bytes: $0) }
  }

  func read(_ text: String) throws -> Trace { try read(Array(text.utf8)) }

  /// A sample's stack, outermost first: `function image:address file:line`.
  func stack(_ trace: Trace, _ sample: Int) -> [String] {
    var frames: [String] = []
    var row = Int(trace.samples.stack[sample])
    while row >= 0 {
      let frame = trace.stacks[row]
      let words = [frame.function, frame.image, frame.file]
        .map { trace.strings[StringID(rawValue: $0)] }
      var text = words[0]
      if !words[1].isEmpty { text += " " + words[1] }
      if frame.address != 0 { text += "+\(frame.address)" }
      if !words[2].isEmpty { text += " \(words[2]):\(frame.line)" }
      frames.append(text)
      row = Int(trace.stacks.caller[row])
    }
    return frames.reversed()
  }

  private func threads(_ trace: Trace) -> [String] {
    trace.samples.track.map { row in
      row < 0 ? "" : "\(trace.strings[trace.tracks[Int(row)].name]) \(trace.tracks[Int(row)].isMainThread)"
    }
  }

  // MARK: Firefox

  @Test func firefox() throws {
    let trace = try read(ProfileInput.firefox)
    #expect(trace.format == .firefox && trace.hasTimes && trace.sampleUnit == "ns")
    #expect(trace.samples.time == [10_000_000, 11_000_000, 12_000_000, 14_500_000])
    // A sample of the first thread represents 2 ms.
    #expect(trace.samples.weight == [2_000_000, 2_000_000, 6_000_000, 2_000_000])
    #expect(threads(trace) == ["app true", "worker false", "app true", "app true"])
    #expect(
      (0..<4).map { stack(trace, $0) } == [
        ["main /bin/app /src/app.swift:3", "parseé /bin/app /src/app.swift:14"],
        ["main /bin/app /src/app.swift:3"],
        ["main /bin/app /src/app.swift:3", "open"], [],
      ])
    #expect(trace.processes.map(\.name).contains("app"))
  }

  @Test func markersAreSlicesAndInstants() throws {
    let trace = try read(ProfileInput.firefox)
    #expect(trace.slices.name.map { trace.strings[StringID(rawValue: $0)] } == ["phase", "half"])
    #expect(trace.slices.start == [1_000_000, 3_000_000] && trace.slices.duration == [8_000_000, 1_250_000])
    #expect(trace.slices.parent == [-1, 0])
    #expect(trace.strings[StringID(rawValue: trace.slices.category[0])] == "Load")
    let fields = trace.annotations[trace.slices.annotation[0]].map { (trace.strings[$0.key], $0.value) }
    #expect(fields.map(\.0) == ["type", "name"] && fields.map(\.1) == [.string("Text"), .string("a\n")])
    #expect(trace.instants.time == [2_500_000])
  }

  @Test func firefoxWithTablesInEachThread() throws {
    let trace = try read(ProfileInput.oldFirefox)
    #expect((0..<2).map { stack(trace, $0) } == [["start", " /lib/libx.so+8192"], ["start"]])
    #expect(trace.samples.time == [5_500_000, 6_500_000])
    #expect(threads(trace) == ["app true", "app true"])
  }

  /// A stack must come after its caller. Otherwise stacks could form a cycle.
  @Test func aStackBeforeItsCallerHasNone() throws {
    let trace = try read(
      ProfileInput.oldFirefox.replacingOccurrences(of: "\"prefix\": [null, 0]", with: "\"prefix\": [1, 0]"))
    #expect(stack(trace, 1) == ["start"])
    #expect(trace.statistics.defects == 1)
  }

  @Test func aProfileOfTheRecorderIsRefused() {
    let text = #"{"meta": {"version": 31, "stackwalk": 1, "processType": 0}, "libs": [], "threads": []}"#
    #expect { try read(text) } throws: { ($0 as? TraceError)?.message.contains("save it there") == true }
  }

  // MARK: speedscope

  @Test func speedscope() throws {
    let trace = try read(ProfileInput.speedscope)
    #expect(trace.format == .speedscope && !trace.hasTimes && trace.sampleUnit == "ns")
    #expect(
      threads(trace).sorted() == ["MainThread true", "MainThread true", "MainThread true", "Thread 2 \"worker\" false"])
    #expect(trace.samples.weight.sorted() == [10_000_000, 10_000_000, 10_000_000, 20_000_000])
    #expect(stack(trace, 0) == ["<module> app.py:9", "main app.py:3"])
    // The end of a profile without times is the sum of all its samples, on whatever thread they are.
    #expect(trace.samples.time == [0, 10_000_000, 30_000_000, 40_000_000])
  }

  /// PHP and Foundation's encoders escape slashes, and the latter write members in any order.
  @Test(arguments: [1, 10_000]) func speedscopeMayNameItsSchemaLast(frames: Int) throws {
    let names = [String](repeating: #"{"name":"f"}"#, count: frames).joined(separator: ",")
    let samples = [String](repeating: "[0]", count: frames).joined(separator: ",")
    let weights = [String](repeating: "2", count: frames).joined(separator: ",")
    let shared = #""shared":{"frames":[\#(names)]}"#
    let profiles =
      #""profiles":[{"endValue":2,"startValue":0,"type":"sampled","name":"p","unit":"none","#
      + #""samples":[\#(samples)],"weights":[\#(weights)]}]"#
    let schema = #""$schema":"https:\/\/www.speedscope.app\/file-format-schema.json""#
    for members in [[shared, profiles, schema], [profiles, shared, schema]] {
      let trace = try read("{" + members.joined(separator: ",") + "}")
      #expect(trace.format == .speedscope && trace.samples.count == frames)
    }
    let other = #expect(throws: TraceError.self) { try read(#"{"shared":{"frames":[\#(names)]}}"#) }
    #expect(other?.code == .unknownFormat)
  }

  /// Without times, the unit of the profile that the file shows is read.
  @Test(arguments: ["bytes", "none"]) func speedscopeReadsTheUnitOfTheShownProfile(shown: String) throws {
    let units = ["none", "bytes"]
    let profiles = units.map {
      #"{"type":"sampled","name":"\#($0)","unit":"\#($0)","startValue":0,"endValue":2,"samples":[[0]],"weights":[2]}"#
    }
    let trace = try read(
      #"{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"f"}]},"#
        + #""activeProfileIndex":\#(units.firstIndex(of: shown) ?? 0),"profiles":[\#(profiles.joined(separator: ","))]}"#
    )
    #expect(trace.samples.count == 1 && trace.tracks[Int(trace.samples.track[0])].isMainThread)
    #expect((trace.sampleUnit == "bytes") == (shown == "bytes"), "\(trace.sampleUnit)")
  }

  /// The first unit won, and nothing said that the other profiles were left out.
  @Test func speedscopeReadsTimesAndCountsTheOtherProfiles() throws {
    func profile(_ unit: String) -> String {
      #"{"type":"sampled","name":"\#(unit)","unit":"\#(unit)","startValue":0,"endValue":2,"samples":[[0]],"weights":[2]}"#
    }
    let evented = #"{"type":"evented","name":"e","unit":"bytes","startValue":0,"endValue":2,"events":[]}"#
    let text = [profile("bytes"), profile("milliseconds"), profile("none"), evented].joined(separator: ",")
    let trace = try read(
      #"{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"f"}]},"profiles":["#
        + text + "]}")
    #expect(trace.sampleUnit == "ns" && trace.samples.weight == [2_000_000])
    #expect(
      trace.statistics.ignored == ["sampled profiles of another unit": 2, "evented profiles that count no time": 1])
  }

  /// A report of it showed a launch of 0 µs.
  @Test func aFileOfEventsWithoutTimeIsRefused() {
    let text = ProfileInput.evented.replacingOccurrences(of: "microseconds", with: "none")
    let error = #expect(throws: TraceError.self) { try read(text) }
    #expect(error?.message.contains("evented profiles count no time") == true)
  }

  @Test func eventedProfilesAreSlices() throws {
    let trace = try read(ProfileInput.evented)
    #expect(trace.hasTimes && trace.slices.start == [0, 2500] && trace.slices.duration == [14_000, 2500])
    #expect(trace.slices.name.map { trace.strings[StringID(rawValue: $0)] } == ["a", "b"])
    #expect(trace.slices.parent == [-1, 0])
  }

  /// Files of a Python program all begin with `<module>`.
  @Test func functionsOfSeveralFilesStayApart() throws {
    let text = ProfileInput.speedscope
      .replacingOccurrences(of: "[0,1],[0],[]", with: "[0,3],[0,4],[0,3]")
      .replacingOccurrences(
        of: #""line":3},"#,
        with:
          #""line":3},{"name":"x"},{"name":"<module>","file":"a.py","line":1},{"name":"<module>","file":"b.py","line":1},"#
      )
    let trace = try read(text)
    // The last sample is of the other thread.
    #expect((0..<4).map { stack(trace, $0).last } == ["<module> a.py:1", "<module> b.py:1", "<module> a.py:1", "x"])
  }

  // MARK: V8

  @Test func cpuProfile() throws {
    let trace = try read(ProfileInput.cpuProfile)
    #expect(trace.samples.time == [1_100_000, 2_300_000, 3_100_000])
    // The last sample lasts until the profile ends.
    #expect(trace.samples.weight == [1_200_000, 800_000, 1_900_000] && trace.sampleUnit == "ns")
    #expect(
      (0..<3).map { stack(trace, $0) } == [
        ["(program)"], ["(anonymous) file:///app.js:1", "parse file:///app.js:7"], ["(anonymous) file:///app.js:1"],
      ])
  }

  /// Node waits for a timer or a connection.
  @Test func idleTimeIsNotAFunction() throws {
    let text = ProfileInput.cpuProfile.replacingOccurrences(of: "(program)", with: "(idle)")
    let trace = try read(text)
    #expect(trace.samples.time == [2_300_000, 3_100_000] && trace.samples.weight == [800_000, 1_900_000])
    #expect(trace.statistics.skipped == ["samples of idle time": 1] && trace.samplesWaits)
  }

  /// The format does not ask for the times of samples.
  @Test func cpuProfileWithoutTimesOfSamples() throws {
    let deltas = try #require(ProfileInput.cpuProfile.firstRange(of: #""timeDeltas":["#))
    let end = try #require(ProfileInput.cpuProfile[deltas.upperBound...].firstIndex(of: "]"))
    let text = ProfileInput.cpuProfile.replacingCharacters(in: deltas.upperBound..<end, with: "")
    let trace = try read(text)
    #expect(trace.samples.time == [1_000_000, 2_333_333, 3_666_666])
    #expect(trace.samples.weight == [1_333_333, 1_333_333, 1_333_334])
    #expect(trace.samples.stack == (try read(ProfileInput.cpuProfile)).samples.stack)
  }

  @Test func aNodeThatCallsItselfIsTheOutermost() throws {
    let text = ProfileInput.cpuProfile.replacingOccurrences(of: "\"children\":[2,3]", with: "\"children\":[2,3,1]")
    let (trace, expected) = (try read(text), try read(ProfileInput.cpuProfile))
    #expect((0..<3).map { stack(trace, $0) } == (0..<3).map { stack(expected, $0) })
  }

  /// Chrome's traces name the caller of a node, and so may a file that was made of one.
  @Test func aNodeMayNameItsCaller() throws {
    let text = ProfileInput.cpuProfile
      .replacingOccurrences(of: ",\"children\":[4]", with: "")
      .replacingOccurrences(of: "\"id\":4", with: "\"id\":4,\"parent\":3")
    let trace = try read(text)
    #expect(stack(trace, 1) == ["(anonymous) file:///app.js:1", "parse file:///app.js:7"])
  }

  // MARK: pprof

  @Test func pprof() throws {
    let trace = try read(ProfileInput.pprof())
    #expect(trace.format == .pprof && !trace.hasTimes && trace.sampleUnit == "ns")
    #expect(trace.samples.weight == [30_000_000, 10_000_000, 20_000_000])
    #expect(trace.samples.time == [0, 30_000_000, 40_000_000])
    #expect(
      (0..<3).map { stack(trace, $0) } == [
        [
          "main.main /bin/app /src/main.go:10", "main.outer /bin/app /src/main.go:20",
          "main.inlined /bin/app /src/main.go:30",
        ],
        ["main.main /bin/app /src/main.go:10"],
        // The address as the file counts it.
        ["main.main /bin/app /src/main.go:10", " /bin/app+\(0x4000)"],
      ])
  }

  @Test func pprofReadsTheTypeThatTheProfileNames() throws {
    var named = ProtobufWriter()
    named.varint(14, 1)
    let trace = try read(ProfileInput.pprof() + named.bytes)
    #expect(trace.samples.weight == [3, 1, 2] && trace.sampleUnit == "samples")
  }

  /// `pprof -proto -base` writes a difference.
  @Test func negativeWeightsAreNamed() throws {
    var difference = ProtobufWriter()
    difference.message(2) { sample in for value: Int64 in [-1, -5] { sample.varint(2, UInt64(bitPattern: value)) } }
    let trace = try read(ProfileInput.pprof() + difference.bytes)
    #expect(trace.samples.count == 3 && trace.statistics.unsound == 0)
    #expect(trace.statistics.ignored == ["samples of a negative weight, as a difference of profiles has them": 1])
  }

  /// Locations with thousands of inlined functions, in thousands of stacks, would make a tree of gigabytes.
  @Test func inlinedFunctionsOfPprofAreBounded() throws {
    var profile = ProtobufWriter()
    profile.bytes(6, UnsafeRawBufferPointer(start: nil, count: 0))
    profile.message(1) { $0.varint(1, 1) }
    profile.string(6, "samples")
    func location(_ id: UInt64, lines: Int) {
      profile.message(4) { location in
        location.varint(1, id)
        for line in 0..<lines { location.message(4) { $0.varint(2, id + UInt64(line)) } }
      }
    }
    location(1, lines: 5_000)
    for id: UInt64 in 2..<2_000 { location(id, lines: 1) }
    for id: UInt64 in 2..<2_000 {
      profile.message(2) { sample in
        for location in [1, 1, 1, id] { sample.varint(1, location) }
        sample.varint(2, 1)
      }
    }
    let trace = try read(profile.bytes)
    #expect(trace.samples.count == 1998)
    #expect(trace.stacks.count <= TraceLimits.frames(bytes: profile.bytes.count))
    #expect(trace.statistics.cutStacks > 500)
    #expect(stack(trace, 0).count == 1 + 3 * 256)
  }

  @Test func aPprofThatBreaksOffLosesItsTail() throws {
    let bytes = ProfileInput.pprof()
    let trace = try read(Array(bytes.dropLast(4)))
    #expect(trace.statistics.truncated && trace.samples.count == 3)
  }
}
