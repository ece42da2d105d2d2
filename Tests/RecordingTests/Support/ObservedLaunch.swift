// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import LaunchTrace
import TestSupport

/// The trace that `launchprof record` wrote, and the report of `launchprof report` on it.
struct ObservedLaunch {
  /// A row of the phases' table.
  struct Phase {
    var id: String
    /// With the phases around it: `load;libc.so.6`.
    var path: String
    /// ns, from the start of the launch.
    var start: Int64
    var duration: Int64
    var source: String
    /// Of the whole launch.
    var total: Int64
    /// Time that the main thread was on a CPU, ns; -1 if unknown.
    var running: Int64
    /// Time that it slept until it ran again, ns. The kernel does not tell when it became runnable.
    var sleeping: Int64
    var end: Int64 { start + duration }
  }

  let trace: Trace
  let phases: [Phase]

  init(_ launchprof: Launchprof, _ path: String) throws {
    trace = try TraceReader().read(path: path)
    let run = try launchprof.run(["report", path, "--format", "csv", "--rows", "phases"])
    guard run.succeeded else { throw ToolFailure("report: \(run.errorText)") }
    let lines = run.text.split(separator: "\r\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let header = lines.first ?? []
    phases = lines.dropFirst().map { line in
      let row = Dictionary(zip(header, line)) { first, _ in first }
      return Phase(
        id: row["phase"] ?? "", path: row["path"] ?? "", start: Int64(row["start_ns"] ?? "") ?? -1,
        duration: Int64(row["duration_ns"] ?? "") ?? -1, source: row["source"] ?? "",
        total: Int64(row["total_ns"] ?? "") ?? -1, running: Int64(row["running_ns"] ?? "") ?? -1,
        sleeping: Int64(row["sleeping_ns"] ?? "") ?? 0)
    }
  }

  /// Top-level phases.
  var top: [Phase] { phases.filter { !$0.path.contains(";") } }

  func phase(_ id: String) -> Phase? { top.first { $0.id == id } }

  /// Times and annotations of the instants of a category and name.
  func instants(_ category: String, _ name: String) -> [(
    time: Int64, process: Int32, annotations: [String: AnnotationValue]
  )] {
    let table = trace.instants
    return (0..<table.count).compactMap { row in
      guard trace.strings[StringID(rawValue: table.category[row])] == category,
        trace.strings[StringID(rawValue: table.name[row])] == name
      else { return nil }
      let entries = trace.annotations[table.annotation[row]].map { (trace.strings[$0.0], $0.1) }
      return (
        table.time[row], trace.tracks[Int(table.track[row])].processID, Dictionary(entries) { first, _ in first }
      )
    }
  }

  func points(_ name: String) -> [Int64] { instants("launchprof.point", name).map(\.time) }

  /// An annotation of the launcher's event.
  func fact(_ key: String) -> AnnotationValue? {
    instants("launchprof.launcher", "launcher").first?.annotations[key]
  }
}
