// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchTrace

/// What the launcher wrote about the launch: the `launcher` event.
struct LauncherFacts {
  var processID: Int32?
  var program: String
  var arguments: [String]
  /// The pipe or FIFO that was its standard input, as in waits; empty if the input was neither, nil if it is not known.
  var inputPipe: String?
  var exec: Int64?
  var exit: Int64?
  /// When the kernel made the process that recorded, if that was another one than the launched process.
  var recordedStart: Int64?
  var outcome: Outcome
  var run: Run?
  var process: ProcessTotals?
  /// In how many periods of its CPU quota the control group was stopped.
  var throttledPeriods: Int64
  var machine: Machine?
  var isInstrumented: Bool
  var budgets: String?
  var readyRule: RecordedReadyRule?
  var observation: Observation?
  var kind: String?
  var eviction: Eviction?

  init(_ row: AnnotationRow) {
    processID = row.integer(LS_KEY_PID).flatMap(Int32.init(exactly:))
    program = row.string(LS_KEY_PROGRAM) ?? ""
    arguments = row.strings(LS_KEY_ARGUMENTS)
    inputPipe = row.string(LS_KEY_INPUT_PIPE)
    exec = row.time(LS_KEY_EXEC_NS)
    exit = row.time(LS_KEY_EXIT_NS)
    recordedStart = row.time(LS_KEY_RECORDED_START_NS)
    outcome = Self.outcome(row)
    run = row.integer(LS_KEY_RUN).map {
      Run(number: Int($0), count: Int(row.integer(LS_KEY_RUNS) ?? $0), isWarmUp: row.bool(LS_KEY_WARMUP) ?? false)
    }
    process = row.integer(LS_KEY_USER_CPU_NS).map {
      ProcessTotals(
        userCPU: $0, systemCPU: row.number(LS_KEY_SYSTEM_CPU_NS), maxResidentBytes: row.integer(LS_KEY_MAX_RSS_BYTES),
        minorFaults: row.number(LS_KEY_MINOR_FAULTS), majorFaults: row.number(LS_KEY_MAJOR_FAULTS),
        voluntarySwitches: row.number(LS_KEY_VOLUNTARY_SWITCHES),
        involuntarySwitches: row.number(LS_KEY_INVOLUNTARY_SWITCHES), readBytes: row.number(LS_KEY_READ_BYTES))
    }
    throttledPeriods = max(0, row.number(LS_KEY_THROTTLED_PERIODS))
    machine = row.string(LS_KEY_HOST).map {
      Machine(
        host: $0, kernel: row.string(LS_KEY_KERNEL) ?? "", cpuModel: row.string(LS_KEY_CPU_MODEL) ?? "",
        cpus: row.count(LS_KEY_CPUS),
        // An older launcher does not say.
        usableCPUs: Int(row.integer(LS_KEY_USABLE_CPUS) ?? row.number(LS_KEY_CPUS)))
    }
    isInstrumented = row.bool(LS_KEY_INSTRUMENTED) ?? true
    budgets = row.string(LS_KEY_BUDGETS)
    observation = Self.observation(row)
    kind = row.string(LS_KEY_KIND)
    eviction = row.integer(LS_KEY_COLD_FILES).map {
      Eviction(
        files: Int(clamping: $0), bytes: row.number(LS_KEY_COLD_BYTES), unknown: row.count(LS_KEY_COLD_UNKNOWN),
        missed: row.integer(LS_KEY_COLD_MISSED).map { max(0, Int(clamping: $0)) },
        kept: row.dictionaries(LS_KEY_COLD_KEPT).map(Eviction.Kept.init))
    }
    readyRule = row.string(LS_KEY_READY_RULE).map {
      RecordedReadyRule(
        name: $0, argument: row.string(LS_KEY_READY_ARGUMENT) ?? "",
        isDefault: row.bool(LS_KEY_READY_BY_DEFAULT) ?? false)
    }
  }

  private static func observation(_ row: AnnotationRow) -> Observation? {
    row.string(LS_KEY_OBSERVER).map {
      Observation(
        means: $0, shortcoming: row.string(LS_KEY_OBSERVER_SHORTCOMING) ?? "",
        waitStates: Observation.WaitStates(row.string(LS_KEY_WAIT_STATES)), stopped: row.number(LS_KEY_STOPPED_NS),
        heldUp: row.number(LS_KEY_HELD_UP_NS), heldUpThreads: row.number(LS_KEY_HELD_UP_THREADS_NS),
        lostRecords: row.count(LS_KEY_LOST_RECORDS), lostSamples: row.count(LS_KEY_SAMPLES_LOST),
        cutStacks: row.strings(LS_KEY_STACKS_CUT_BY).prefix(4).compactMap(StackCut.init(word:)),
        sampleRate: row.count(LS_KEY_SAMPLE_RATE), until: row.time(LS_KEY_OBSERVED_UNTIL_NS),
        untimedLibraries: row.count(LS_KEY_AGENT_UNTIMED), lostAgentRecords: row.count(LS_KEY_AGENT_LOST),
        globals: means(row, LS_KEY_GLOBALS), lookups: means(row, LS_KEY_LOOKUPS),
        lookupCalls: [
          .conformance: calls(row, LS_KEY_CONFORMANCE_CALLS, LS_KEY_CONFORMANCE_REPEATS_NS),
          .typeName: calls(row, LS_KEY_TYPE_NAME_CALLS, LS_KEY_TYPE_NAME_REPEATS_NS),
        ],
        calls: Observation.RuntimeCalls.Kind.allCases.compactMap { kind in
          row.integer(kind.key).map { Observation.RuntimeCalls(kind: kind, count: Int(clamping: max(0, $0))) }
        })
    }
  }

  private static func means(_ row: AnnotationRow, _ key: String) -> LazyGlobalTable.Means? {
    row.string(key).map {
      LazyGlobalTable.Means(
        name: $0, callCost: row.callCost(LS_KEY_GLOBALS_CALL_COST_NS),
        insideCost: row.callCost(LS_KEY_GLOBALS_INSIDE_COST_NS))
    }
  }

  private static func calls(_ row: AnnotationRow, _ count: String, _ time: String) -> LookupTable.Calls {
    LookupTable.Calls(count: Int(row.calls(count) ?? 0), repeatTime: max(0, row.number(time)))
  }

  private static func outcome(_ row: AnnotationRow) -> Outcome {
    if row.bool(LS_KEY_ENDED_WHEN_READY) == true { return .ended }
    return switch row.string(LS_KEY_OUTCOME) {
    case LS_OUTCOME_EXITED: exited(row)
    case LS_OUTCOME_SIGNALLED: .signalled(signal: Int32(clamping: row.number(LS_KEY_SIGNAL)))
    case LS_OUTCOME_TIMED_OUT: .timedOut
    case LS_OUTCOME_FAILED_TO_START: .failedToStart(reason: row.string(LS_KEY_MESSAGE) ?? "")
    default: .unknown
    }
  }

  private static func exited(_ row: AnnotationRow) -> Outcome {
    let status = Int32(clamping: row.integer(LS_KEY_EXIT_STATUS) ?? 0)
    return row.bool(LS_KEY_EXIT_SUCCESS) == true ? .succeeded(status: status) : .exited(status: status)
  }
}

extension Eviction.Kept {
  fileprivate init(_ entries: [String: AnnotationValue]) {
    func integer(_ key: String) -> Int64 {
      if case .uint(let value)? = entries[key] { min(Int64(clamping: value), TraceLimits.number) } else { 0 }
    }
    func text(_ key: String) -> String { if case .string(let value)? = entries[key] { value } else { "" } }
    self.init(
      path: text(LS_KEY_PATH), bytes: integer(LS_KEY_BYTES), residentBytes: integer(LS_KEY_RESIDENT_BYTES),
      reason: text(LS_KEY_REASON))
  }
}

extension Observation.RuntimeCalls.Kind {
  fileprivate var key: String {
    switch self {
    case .casts: LS_KEY_CAST_CALLS
    case .witnessTables: LS_KEY_WITNESS_TABLE_CALLS
    case .associatedTypes: LS_KEY_ASSOCIATED_TYPE_CALLS
    case .genericTypes: LS_KEY_GENERIC_TYPE_CALLS
    }
  }
}
