internal import LaunchTrace

extension Findings {
  private static let defectsShown = 4

  /// What the recording itself says of its quality.
  func recording() -> [Finding] {
    var findings: [Finding] = []
    func note(
      _ id: String, expected: Int64 = 0, actual: Int64, unit: Finding.Unit = .count, because: [String], _ advice: String
    ) {
      var finding = Finding(
        id: id, unit: unit, expected: expected, actual: actual, subject: "recording", start: timeline.start,
        advice: advice)
      finding.evidence = because.map { Evidence(.note, $0) }
      findings.append(finding)
    }
    if let recorder = facts.recorder {
      if recorder.isDebugBuild {
        note(
          FindingName.debugBuild, actual: 1, because: ["the recorder in it was compiled without optimisation"],
          "Build with -c release: a debug build is slow in other places than a release build.")
      }
      if recorder.dropped > 0 {
        note(
          FindingName.eventsDropped, actual: Int64(recorder.dropped),
          because: ["the recorder counted what it could not write"],
          "The trace lacks \(recorder.dropped) events. Raise LAUNCHPROF_LIMIT, or make room on the disk.")
      }
      if recorder.untimedInitializers > 0 {
        note(
          FindingName.initializersUntimed, actual: Int64(recorder.untimedInitializers),
          because: ["the recorder could not take their place"],
          "The time of \(recorder.untimedInitializers) initialisers is in static-init, but not shown one by one.")
      }
    }
    let allowed = Int64(Double(timeline.total) * Self.overheadShare)
    if let cost = timeline.recorder, timeline.total > 0, cost.total > Double(allowed) {
      note(
        FindingName.recorderOverhead, expected: allowed, actual: Int64(cost.total), unit: .nanoseconds,
        because: [
          "\(Int64(cost.startupCost)) ns at the start",
          "\(cost.events) events of \(Int64(cost.eventCost.rounded())) ns",
        ],
        cost.startupCost > cost.total / 2
          ? "The launch is so short that the recorder's own start counts. Trust only medians of many launches."
          : "Leave out the intervals that are called most often. The calls column shows them.")
    }
    if timeline.isSuspended, let slept = timeline.suspension {
      note(
        FindingName.suspended, actual: slept, unit: .nanoseconds,
        because: ["CLOCK_BOOTTIME, which counts sleep, ran ahead of CLOCK_MONOTONIC"],
        "The machine slept during the launch. Record it again.")
    }
    if timeline.eviction != nil, let process = timeline.process, process.majorFaults == 0, process.readBytes == 0 {
      note(
        FindingName.coldNotProven, expected: 1, actual: 0, because: ["no major page fault, no byte read"],
        "It read nothing from a disk: its files were still in memory. Are they on a disk? Does another program use them?"
      )
    }
    if let first = timeline.trace.diagnostics.first {
      note(
        FindingName.traceDamaged, actual: Int64(timeline.trace.diagnostics.count),
        because: timeline.trace.diagnostics.prefix(Self.defectsShown).map { "byte \($0.offset): \($0.reason)" },
        "\(timeline.trace.diagnostics.count) places could not be read; the first at byte \(first.offset): \(first.reason)"
      )
    } else if timeline.trace.statistics.truncated {
      note(
        FindingName.traceDamaged, actual: 1, because: ["the file ends in the middle of an event"],
        "Its end is lost. Copy the file again, or record once more.")
    }
    return findings
  }

  /// A program without a recorder of its own, and nothing seen of it from outside either.
  func uninstrumented() -> Finding? {
    guard facts.launcher?.isInstrumented == false, facts.recorder == nil, timeline.trace.samples.count == 0,
      timeline.trace.switches.count == 0
    else { return nil }
    let shortcoming = timeline.observation?.shortcoming ?? ""
    var finding = Finding(
      id: FindingName.notInstrumented, unit: .count, expected: 1, actual: 0, subject: timeline.program,
      start: timeline.start,
      advice: shortcoming.isEmpty
        ? "Record it with observation to see its phases, waits and stacks."
        : "Only its total time is known. launchprof help record says what observing it needs.")
    finding.evidence = [
      Evidence(.note, shortcoming.isEmpty ? "it has no recorder, and nobody observed it" : shortcoming)
    ]
    return finding
  }
}

extension LaunchTimeline {
  /// How far BOOTTIME, which counts sleep, ran ahead of MONOTONIC, which does not (clock_gettime(2)), ns.
  var suspension: Int64? {
    let differences = trace.clockSnapshots.compactMap { snapshot in
      if let boot = snapshot.boottime, let monotonic = snapshot.monotonic {
        return Optional(boot - monotonic)
      }
      return nil
    }
    guard let first = differences.first, let last = differences.last, differences.count > 1 else { return nil }
    return last - first
  }

  /// The machine slept during the launch.
  var isSuspended: Bool { suspension.map { $0 > Findings.suspendedLeast } ?? false }
}
