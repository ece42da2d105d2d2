// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Calls of Swift's runtime: lazy globals and first look-ups.
extension ObservedTrace {
  mutating func writeCalls() {
    let globals = GlobalInitializations(calls).all
    let functions = globals.map { frame(place($0.call), $0.function) }
    let globalCallers = globals.map { callers($0.call) }
    let lookupCallers = lookups.all.map { callers($0.call) }
    let frames = functions + (globalCallers + lookupCallers).flatMap(\.self)
    let names = FunctionNames(Set(frames))
    func name(_ frame: StackFrame) -> String { names[frame] }
    var slices = globals.indices.map { row in
      ThreadSlice(
        globals[row], function: functions[row], name: name(functions[row]), callers: globalCallers[row].map(name))
    }
    slices += lookups.all.indices.map { row in
      let lookup = lookups.all[row]
      let isOwn = lookup.call.processID == launch.processID
      return ThreadSlice(lookup, isOwn ? launch.names : nil, callers: lookupCallers[row].map(name))
    }
    writer.write(slices, sequence: Self.sequence) { [tracks] in tracks.thread($0, of: $1) }
  }

  private func place(_ call: WatchedCalls.Call) -> PerfEvents.Occurrence {
    PerfEvents.Occurrence(time: call.start, processID: call.processID, threadID: call.threadID)
  }

  /// Who made a call, innermost first. A return address outside of all files has no name.
  private func callers(_ call: WatchedCalls.Call) -> [StackFrame] {
    let callers = call.callers.prefix(Self.mostCallers).map { frame(place(call), $0 &- 1) }
    return Array(callers.prefix { !$0.image.isEmpty })
  }

  private static let mostCallers = 24
}
