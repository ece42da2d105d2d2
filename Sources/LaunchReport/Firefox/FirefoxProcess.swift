// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

/// The threads of one launch, each in its process: Firefox Profiler groups them so.
struct FirefoxProcess {
  let shown: ViewerLaunch
  let isAlone: Bool
  /// The row of the profile's stacks that the trace's first one has.
  let stacks: Int64
  private var trace: Trace { shown.timeline.trace }
  private var timeline: LaunchTimeline { shown.timeline }

  func write(to json: inout JSONWriter, tables: inout FirefoxTables) {
    let names = Dictionary(trace.processes.map { ($0.processID, $0.name) }) { first, _ in first }
    for (place, thread) in shown.threads.enumerated() {
      json.object { json in
        writeFacts(thread, place, names, to: &json)
        json.object("samples") { write(samples: thread.samples, to: &$0) }
        json.object("markers") { FirefoxMarkers(thread, of: shown).write(to: &$0, tables: &tables) }
      }
    }
  }

  private func writeFacts(
    _ thread: ViewerLaunch.Thread, _ place: Int, _ names: [Int32: String], to json: inout JSONWriter
  ) {
    var program = timeline.program.isEmpty ? "program" : timeline.program
    var processID = timeline.processID
    let track = thread.track.map { trace.tracks[Int($0)] }
    if let track, track.processID != processID, names.count > 1 {
      processID = track.processID
      program = names[processID].flatMap { $0.isEmpty ? nil : $0 } ?? "process \(processID)"
    }
    json.values([
      "processType": "default", "processName": isAlone ? program : "\(program), \(shown.title)",
      "name": thread.title, "isMainThread": thread.isMain,
      // The same process id may come twice; every thread of the profile needs an id of its own.
      "pid": isAlone ? "\(processID)" : "\(shown.launch.number).\(processID)",
      "tid": "\(shown.launch.number).\(place).\(track?.threadID ?? 0)", "processStartupTime": 0, "registerTime": 0,
    ])
    json.null("processShutdownTime")
    json.null("unregisterTime")
    json.array("pausedRanges") { _ in }
    json.value("showMarkersInTimeline", true)
  }

  private func write(samples rows: [Int32], to json: inout JSONWriter) {
    let samples = trace.samples
    json.column("stack", rows.lazy.map { stacks + Int64(samples.stack[Int($0)]) })
    json.array("time") { json in
      for row in rows { json.milliseconds(nil, samples.time[Int(row)] - timeline.start) }
    }
    if trace.sampleUnit == "ns" {
      json.value("weightType", "tracing-ms")
      json.array("weight") { json in
        for row in rows { json.milliseconds(nil, samples.weight[Int(row)]) }
      }
    } else {
      json.value("weightType", trace.sampleUnit == "bytes" ? "bytes" : "samples")
      json.column("weight", rows.lazy.map { samples.weight[Int($0)] })
    }
    json.value("length", rows.count)
  }
}
