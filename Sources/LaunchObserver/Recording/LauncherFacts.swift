internal import CLaunchObserver
import Glibc
internal import LaunchTrace

/// What the launcher knows of a launch, for the `launcher` event of docs/trace-format.md.
struct LauncherFacts {
  var command: [String]
  var directory: String
  var run: PlannedRun
  var result: LaunchResult
  var host: HostFacts
  /// Whether the program wrote a trace itself.
  var isInstrumented: Bool
  /// Whether the program itself said when its launch was over.
  var isReadyByItself = false
  /// What was done before the launch; nil for nothing.
  var kind: String?
  var eviction: FileEviction?
  /// What the agent wrote; nil without one.
  var agent: AgentLog?
  /// Flat form; nil when none were given.
  var budgets: String?
  var functions: [NamedFunction]
  var version: String
  var context: RecordingContext
  /// What the recorder calls the launched process's track; nil when that process has none.
  var recordedTrack: UInt64?
  /// What is told of the observation from outside.
  var observation: [(key: String, value: AnnotationValue)] = []

  /// The launched process's track.
  var track: UInt64 {
    recordedTrack ?? UInt64(Self.sequence) << 32 | UInt64(UInt32(bitPattern: result.processID))
  }

  /// Ours alone in a trace: recorders count theirs from 1.
  private static let sequence: UInt32 = 0x7fff_fffe

  /// The packets to append to the trace, or to write as a whole one.
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
      sequence: Self.sequence, time: result.execTime, name: "launcher", category: "launchprof.launcher",
      annotations: annotations())
    for mark in marks() {
      writer.instant(
        sequence: Self.sequence, time: mark.time, name: mark.name, category: "launchprof.mark",
        annotations: mark.annotations)
    }
    return writer.bytes
  }

  /// The milestones that were seen from outside, and the one that ends the launch where the program names none itself.
  private func marks() -> [(time: Int64, name: String, annotations: [(key: String, value: AnnotationValue)])] {
    guard let outcome = result.ready else { return [] }
    func annotations(_ signal: ReadySignal) -> [(key: String, value: AnnotationValue)] {
      var rows: [(key: String, value: AnnotationValue)] = [("source", .string("launcher"))]
      if signal.error > 0 { rows.append(("error_ns", .uint(UInt64(signal.error)))) }
      if !signal.detail.isEmpty { rows.append(("detail", .string(signal.detail))) }
      return rows
    }
    var marks = outcome.signals.map { (time: $0.time, name: $0.milestone, annotations: annotations($0)) }
    if let ready = outcome.ready, !isReadyByItself { marks.append((ready.time, "ready", annotations(ready))) }
    return marks
  }

  private func annotations() -> [(key: String, value: AnnotationValue)] {
    var rows: [(key: String, value: AnnotationValue)] = [
      ("format", .uint(1)), ("program", .string(result.path)),
      ("arguments", .array(command.dropFirst().map(AnnotationValue.string))), ("directory", .string(directory)),
      ("exec_ns", .uint(UInt64(result.execTime))), ("exit_ns", .uint(UInt64(result.exitTime))),
      ("pid", .uint(UInt64(result.processID))), ("run", .uint(UInt64(run.number))),
      ("runs", .uint(UInt64(run.count))), ("warmup", .bool(run.isWarmup)),
    ]
    switch result.ending {
    case .exited(let status): rows += [("outcome", .string("exited")), ("exit_status", .uint(UInt64(status)))]
    case .signalled(let signal): rows += [("outcome", .string("signalled")), ("signal", .uint(UInt64(signal)))]
    case .timedOut: rows.append(("outcome", .string("timed-out")))
    }
    let usage = result.usage
    rows += [
      ("user_cpu_ns", .uint(usage.userTime)), ("system_cpu_ns", .uint(usage.systemTime)),
      ("minor_faults", .uint(usage.minorFaults)), ("major_faults", .uint(usage.majorFaults)),
      ("voluntary_switches", .uint(usage.voluntarySwitches)),
      ("involuntary_switches", .uint(usage.involuntarySwitches)), ("read_bytes", .uint(usage.readBytes)),
    ]
    if let bytes = usage.peakResidentBytes { rows.append(("max_rss_bytes", .uint(bytes))) }
    rows += [
      ("host", .string(host.name)), ("kernel", .string(host.kernel)), ("cpus", .uint(UInt64(host.processors))),
      ("cpu_model", .string(host.processorModel)), ("instrumented", .bool(isInstrumented)),
      ("launchprof_version", .string(version)),
    ]
    if let ready = result.ready {
      rows += [
        ("ready_rule", .string(isReadyByItself ? "program" : ready.rule.name)),
        ("ready_by_default", .bool(ready.isDefault)),
      ]
      if !ready.rule.argument.isEmpty { rows.append(("ready_argument", .string(ready.rule.argument))) }
    }
    if let agent {
      rows += [
        ("agent", .bool(true)), ("agent_untimed", .uint(UInt64(agent.untimed))),
        ("agent_lost", .uint(UInt64(agent.lost))),
      ]
    }
    if let kind { rows.append(("kind", .string(kind))) }
    if let eviction { rows += eviction.annotations }
    if result.wasEndedWhenReady { rows.append(("ended_when_ready", .bool(true))) }
    rows += context.annotations(path: result.path)
    if let budgets { rows.append(("budgets", .string(budgets))) }
    rows += observation
    if !functions.isEmpty { rows.append(("functions", .array(functions.map(\.annotation)))) }
    return rows
  }

  /// REALTIME 1, MONOTONIC 3, BOOTTIME 6.
  private static func clocks() -> [(clock: UInt32, time: Int64)] {
    var (monotonic, boottime, realtime): (UInt64, UInt64, UInt64) = (0, 0, 0)
    lo_read_clocks(&monotonic, &boottime, &realtime)
    return [(3, Int64(monotonic)), (6, Int64(boottime)), (1, Int64(realtime))]
  }
}

/// The name of the function at an address of an image.
public struct NamedFunction: Sendable, Equatable {
  /// Path, as the recorder has it.
  public var image: String
  /// Run-time address − load bias.
  public var offset: UInt64
  /// For people.
  public var function: String

  public init(image: String, offset: UInt64, function: String) {
    self.image = image
    self.offset = offset
    self.function = function
  }

  fileprivate var annotation: AnnotationValue {
    .dictionary(["image": .string(image), "offset": .pointer(offset), "function": .string(function)])
  }
}

extension FileEviction {
  fileprivate var annotations: [(key: String, value: AnnotationValue)] {
    [
      ("cold_files", .uint(UInt64(files))), ("cold_bytes", .uint(bytes)), ("cold_unknown", .uint(UInt64(unknown))),
      (
        "cold_kept",
        .array(
          kept.map { file in
            .dictionary([
              "path": .string(file.path), "bytes": .uint(file.bytes), "resident_bytes": .uint(file.residentBytes),
              "reason": .string(file.reason),
            ])
          })
      ),
    ]
  }
}

/// The last component of a path.
func fileName(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
