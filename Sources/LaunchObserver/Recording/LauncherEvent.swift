// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
internal import CLaunchSchema
internal import LaunchSystem
internal import LaunchTrace

/// The `launcher` event of docs/trace-format.md: what the launcher knows about a launch.
struct LauncherEvent {
  var command: [String]
  var directory: String
  var run: PlannedRun
  var result: LaunchResult
  var host: HostFacts
  /// Whether the program wrote a trace itself.
  var isInstrumented: Bool
  /// Whether the program itself reported the end of its launch.
  var isReadyByItself = false
  /// The kind that the launcher has prepared; nil for none.
  var kind: String?
  var eviction: FileEviction?
  /// The agent's log; nil without the agent.
  var agent: AgentLog?
  /// In flat form; nil if none were given.
  var budgets: String?
  var functions: [NamedFunction]
  var version: String
  var context: RecordingContext
  /// What the program's files contain; nil if it is not known.
  var image: ImageDescription?
  /// The recorder's track for the launched process; nil if it has none.
  var recordedTrack: UInt64?
  /// What the event says about the observation from outside.
  var observation: [(key: String, value: AnnotationValue)] = []

  /// The launched process's track.
  var track: UInt64 { recordedTrack ?? UInt64(Self.sequence) << 32 | UInt64(UInt32(bitPattern: result.processID)) }

  /// Unique in a trace: recorders count their sequences from 1.
  private static let sequence: UInt32 = 0x7fff_fffe

  /// The packets, to append to the trace or to write as a whole trace.
  func packets() -> [UInt8] {
    var writer = PerfettoTraceWriter()
    writer.clockSnapshot(Self.clocks(), sequence: Self.sequence)
    writer.startSequence(Self.sequence, track: track)
    if recordedTrack == nil {
      writer.processTrack(
        uuid: track, processID: result.processID, name: fileName(result.path), commandLine: command,
        start: result.execTime, sequence: Self.sequence)
    }
    writer.instant(
      sequence: Self.sequence, time: result.execTime, name: LS_EVENT_LAUNCHER, category: LS_CATEGORY_LAUNCHER,
      annotations: annotations())
    for mark in marks() {
      writer.instant(
        sequence: Self.sequence, time: mark.time, name: mark.name, category: LS_CATEGORY_MARK,
        annotations: mark.annotations)
    }
    return writer.bytes
  }

  /// The milestones that were seen from outside, and the one that ends the launch if the program itself names none.
  private func marks() -> [(time: Int64, name: String, annotations: [(key: String, value: AnnotationValue)])] {
    guard let outcome = result.ready else { return [] }
    func annotations(_ signal: ReadySignal) -> [(key: String, value: AnnotationValue)] {
      var rows: [(key: String, value: AnnotationValue)] = [(LS_KEY_SOURCE, .string(LS_SOURCE_LAUNCHER))]
      if signal.error > 0 { rows.append((LS_KEY_ERROR_NS, .uint(UInt64(signal.error)))) }
      if !signal.detail.isEmpty { rows.append((LS_KEY_DETAIL, .string(signal.detail))) }
      return rows
    }
    var marks = outcome.signals.map { (time: $0.time, name: $0.milestone, annotations: annotations($0)) }
    if let ready = outcome.ready, !isReadyByItself {
      marks.append((ready.time, LS_MILESTONE_READY, annotations(ready)))
    }
    return marks
  }

  private func annotations() -> [(key: String, value: AnnotationValue)] {
    var rows: [(key: String, value: AnnotationValue)] = [
      (LS_KEY_FORMAT, .uint(UInt64(LS_FORMAT))), (LS_KEY_PROGRAM, .string(result.path)),
      (LS_KEY_ARGUMENTS, .array(command.dropFirst().map(AnnotationValue.string))),
      (LS_KEY_DIRECTORY, .string(directory)),
      (LS_KEY_EXEC_NS, .uint(UInt64(result.execTime))), (LS_KEY_EXIT_NS, .uint(UInt64(result.exitTime))),
      (LS_KEY_PID, .uint(UInt64(result.processID))), (LS_KEY_RUN, .uint(UInt64(run.number))),
      (LS_KEY_RUNS, .uint(UInt64(run.count))), (LS_KEY_WARMUP, .bool(run.isWarmup)),
    ]
    if let input = CallFile.inputPipe { rows.append((LS_KEY_INPUT_PIPE, .string(input))) }
    switch result.ending {
    case .exited(let status):
      rows += [(LS_KEY_OUTCOME, .string(LS_OUTCOME_EXITED)), (LS_KEY_EXIT_STATUS, .uint(UInt64(status)))]
      if result.hasNamedStatus { rows.append((LS_KEY_EXIT_SUCCESS, .bool(true))) }
    case .signalled(let signal):
      rows += [(LS_KEY_OUTCOME, .string(LS_OUTCOME_SIGNALLED)), (LS_KEY_SIGNAL, .uint(UInt64(signal)))]
    case .timedOut: rows.append((LS_KEY_OUTCOME, .string(LS_OUTCOME_TIMED_OUT)))
    }
    let usage = result.usage
    rows += [
      (LS_KEY_USER_CPU_NS, .uint(usage.userTime)), (LS_KEY_SYSTEM_CPU_NS, .uint(usage.systemTime)),
      (LS_KEY_MINOR_FAULTS, .uint(usage.minorFaults)), (LS_KEY_MAJOR_FAULTS, .uint(usage.majorFaults)),
      (LS_KEY_VOLUNTARY_SWITCHES, .uint(usage.voluntarySwitches)),
      (LS_KEY_INVOLUNTARY_SWITCHES, .uint(usage.involuntarySwitches)), (LS_KEY_READ_BYTES, .uint(usage.readBytes)),
    ]
    if result.throttledPeriods > 0 { rows.append((LS_KEY_THROTTLED_PERIODS, .uint(result.throttledPeriods))) }
    if let bytes = usage.peakResidentBytes { rows.append((LS_KEY_MAX_RSS_BYTES, .uint(bytes))) }
    rows += [
      (LS_KEY_HOST, .string(host.name)), (LS_KEY_KERNEL, .string(host.kernel)),
      (LS_KEY_CPUS, .uint(UInt64(host.processors))),
      (LS_KEY_USABLE_CPUS, .uint(UInt64(host.usableProcessors))),
      (LS_KEY_CPU_MODEL, .string(host.processorModel)), (LS_KEY_ARCHITECTURE, .string(host.architecture)),
      (LS_KEY_MEMORY_BYTES, .uint(host.memory)), (LS_KEY_INSTRUMENTED, .bool(isInstrumented)),
      (LS_KEY_LAUNCHPROF_VERSION, .string(version)),
    ]
    if let ready = result.ready {
      rows += [
        (LS_KEY_READY_RULE, .string(isReadyByItself ? LS_READY_PROGRAM : ready.rule.name)),
        (LS_KEY_READY_BY_DEFAULT, .bool(ready.isDefault)),
      ]
      if !ready.rule.argument.isEmpty { rows.append((LS_KEY_READY_ARGUMENT, .string(ready.rule.argument))) }
    }
    if let agent {
      rows += [
        (LS_KEY_AGENT, .bool(true)), (LS_KEY_AGENT_UNTIMED, .uint(UInt64(agent.untimed))),
        (LS_KEY_AGENT_LOST, .uint(UInt64(agent.lost))),
      ]
    }
    if let kind { rows.append((LS_KEY_KIND, .string(kind))) }
    if let eviction { rows += eviction.annotations }
    if result.wasEndedWhenReady { rows.append((LS_KEY_ENDED_WHEN_READY, .bool(true))) }
    rows += context.annotations(image: image)
    if let budgets { rows.append((LS_KEY_BUDGETS, .string(budgets))) }
    rows += observation
    if !functions.isEmpty { rows.append((LS_KEY_FUNCTIONS, .array(functions.map(\.annotation)))) }
    return rows
  }

  /// REALTIME 1, MONOTONIC 3, BOOTTIME 6.
  private static func clocks() -> [(clock: UInt32, time: Int64)] {
    var (monotonic, boottime, realtime): (UInt64, UInt64, UInt64) = (0, 0, 0)
    lo_read_clocks(&monotonic, &boottime, &realtime)
    return [(3, Int64(monotonic)), (6, Int64(boottime)), (1, Int64(realtime))]
  }
}

extension FileEviction {
  fileprivate var annotations: [(key: String, value: AnnotationValue)] {
    var rows: [(key: String, value: AnnotationValue)] = [
      (LS_KEY_COLD_FILES, .uint(UInt64(files))), (LS_KEY_COLD_BYTES, .uint(bytes)),
      (LS_KEY_COLD_UNKNOWN, .uint(UInt64(unknown))),
      (
        LS_KEY_COLD_KEPT,
        .array(
          kept.map { file in
            .dictionary([
              LS_KEY_PATH: .string(file.path), LS_KEY_BYTES: .uint(file.bytes),
              LS_KEY_RESIDENT_BYTES: .uint(file.residentBytes),
              LS_KEY_REASON: .string(file.reason),
            ])
          })
      ),
    ]
    if let missed { rows.append((LS_KEY_COLD_MISSED, .uint(UInt64(missed)))) }
    return rows
  }
}
