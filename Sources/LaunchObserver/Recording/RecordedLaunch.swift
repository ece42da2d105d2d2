// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchTrace

/// One recorded launch.
package struct RecordedLaunch: Sendable, Equatable {
  /// Path of the trace.
  package var path: String
  package var shortcomings: RecordingShortcomings
  /// How many more processes of the launch recorded; their traces are not kept.
  package var otherProcesses: Int

  /// Chooses the trace that represents the launch: that of the launched process, from its last image that recorded (for
  /// a script with `exec app`, that is the app). Without one, that of the first child that recorded.
  static func choose(from traces: [SpooledTrace], processID: Int32) -> SpooledTrace? {
    if let own = traces.filter({ $0.processID == processID }).max(by: { $0.image < $1.image }) { return own }
    let children = traces.map { ($0, start(of: $0)) }
    guard let first = children.min(by: { ($0.1, $0.0.processID) < ($1.1, $1.0.processID) })?.0 else { return nil }
    return traces.filter { $0.processID == first.processID }.max { $0.image < $1.image }
  }

  /// When the program itself ended its launch (docs/trace-format.md), CLOCK_MONOTONIC ns; nil if its trace does not say.
  static func ownEnd(in trace: Trace) -> Int64? {
    guard let category = trace.strings.id(of: LS_CATEGORY_MARK)?.rawValue else { return nil }
    let row = (0..<trace.instants.count).first { row in
      guard trace.instants.category[row] == category else { return false }
      let name = trace.strings[StringID(rawValue: trace.instants.name[row])]
      return ls_ends_launch(name, name.utf8.count)
    }
    return row.map { trace.instants.time[$0] }
  }

  /// When a trace was begun, CLOCK_MONOTONIC ns.
  private static func start(of trace: SpooledTrace) -> Int64 {
    (try? TraceReader().read(path: trace.path))?.clockSnapshots.first?.monotonic ?? .max
  }
}
