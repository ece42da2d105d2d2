// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchTrace
import TestSupport
import Testing

/// Profiles of V8 in Chrome's JSON, compared sample by sample with what trace_processor reads.
@Suite struct ProfileComparisonTests {
  /// Each sample's time, thread, innermost function and number of callers. Idle time is not a function here.
  private static let sql = """
    select s.ts, t.tid, f.name, c.depth from cpu_profile_stack_sample s join thread t using (utid)
    join stack_profile_callsite c on c.id = s.callsite_id join stack_profile_frame f on f.id = c.frame_id
    where f.name != '(idle)' order by s.ts, t.tid, f.name, c.depth
    """

  private func rows(_ trace: Trace) -> [[String]] {
    var rows: [(Int64, Int32, String, Int)] = []
    for sample in 0..<trace.samples.count {
      let stack = Int(trace.samples.stack[sample])
      // trace_processor has a frame for V8's root.
      var (name, depth, row) = ("(root)", 0, stack)
      if stack >= 0 { name = trace.name(ofFrame: stack) }
      while row >= 0 { (depth, row) = (depth + 1, Int(trace.stacks.caller[row])) }
      let thread = trace.tracks[Int(trace.samples.track[sample])].threadID
      // Not a name: trace_processor leaves it empty.
      rows.append((trace.samples.time[sample], thread, name == "(anonymous)" ? "" : name, depth))
    }
    return rows.sorted { $0 < $1 }.map { ["\($0.0)", "\($0.1)", $0.2, "\($0.3)"] }
  }

  @Test func randomProfilesReadAlike() throws {
    var random = SeededGenerator()
    let directory = try TemporaryDirectory()
    let paths = try (0..<6).map { place in
      try directory.write(Array(Self.json(using: &random).utf8), to: "\(place).json")
    }
    for answer in try TraceProcessor.query(paths: paths, sql: [Self.sql]) {
      let trace = try TraceReader().read(path: answer.path)
      #expect(trace.diagnostics.isEmpty && answer.errors.isEmpty && !answer.rows[0].isEmpty)
      #expect(rows(trace) == answer.rows[0], "seed \(random.seed)")
    }
  }

  /// Another thread of Node writes the chunks. trace_processor counts the samples as that thread's.
  @Test func theProfileOfNodeReadsAlike() throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("trace.json")
    // Node profiles its main thread from the start of a worker on.
    let script = """
      const { Worker, isMainThread, parentPort } = require('worker_threads')
      function parse() { return JSON.parse(JSON.stringify(Array(1000).fill(1))).length }
      function load(turns) {
        const end = process.cpuUsage().user + 50000
        while (process.cpuUsage().user < end) parse()
        if (turns > 1) setTimeout(load, 5, turns - 1)
        else process.exit(0)
      }
      if (isMainThread) new Worker(__filename).on('message', () => load(12))
      else parentPort.postMessage('runs')
      """
    let run = try TestProcess.run(
      try Tools.node(),
      [
        "--trace-event-categories", "v8,disabled-by-default-v8.cpu_profiler", "--trace-event-file-pattern", path,
        try directory.write(Array(script.utf8), to: "app.js"),
      ])
    #expect(run.succeeded, "\(run.errorText)")
    let trace = try TraceReader().read(path: path)
    func withoutThread(_ rows: [[String]]) -> [String] { rows.map { "\($0[0]) \($0[2]) \($0[3])" }.sorted() }
    #expect(withoutThread(rows(trace)) == withoutThread(try TraceProcessor.query(path: path, sql: Self.sql)))
    #expect(!rows(trace).isEmpty)
    #expect(trace.samples.track.allSatisfy { trace.tracks[Int($0)].isMainThread })
    #expect(trace.statistics.ignored.isEmpty && trace.diagnostics.isEmpty)
  }

  /// Two threads with a profile each, whose nodes come in several chunks.
  private static func json(using random: inout SeededGenerator) -> String {
    var events: [String] = []
    func event(_ name: String, _ profile: Int, _ time: Int, _ data: String) {
      events.append(
        """
        {"args":{"data":{\(data)}},"cat":"c","id":"0x\(profile)","name":"\(name)","ph":"P","pid":7,"tid":\(profile + 7),"ts":\(time)}
        """)
    }
    for profile in 1...2 {
      event("Profile", profile, 1_000, "\"startTime\":\(profile * 1_000)")
      var nodes = 0
      for chunk in 1...Int.random(in: 1...5, using: &random) {
        let added = (0..<Int.random(in: 1...9, using: &random)).map { _ in
          nodes += 1
          let parent = nodes > 1 ? ",\"parent\":\(Int.random(in: 1..<nodes, using: &random))" : ""
          let name = nodes == 1 ? "(root)" : ["a", "b", "(idle)"].randomElement(using: &random) ?? ""
          return "{\"callFrame\":{\"functionName\":\"\(name)\",\"scriptId\":0},\"id\":\(nodes)\(parent)}"
        }
        let samples = (0..<Int.random(in: 0...30, using: &random)).map { _ in
          "\(Int.random(in: 1...nodes, using: &random))"
        }
        let steps = samples.map { _ in "\(Int.random(in: -20...900, using: &random))" }
        let profileData = "\"nodes\":[\(added.joined(separator: ","))],\"samples\":[\(samples.joined(separator: ","))]"
        event(
          "ProfileChunk", profile, 1_000 + chunk,
          "\"cpuProfile\":{\(profileData)},\"timeDeltas\":[\(steps.joined(separator: ","))]")
      }
    }
    return "[" + events.joined(separator: ",\n") + "]"
  }
}
