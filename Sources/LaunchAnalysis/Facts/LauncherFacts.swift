internal import LaunchTrace

/// What the command that launched the program says: the `launcher` event.
struct LauncherFacts {
  var processID: Int32?
  var program: String
  var arguments: [String]
  var exec: Int64?
  var exit: Int64?
  var outcome: Outcome
  var run: Run?
  var process: ProcessTotals?
  var machine: Machine?
  var isInstrumented: Bool
  var budgets: String?
  var readyRule: ReadyRule?
  var observation: Observation?
  var kind: String?
  var eviction: Eviction?

  init(_ row: AnnotationRow) {
    processID = row.integer("pid").flatMap(Int32.init(exactly:))
    program = row.string("program") ?? ""
    arguments = row.strings("arguments")
    exec = row.integer("exec_ns")
    exit = row.integer("exit_ns")
    outcome = Self.outcome(row)
    run = row.integer("run").map {
      Run(number: Int($0), count: Int(row.integer("runs") ?? $0), isWarmUp: row.bool("warmup") ?? false)
    }
    process = row.integer("user_cpu_ns").map {
      ProcessTotals(
        userCPU: $0, systemCPU: row.integer("system_cpu_ns") ?? 0, maxResidentBytes: row.integer("max_rss_bytes"),
        minorFaults: row.integer("minor_faults") ?? 0, majorFaults: row.integer("major_faults") ?? 0,
        voluntarySwitches: row.integer("voluntary_switches") ?? 0,
        involuntarySwitches: row.integer("involuntary_switches") ?? 0, readBytes: row.integer("read_bytes") ?? 0)
    }
    machine = row.string("host").map {
      Machine(
        host: $0, kernel: row.string("kernel") ?? "", cpuModel: row.string("cpu_model") ?? "",
        cpus: Int(row.integer("cpus") ?? 0))
    }
    isInstrumented = row.bool("instrumented") ?? true
    budgets = row.string("budgets")
    observation = row.string("observer").map {
      Observation(
        means: $0, shortcoming: row.string("observer_shortcoming") ?? "",
        waitStates: row.string("wait_states"), stopped: row.integer("stopped_ns") ?? 0,
        heldUp: row.integer("held_up_ns") ?? 0, lostRecords: Int(clamping: row.integer("lost_records") ?? 0),
        lostSamples: Int(clamping: row.integer("samples_lost") ?? 0),
        sampleRate: Int(clamping: row.integer("sample_rate") ?? 0), until: row.integer("observed_until_ns"),
        untimedLibraries: Int(clamping: row.integer("agent_untimed") ?? 0),
        lostAgentRecords: Int(clamping: row.integer("agent_lost") ?? 0))
    }
    kind = row.string("kind")
    eviction = row.integer("cold_files").map {
      Eviction(
        files: Int(clamping: $0), bytes: row.integer("cold_bytes") ?? 0,
        unknown: Int(clamping: row.integer("cold_unknown") ?? 0),
        kept: row.dictionaries("cold_kept").map(Eviction.Kept.init))
    }
    readyRule = row.string("ready_rule").map {
      ReadyRule(
        name: $0, argument: row.string("ready_argument") ?? "", isDefault: row.bool("ready_by_default") ?? false)
    }
  }

  private static func outcome(_ row: AnnotationRow) -> Outcome {
    if row.bool("ended_when_ready") == true { return .ended }
    return switch row.string("outcome") {
    case "exited": .exited(status: Int32(clamping: row.integer("exit_status") ?? 0))
    case "signalled": .signalled(signal: Int32(clamping: row.integer("signal") ?? 0))
    case "timed-out": .timedOut
    case "failed-to-start": .failedToStart(reason: row.string("message") ?? "")
    default: .unknown
    }
  }
}

extension Eviction.Kept {
  fileprivate init(_ entries: [String: AnnotationValue]) {
    func integer(_ key: String) -> Int64 {
      if case .uint(let value)? = entries[key] { Int64(clamping: value) } else { 0 }
    }
    func text(_ key: String) -> String { if case .string(let value)? = entries[key] { value } else { "" } }
    self.init(
      path: text("path"), bytes: integer("bytes"), residentBytes: integer("resident_bytes"), reason: text("reason"))
  }
}
