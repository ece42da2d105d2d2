// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchAnalysis
import LaunchReport
import LaunchSystem
import LaunchTrace
import LaunchViewer

/// A trace as a file for Perfetto's viewer: unchanged, or converted if the viewer cannot read its format.
enum PerfettoFile {
  /// The file, and what the viewer is to do with it.
  typealias Made = (file: ServedFile, commands: [PerfettoCommand])

  /// - Throws: `TraceError`, `ServingError`; `ExitCode`, after printing why.
  static func make(_ paths: [String]) throws -> Made {
    guard paths.count == 1 else { throw fail("Perfetto shows one trace, not \(paths.count); name one") }
    let path = paths[0]
    let file = try rereadable(path)
    let trace = try read(file, name: path)
    let timeline = LaunchTimeline(trace: trace)
    if trace.format == .perfetto || (trace.format == .chromeJSON && !trace.perfettoLacksSamples) {
      return try served(try unchanged(file), name: path, commands: commands(for: timeline))
    }
    let descriptor = try PrivateFile.nameless()
    guard trace.samples.count > 0 else {
      try Reporting.write([file], as: .chromeJSON, to: descriptor, name: "the trace")
      return try served(descriptor, name: "launch.json", type: "application/json", commands: commands(for: timeline))
    }
    guard trace.hasTimes else {
      throw fail(
        "\(path): its samples have no times, and Perfetto shows only what has one; use --in speedscope or --in firefox")
    }
    var shift: Int64 = 0
    try FileOutput.write(to: descriptor, name: "the trace") { sink in
      var exporter = PerfettoTraceExporter(trace.withNamedFrames(), sink.pass)
      try exporter.write()
      shift = exporter.shift
    }
    return try served(descriptor, name: "launch.pftrace", commands: commands(for: timeline, shift: shift))
  }

  /// A file with the content of a pipe, which can be read once; any other path as it is.
  private static func rereadable(_ path: String) throws -> String {
    guard let content = try TraceReader.contents(ofStream: path) else { return path }
    let copy = try PrivateFile.nameless()
    try FileOutput.write(to: copy, name: "the trace") { sink in try content.withUnsafeBytes { try sink.write($0) } }
    return "/proc/self/fd/\(copy)"
  }

  private static func read(_ file: String, name: String) throws(TraceError) -> Trace {
    do throws(TraceError) { return try TraceReader().read(path: file) } catch {
      var error = error
      error.path = name
      throw error
    }
  }

  private static func served(
    _ descriptor: Int32, name: String, type: String = "application/octet-stream", commands: [PerfettoCommand]
  ) throws(ServingError) -> Made {
    (try ServedFile(descriptor: descriptor, name: name, contentType: type), commands)
  }

  /// The file itself. The viewer decompresses gzip, but not Zstandard, and does not know JSON with a byte order mark.
  private static func unchanged(_ path: String) throws -> Int32 {
    let content = try PrivateFile.nameless()
    var isCopied = false
    try FileOutput.write(to: content, name: "the trace") { sink in
      isCopied = try BareContent.read(path: path, to: sink.pass)
    }
    if isCopied { return content }
    close(content)
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    if descriptor >= 0 { return descriptor }
    throw fail("\(path): cannot be opened: \(systemMessage(errno))")
  }

  /// Commands that show the phases and the main thread at the top.
  ///
  /// - Parameter shift: what the file adds to the times of the trace, ns.
  private static func commands(for timeline: LaunchTimeline, shift: Int64 = 0) -> [PerfettoCommand] {
    var commands: [PerfettoCommand] = []
    let phases = rows(timeline, shift: shift)
    if !phases.isEmpty {
      commands.append(.sliceTrack(query: phases.joined(separator: " union all "), title: "Launch phases"))
      commands.append(.pinTracks(matching: "^Launch phases$"))
    }
    if let main = timeline.mainThread {
      let track = timeline.trace.tracks[Int(main.rawValue)]
      let whole = timeline.trace.strings[track.name]
      // The viewer shows the last part of a path, and names a thread without a name.
      let name = whole.hasPrefix("/") ? String(whole.split(separator: "/").last ?? "") : whole
      let title = name.isEmpty ? "Thread" : PerfettoCommand.literal(name)
      commands.append(.pinTracks(matching: "^\(title) \(track.threadID)$"))
    }
    return commands
  }

  /// The most phases in the link.
  private static let mostPhases = 60

  /// The trace has no slices for derived phases, so the query contains all phases.
  private static func rows(_ timeline: LaunchTimeline, shift: Int64) -> [String] {
    timeline.phases.filter { $0.id != PhaseName.trace }.prefix(mostPhases).map { phase in
      let name = phase.id.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
      return "select \(phase.start + shift) as ts, \(phase.duration) as dur, '\(name)' as name"
    }
  }
}
