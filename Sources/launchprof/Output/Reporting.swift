// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchAnalysis
import LaunchReport
import LaunchTrace

/// Turns traces into a report.
enum Reporting {
  /// Reads `paths` and writes their report.
  ///
  /// - Parameter output: a file, which is overwritten; nil for standard output.
  /// - Throws: `ExitCode`, after printing why.
  static func report(
    _ paths: [String], as format: ReportFormat, _ options: ReportOptions, naming: StackNaming, to output: String?
  ) throws {
    try FileOutput.check(output, isNoneOf: paths)
    let launches = try read(paths, for: format, options, naming)
    try FileOutput.write(to: output) { sink, _ in try format.write(launches, options: options, to: sink) }
  }

  /// Reads `paths` and writes their report to an open file.
  ///
  /// - Throws: `ExitCode`, after printing why.
  static func write(_ paths: [String], as format: ReportFormat, to descriptor: Int32, name: String) throws {
    var options = ReportOptions()
    options.sourceFolders = SourceFolders.current()
    let launches = try read(paths, for: format, options, StackNaming())
    try FileOutput.write(to: descriptor, name: name) { try format.write(launches, options: options, to: $0) }
  }

  /// Writes a report of launches in memory to standard error.
  ///
  /// - Throws: `ExitCode`, after printing why.
  static func report(_ launches: LaunchSet, _ group: ReportOptionGroup) throws {
    let stream = StandardStream.error
    let options = group.options(for: stream.descriptor)
    if let reason = cannotGroup(launches, options) { tell(reason) }
    try FileOutput.write(to: stream.descriptor, name: "standard error") { sink in
      try ReportFormat.text.write(launches, options: options, to: sink)
    }
  }

  /// Why launches cannot be grouped as `--by` says; nil if they can.
  private static func cannotGroup(_ launches: LaunchSet, _ options: ReportOptions) -> String? {
    guard let label = options.by, !LaunchSet.Label.known.contains(label), !launches.has(label) else { return nil }
    let parts = Breakdown.Aspect.allCases.map(\.rawValue)
    let labels = (LaunchSet.Label.known + launches.ownLabels).map(\.name)
    let names = label.name.split(separator: ",").map(String.init)
    if names.count > 1, names.allSatisfy({ (parts + labels).contains($0) }) {
      return "--by \(shown(label.name)): report takes one name; only `fleet report` takes several"
    }
    return
      "--by \(shown(label.name)): no launch has metadata of this name; known names: \((parts + labels).joined(separator: ", "))"
  }

  /// Reads all launches of a report, before an output file is overwritten. Says what the format leaves out.
  private static func read(
    _ paths: [String], for format: ReportFormat, _ options: ReportOptions, _ naming: StackNaming
  ) throws -> LaunchSet {
    if format == .chromeJSON, paths.count != 1 {
      throw fail("\(format.rawValue) holds one trace; \(paths.count) were given")
    }
    var naming = naming
    defer { naming.refusals.forEach(tell) }
    let timelines = try paths.map { path in
      var trace = try read(path)
      _ = naming.name(&trace)
      return LaunchTimeline(trace: trace)
    }
    let launches = LaunchSet(timelines, names: paths)
    if format != .chromeJSON, let reason = launches.unlikeUnits ?? cannotGroup(launches, options) { throw fail(reason) }
    if format == .csv, options.breakdown == nil, !options.findingsOnly, options.rows == .spans,
      timelines.allSatisfy({ $0.spans.count == 0 }), timelines.contains(where: { $0.trace.samples.count > 0 })
    {
      let hasPhases = timelines.contains { $0.phases.map(\.id) != [PhaseName.trace] }
      tell(
        "the table has no rows, because there are no intervals; --by symbol lists functions"
          + (hasPhases ? ", and --rows phases lists phases" : ""))
    }
    if format == .csv || format == .folded, options.mainThreadOnly, timelines.allSatisfy({ $0.mainThread == nil }) {
      tell("--main-thread: the trace does not say which thread is the main thread")
    }
    // The other formats contain these sentences.
    let isSilent = format == .csv || format.reader == .viewer
    if isSilent, options.breakdown == nil || format == .chromeJSON { zip(paths, timelines).forEach(tellLosses) }
    if format == .csv, let aspect = options.breakdown,
      let shortcoming = launches.breakdown(by: aspect, mainThreadOnly: options.mainThreadOnly)?.shortcoming
    {
      tell("--by \(aspect.rawValue): \(shortcoming)")
    }
    return launches
  }

  /// Prints what of a file is not in its launch, for formats that do not say so.
  static func tellLosses(path: String, _ timeline: LaunchTimeline) {
    for loss in timeline.lossesAndDamage { tell("\(path): \(loss)") }
  }

  /// - Throws: `ExitCode`, after printing why. Traces without times are refused.
  static func launches(_ paths: [String]) throws -> LaunchSet {
    LaunchSet(try paths.map { LaunchTimeline(trace: try timed($0)) }, names: paths)
  }

  /// A trace with times.
  ///
  /// - Throws: `ExitCode`, after printing why.
  static func timed(_ path: String) throws -> Trace {
    do throws(TraceError) { return try TimedTrace.read(path) } catch {
      throw fail(error)
    }
  }

  /// - Throws: `ExitCode`, after printing why.
  private static func read(_ path: String) throws -> Trace {
    do throws(TraceError) { return try TraceReader().read(path: path) } catch {
      throw fail(error)
    }
  }
}
