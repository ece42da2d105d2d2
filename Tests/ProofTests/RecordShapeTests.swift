// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchTrace
import TestSupport
import Testing

/// Prepared records for a name, a track or a message have the right contents, for every length.
struct RecordShapeTests {
  private func recorded() throws -> Trace {
    let directory = try TemporaryDirectory(keepsTraces: true)
    let program = try RecorderProgram.compile(PackageRoot.appending("Tests/RecorderShapes/main.c"), in: directory)
    let path = directory.appending("shapes.pftrace")
    let run = try TestProcess.run(program, adding: ["LAUNCHPROF_TRACE": path])
    #expect(run.succeeded, "\(run.outcome) \(run.text)\(run.errorText)")
    try TraceSchema.check(paths: [path])
    return try TraceReader().read(path: path)
  }

  /// The letters that the program writes, cut where the recorder cuts.
  private func text(_ length: Int) -> String {
    String(decoding: (0..<min(length, 2048)).map { UInt8(97 + $0 % 26) }, as: UTF8.self)
  }

  private func messages(_ annotation: UInt32, in trace: Trace) -> [String] {
    trace.annotations[annotation].compactMap { entry in
      guard trace.strings[entry.key] == "message", case .string(let text) = entry.value else { return nil }
      return text
    }
  }

  private func signpostID(_ annotation: UInt32, in trace: Trace) -> UInt64? {
    for entry in trace.annotations[annotation] {
      if trace.strings[entry.key] == "signpost_id", case .uint(let id) = entry.value { return id }
    }
    return nil
  }

  @Test func everyRecordIsRead() throws {
    let trace = try recorded()
    #expect(trace.diagnostics.isEmpty)
    expectMessages(in: trace)
    expectCounters(in: trace)
    expectClocks(in: trace)
  }

  private func expectMessages(in trace: Trace) {
    let lengths = Array(0..<300) + Array(2040..<2060) + Array(1..<20)
    let instants = trace.instants.name.indices.filter { trace.string(trace.instants.name[$0]) == "message" }
    let slices = trace.slices.name.indices.filter { trace.string(trace.slices.name[$0]) == "message" }
    let asyncs = trace.slices.name.indices.filter { trace.string(trace.slices.name[$0]) == "async" }
    #expect(instants.count == lengths.count && slices.count == lengths.count && asyncs.count == lengths.count)
    for (index, length) in lengths.enumerated() where index < min(instants.count, slices.count, asyncs.count) {
      let expected = length > 0 ? [text(length)] : []
      #expect(messages(trace.instants.annotation[instants[index]], in: trace) == expected)
      #expect(messages(trace.slices.annotation[slices[index]], in: trace) == expected)
      let ends = (length % 2 == 1 ? 1 : 0) + (length % 5 == 0 && length > 0 ? 1 : 0)
      #expect(
        messages(trace.slices.annotation[asyncs[index]], in: trace) == Array(repeating: text(length), count: ends))
      let id = length % 4 == 0 ? nil : UInt64.max >> UInt64(length % 64)
      #expect(signpostID(trace.slices.annotation[asyncs[index]], in: trace) == id)
      // The last ones have a category without an ID.
      let category = index < 320 ? "org.example/shapes" : ""
      #expect(trace.string(trace.instants.category[instants[index]]) == category)
      #expect(trace.string(trace.slices.category[slices[index]]) == category)
      #expect(trace.slices.duration[slices[index]] >= 0)
    }
  }

  /// A snapshot is of one moment, also if its thread was off the CPU meanwhile, which takes milliseconds.
  private func expectClocks(in trace: Trace) {
    let ahead = trace.clockSnapshots.compactMap { snapshot in
      snapshot.boottime.flatMap { boottime in snapshot.monotonic.map { boottime - $0 } }
    }
    // The reader keeps as many as a file of this size may have.
    #expect(ahead.count > 50_000)
    #expect(ahead.max()! - ahead.min()! < 500_000)
  }

  private func expectCounters(in trace: Trace) {
    var expected: [String: [Double]] = [:]
    for length in Array(1...20) + [30, 40, 50, 60, 70] {
      for place in stride(from: 0, to: length, by: 1 + length / 3) {
        let name = String(repeating: "-", count: place) + "x" + String(repeating: "-", count: length - place - 1)
        expected[name] = (0..<3).map { Double(length * 1000 + place) + Double($0) * 0.25 }
      }
    }
    var read: [String: [Double]] = [:]
    for row in 0..<trace.counters.count {
      let name = trace.strings[trace.tracks[Int(trace.counters.track[row])].name]
      read[name, default: []].append(trace.counters.value[row])
    }
    #expect(read == expected)
  }
}
