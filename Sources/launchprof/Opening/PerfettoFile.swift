// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import LaunchAnalysis
import LaunchSystem
import LaunchTrace
import LaunchViewer

/// A trace as a file for Perfetto's viewer: unchanged, or converted if the viewer cannot read its format.
enum PerfettoFile {
  /// - Throws: `ExitCode`, after printing why.
  static func make(_ paths: [String]) throws -> Served {
    guard paths.count == 1 else {
      throw fail("Perfetto shows one trace, not \(paths.count); name one", status: CommandStatus.failure)
    }
    let path = paths[0]
    let trace = try Reporting.read(path)
    let commands = commands(for: LaunchTimeline(trace: trace))
    if trace.format == .perfetto || trace.format == .chromeJSON {
      let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        throw fail("\(path): cannot be opened: \(systemMessage(errno))", status: CommandStatus.failure)
      }
      return Served(
        file: try ServedFile(descriptor: descriptor, name: path, contentType: "application/octet-stream"),
        commands: commands)
    }
    let descriptor = try PrivateFile.nameless()
    try Reporting.write([path], as: .chromeJSON, to: descriptor, name: "the trace")
    return Served(
      file: try ServedFile(descriptor: descriptor, name: "launch.json", contentType: "application/json"),
      commands: commands)
  }

  /// Commands that show the phases and the main thread at the top.
  private static func commands(for timeline: LaunchTimeline) -> [PerfettoCommand] {
    var commands: [PerfettoCommand] = []
    let phases = rows(timeline)
    if !phases.isEmpty {
      commands.append(.sliceTrack(query: phases.joined(separator: " union all "), title: "Launch phases"))
      commands.append(.pinTracks(matching: "^Launch phases$"))
    }
    if let main = timeline.mainThread {
      let track = timeline.trace.tracks[Int(main.rawValue)]
      let name = timeline.trace.strings[track.name]
      commands.append(.pinTracks(matching: "^\(PerfettoCommand.literal(name)) \(track.threadID)$"))
    }
    return commands
  }

  /// The most phases in the link.
  private static let mostPhases = 60

  /// The trace has no slices for derived phases, so the query contains all phases.
  private static func rows(_ timeline: LaunchTimeline) -> [String] {
    timeline.phases.prefix(mostPhases).map { phase in
      let name = phase.id.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
      return "select \(phase.start) as ts, \(phase.duration) as dur, '\(name)' as name"
    }
  }
}
