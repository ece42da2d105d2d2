// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchTrace

extension Findings {
  private static let defectsShown = 4

  /// Findings about the quality of the recording.
  func recording() -> [Finding] {
    var findings: [Finding] = []
    func note(
      _ id: String, expected: Int64 = 0, actual: Int64, unit: Finding.Unit = .count, because: [String], _ advice: String
    ) {
      findings.append(
        Finding(
          id: id, unit: unit, expected: expected, actual: actual, subject: "recording", start: timeline.start,
          evidence: because.map { Evidence(.note, $0) }, advice: advice))
    }
    if let recorder = facts.recorder {
      if timeline.recorder?.lacksEvents(timeline.trace, process: timeline.processID) == true {
        note(
          FindingName.eventsDropped, actual: Int64(recorder.dropped),
          because: ["the recorder counted the events that it could not write"],
          "The trace was full, so \(recorder.dropped) events are missing. \(moreRoom)")
      }
      if recorder.untimedInitializers > 0 {
        note(
          FindingName.initializersUntimed, actual: Int64(recorder.untimedInitializers),
          because: ["the recorder could not replace their addresses"],
          "The time of \(recorder.untimedInitializers) initialisers is included in static-init, but not shown separately."
        )
      }
    }
    let allowed = Int64(Double(timeline.total) * Self.overheadShare)
    if let cost = timeline.recorder, timeline.total > 0, cost.delay > Double(allowed) {
      note(
        FindingName.recorderOverhead, expected: allowed, actual: Int64(cost.delay), unit: .nanoseconds,
        because: [
          "\(Int64(cost.startupCost)) ns at the start",
          "\(cost.busiestEvents) events of \(Int64(cost.eventCost.rounded())) ns"
            + (cost.busiestEvents < cost.events ? " on the busiest thread" : ""),
        ],
        cost.startupCost > cost.delay / 2
          ? "The launch is so short that the recorder's own start matters. Use the median of many launches."
          : "Remove the intervals that are called most often. The calls column shows them.")
    }
    if timeline.eviction != nil, let process = timeline.process, process.majorFaults == 0, process.readBytes == 0 {
      note(
        FindingName.coldNotProven, expected: 1, actual: 0, because: ["no major page fault, no byte read"],
        "It read nothing from a disk, so its files were still in memory. Another program may use them, or they are on tmpfs."
      )
    }
    if let first = timeline.trace.diagnostics.first {
      note(
        FindingName.traceDamaged, actual: Int64(timeline.trace.statistics.defects),
        because: timeline.trace.diagnostics.prefix(Self.defectsShown).map { "byte \($0.offset): \($0.reason)" },
        timeline.trace.statistics.defects == 1
          ? "One place could not be read, at byte \(first.offset): \(first.reason)"
          : "\(timeline.trace.statistics.defects) places could not be read. The first is at byte \(first.offset): \(first.reason)"
      )
    } else if timeline.trace.statistics.truncated {
      note(
        FindingName.traceDamaged, actual: 1, because: ["the file ends in the middle of an event"],
        "The end of the file is missing. Copy it again, or record again.")
    }
    return findings
  }

  /// The launch stood still, so all its other times are doubtful.
  func suspended() -> [Finding] {
    func finding(_ subject: String, _ time: Int64, because: String, _ advice: String) -> Finding? {
      guard time > Self.suspendedLeast else { return nil }
      return Finding(
        id: FindingName.suspended, expected: 0, actual: time, subject: subject, start: timeline.start,
        evidence: [Evidence(.note, because)], advice: advice + " Record it again.")
    }
    let stopped = timeline.stopTime
    return [
      finding(
        "recording", timeline.suspension ?? 0,
        because: "CLOCK_BOOTTIME, which counts sleep, advanced further than CLOCK_MONOTONIC",
        "The machine slept during the launch."),
      finding(
        "stopped", stopped, because: "the kernel stopped the main thread",
        "The program was stopped for \(percent(stopped)) % of the launch, as by Ctrl-Z or SIGSTOP."),
    ].compactMap(\.self)
  }

  /// The times of all other findings are those of a debug build.
  func debugBuild() -> Finding? {
    guard facts.recorder?.isDebugBuild == true else { return nil }
    return Finding(
      id: FindingName.debugBuild, unit: .count, expected: 0, actual: 1, subject: "recording", start: timeline.start,
      evidence: [Evidence(.note, "the recorder inside it was compiled without optimisation")],
      advice: "Build with -c release. A debug build is slow in other places than a release build.")
  }

  /// What to do about a trace that is full.
  var moreRoom: String {
    let limit =
      facts.recorder?.startedByLauncher == true
      ? LS_VARIABLE_LIMIT : "the limit that LaunchProfiler.start got, or \(LS_VARIABLE_LIMIT)"
    return "Raise \(limit), or free space on the disk."
  }

  /// The finding of a program without a recorder that was not observed either.
  func uninstrumented() -> Finding? {
    guard facts.launcher?.isInstrumented == false, facts.recorder == nil, timeline.trace.samples.count == 0,
      timeline.trace.switches.count == 0 || facts.hasEstimatedStates
    else { return nil }
    let shortcoming = timeline.observation?.shortcoming ?? ""
    let hasPhases = timeline.phases.contains {
      !$0.isUnattributed && ![PhaseName.trace, PhaseName.exit].contains($0.id)
    }
    // A copy in a format without samples and switches: the launch was observed.
    if hasPhases, shortcoming.isEmpty { return nil }
    let known =
      facts.hasEstimatedStates
      ? "It is not known in which functions the threads ran. "
        + (further.canStopForStacks ? "record --detail stacks copies their stacks. " : "")
      : hasPhases ? "Waits and stacks are not known. " : "Only the total time is known. "
    return Finding(
      id: FindingName.notInstrumented, unit: .count, expected: 1, actual: 0, subject: timeline.program,
      start: timeline.start,
      evidence: [Evidence(.note, shortcoming.isEmpty ? "it has no recorder and was not observed" : shortcoming)],
      advice: shortcoming.isEmpty
        ? "Record it without --no-observation, to see its phases, waits and stacks."
        : known + "launchprof explain not-instrumented says what observation needs.")
  }
}

extension LaunchTimeline {
  /// How much further BOOTTIME, which counts sleep, advanced in the launch than MONOTONIC, which does not
  /// (clock_gettime(2)), ns.
  var suspension: Int64? {
    let known = trace.clockSnapshots.compactMap { snapshot in
      snapshot.monotonic.flatMap { time in snapshot.boottime.map { (time: time, slept: $0 - time) } }
    }.sorted { $0.time < $1.time }
    guard known.count > 1 else { return nil }
    // A trace of another tool may be on CLOCK_BOOTTIME, with all of these readings before it.
    guard known.contains(where: { $0.time >= start }) else { return known[known.count - 1].slept - known[0].slept }
    // The snapshots around the launch. The launcher takes one only when the program ends, perhaps days later.
    let first = known.last { $0.time <= start } ?? known[0]
    let last = known.first { $0.time >= end } ?? known[known.count - 1]
    return last.slept - first.slept
  }

  /// How long the main thread was stopped during the launch, ns. Not by the launcher. It is part of the total.
  var stopTime: Int64 { context.madeStopTime.value { measuredStopTime() } }

  private func measuredStopTime() -> Int64 {
    // Estimated states have only stops by the launcher.
    guard !context.facts.hasEstimatedStates, trace.switches.kind.contains(.stopped) else { return 0 }
    // The launcher counts its stops of the launched process's first thread apart from those of all other threads.
    let (table, launched) = (states, context.facts.launcher?.processID)
    var (first, others): (Int64, Int64) = (0, 0)
    table.forEachRow(from: start, to: end) { row, start, end in
      guard table.state[row] == .stopped, table.track[row] >= 0 else { return }
      let isFirst = trace.tracks[Int(table.track[row])].threadID == launched
      if isFirst { first += end - start } else { others += end - start }
    }
    return max(0, first - max(0, observation?.heldUp ?? 0)) + max(0, others - max(0, observation?.heldUpThreads ?? 0))
  }

  /// Whether the machine slept during the launch, or the program was stopped.
  var isSuspended: Bool { max(suspension ?? 0, stopTime) > Findings.suspendedLeast }
}
