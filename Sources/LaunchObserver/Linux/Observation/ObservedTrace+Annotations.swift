// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchTrace

extension ObservedTrace {
  /// What the launcher's event says about the observation, once the packets are made.
  func annotations() -> [(key: String, value: AnnotationValue)] {
    // What the launcher's own clock says is less: the thread also waits for the launcher to get a processor.
    let heldUp = max(launch.heldUp, switches.stopped[launch.processID] ?? 0)
    var rows: [(key: String, value: AnnotationValue)] = [
      (LS_KEY_OBSERVER, .string(launch.means.rawValue)), (LS_KEY_STOPPED_NS, .uint(UInt64(closed.time))),
      (LS_KEY_HELD_UP_NS, .uint(UInt64(heldUp))), (LS_KEY_LOST_RECORDS, .uint(events.lost)),
      (LS_KEY_SAMPLES_LOST, .uint(events.lostSamples)),
      (LS_KEY_SAMPLE_RATE, .uint(hasStacks ? UInt64(sampleRate) : 0)),
    ]
    let others = switches.stopped.filter { $0.key != launch.processID }.values.reduce(0, +)
    if others > 0 { rows.append((LS_KEY_HELD_UP_THREADS_NS, .uint(UInt64(others)))) }
    let causes = cutStacks.words
    if !causes.isEmpty { rows.append((LS_KEY_STACKS_CUT_BY, .array(causes.map { .string($0) }))) }
    if launch.means == .perf {
      rows.append(
        (LS_KEY_WAIT_STATES, .string(launch.log.scheduler == nil ? LS_WAIT_STATES_LOOKS : LS_WAIT_STATES_KERNEL)))
    } else if !launch.looks.isEmpty {
      rows.append((LS_KEY_WAIT_STATES, .string(LS_WAIT_STATES_TIMES)))
    }
    if let watched = launch.watchedRuntime, watched.copies > 0 { rows += annotations(watched) }
    if !launch.shortcoming.isEmpty { rows.append((LS_KEY_OBSERVER_SHORTCOMING, .string(launch.shortcoming))) }
    if processID != launch.processID, let start = history.forkTimes[processID] {
      rows.append((LS_KEY_RECORDED_START_NS, .uint(UInt64(max(0, start)))))
    }
    if let end = launch.log.endTime { rows.append((LS_KEY_OBSERVED_UNTIL_NS, .uint(UInt64(end)))) }
    return rows
  }

  private var hasStacks: Bool { launch.means == .perf || launch.wasStoppedForStacks }

  /// How Swift's runtime was watched, and how often it was called.
  private func annotations(_ watched: RuntimeProbes.Watched) -> [(key: String, value: AnnotationValue)] {
    let means = AnnotationValue.string(watched.means == .probes ? LS_GLOBALS_PROBES : LS_GLOBALS_PTRACE)
    var rows: [(key: String, value: AnnotationValue)] = []
    if watched.functions.contains(.once) { rows.append((LS_KEY_GLOBALS, means)) }
    if watched.functions.contains(.conformance) {
      rows += [
        (LS_KEY_LOOKUPS, means), (LS_KEY_CONFORMANCE_CALLS, .uint(UInt64(lookups.conformances.calls))),
        (LS_KEY_CONFORMANCE_REPEATS_NS, .uint(UInt64(lookups.conformances.repeatTime))),
        (LS_KEY_TYPE_NAME_CALLS, .uint(UInt64(lookups.typeNames.calls))),
        (LS_KEY_TYPE_NAME_REPEATS_NS, .uint(UInt64(lookups.typeNames.repeatTime))),
      ]
    }
    if let cost = watched.callCost {
      let inside = max(0, min(cost, watched.insideCost ?? calls.insideCost))
      rows.append((LS_KEY_GLOBALS_CALL_COST_NS, .uint(UInt64(cost))))
      rows.append((LS_KEY_GLOBALS_INSIDE_COST_NS, .uint(UInt64(inside))))
    }
    let counted: [(RuntimeFunction, String)] = [
      (.cast, LS_KEY_CAST_CALLS), (.witnessTable, LS_KEY_WITNESS_TABLE_CALLS),
      (.associatedType, LS_KEY_ASSOCIATED_TYPE_CALLS), (.genericType, LS_KEY_GENERIC_TYPE_CALLS),
    ]
    for (function, key) in counted where watched.functions.contains(function) {
      let count = events.counts.filter {
        kept.contains($0.key.processID) && RuntimeFunction(place: $0.key.function) == function
      }
      rows.append((key, .uint(UInt64(count.values.reduce(0, +)))))
    }
    return rows
  }
}
