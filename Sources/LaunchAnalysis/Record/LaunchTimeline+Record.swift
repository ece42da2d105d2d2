// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
package import LaunchRecord
internal import LaunchSystem
internal import LaunchTrace

extension LaunchTimeline {
  /// The launch as one flat row: docs/launch-record.md.
  ///
  /// - Parameter metadata: the keys of the program's own metadata that the row may contain.
  package func record(metadata: [String] = []) -> Record {
    var record = Record(id: launchID, time: wallClockStart)
    let image = image(in: launcherRow)
    record.add(.program, wrappedProgram ?? fileName(program))
    record.add(.version, labels.version)
    record.add(.build, image?.buildID)
    if let machine = recordMachine { record.add(machine) }
    record.add(.kind, labels.kind)
    record.add(.reason, labels.reason)
    record.add(.context, labels.context)
    record.addEnd(recordOutcome, at: endMilestone, total: total, budget: budget)
    let phases = phaseTimes
    record.add(.phases, phases.compactMapValues(\.time))
    record.add(.phaseStarts, phases.compactMapValues(\.onlyStart))
    record.add(.milestones, milestoneTimes)
    record.add(.states, stateTimes)
    record.add(.overBudget, timesOverBudget.pairs())
    record.add(.counts, counts(image))
    if isUsageOfLaunch { record.add(.cpuTime, process.map(\.cpu)) }
    record.add(.recorder, recorder.flatMap { Int64(exactly: $0.total.rounded()) })
    record.add(.profiler, recorder?.libraryVersion ?? launcherRow?.string(LS_KEY_LAUNCHPROF_VERSION))
    record.add(metadata: labels.other, allowed: metadata)
    return record
  }

  /// The program's launch ID. Otherwise one from data that no other launch shares: a trace always has the same ID.
  private var launchID: LaunchID {
    if let id = labels.id.flatMap(LaunchID.init) { return id }
    let session = launcherRow?.string(LS_KEY_SESSION) ?? ""
    let clock = wallClockStart.map { String($0.nanoseconds) } ?? ""
    return LaunchID(of: "\(session) \(program) \(processID) \(start) \(end) \(clock) \(trace.slices.count)")
  }

  private var recordOutcome: RecordOutcome {
    // A trace from the recorder alone ends with a milestone, or has no end.
    let isOpenEnded = recorder != nil && endMilestone == MilestoneName.lastEvent
    if isComplete, !isOpenEnded { return .completed }
    return [.timedOut, .deadlinePassed].contains(outcome) ? .timeout : .failed
  }

  /// The wall clock is in the clock snapshots. The snapshot nearest to the start counts, because clocks get set.
  package var wallClockStart: WallTime? {
    let known = trace.clockSnapshots.compactMap { snapshot in
      let own = snapshot.readings[trace.clock] ?? snapshot.monotonic
      return own.flatMap { own in snapshot.realtime.map { (own: own, realtime: $0) } }
    }
    guard let nearest = known.min(by: { abs($0.own - start) < abs($1.own - start) }) else { return nil }
    let (time, overflows) = nearest.realtime.addingReportingOverflow(start - nearest.own)
    return overflows ? nil : WallTime(nanoseconds: time)
  }

  private var recordMachine: RecordMachine? {
    machine.map {
      RecordMachine(
        kernel: $0.kernel, arch: launcherRow?.string(LS_KEY_ARCHITECTURE), cpu: $0.cpuModel,
        cores: Int64($0.usableCPUs),
        memory: launcherRow?.integer(LS_KEY_MEMORY_BYTES))
    }
  }
}

// MARK: Times by name

extension LaunchTimeline {
  /// Leaves out initialisers, which are phases too and can be hundreds, and the loading of each library.
  private var phaseTimes: [String: RecordPhase] {
    var times: [String: RecordPhase] = [:]
    let isCompleted = recordOutcome == .completed
    let last = phaseOfItsEnd
    func add(_ phases: [Phase]) {
      for phase in phases where phase.slice.map({ !spans.flags[$0].contains(.initializer) }) ?? true {
        // The end of a complete launch is the end of what it cut.
        let isOpen =
          phase.isUnfinished && (!isCompleted || phase.end > end || spans.hasLostEnds)
          || !isCompleted && phase.slice == nil && phase.id == last?.id && phase.start == last?.start
        times[phase.id, default: RecordPhase()].add(start: phase.start - start, time: isOpen ? nil : phase.duration)
        if !PhaseName.beforeMain.contains(phase.id) { add(phase.children) }
      }
    }
    add(phases)
    add(parallelPhases)
    return times
  }

  /// Where a program was when it was killed, or had no more time; nil if it ended by itself.
  private var phaseOfItsEnd: Phase? {
    switch outcome {
    case .signalled, .timedOut, .deadlinePassed: phases.last { $0.id != PhaseName.exit }
    default: nil
    }
  }

  private var milestoneTimes: [String: Int64] {
    Dictionary(
      milestones.filter { $0.id != MilestoneName.processStart }.map { ($0.id, $0.time - start) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Without an observer, only parts of the states are known, and their sums would mislead.
  private var stateTimes: [String: Int64] {
    guard observation != nil, states.isKnown else { return [:] }
    return Dictionary(uniqueKeysWithValues: stateSummaries.map { ($0.state.name, $0.total) })
  }

  /// Times of the intervals over their budget, summed by name. Names of spans may contain what a user entered.
  private var timesOverBudget: TimesByName {
    var times = TimesByName(trace.strings)
    for row in 0..<spans.count
    where spans.flags[row].contains(.overBudget) && spans.flags[row].isDisjoint(with: [.phase, .initializer])
      && spans.start[row] < end
      && !trace.strings[StringID(rawValue: trace.slices.category[row])].hasPrefix(LS_SUBSYSTEM_TRACING + "/")
    {
      times.add(spans.limitedTime(of: row, in: trace, by: budgets), of: trace.slices.name[row])
    }
    return times
  }

  /// True when the process's resource usage is that of the launch, and not of the program that started it, nor also of
  /// what came later.
  package var isUsageOfLaunch: Bool {
    guard starter == nil else { return false }
    let exit = milestones.first { $0.id == MilestoneName.exit }?.time
    return process != nil && exit.map { Double($0 - end) <= 0.25 * Double(total) } ?? false
  }

  private func counts(_ image: ImageDescription?) -> [String: Int64] {
    var counts: [String: Int64] = [:]
    let libraries = LoadedLibraries(self)?.mapped.count ?? image?.libraries.count
    counts[RecordKey.libraries.rawValue] = libraries.map(Int64.init)
    counts[RecordKey.relocations.rawValue] = image?.relocations
    counts[RecordKey.dropped.rawValue] = spans.hasLostEnds ? recorder.map { Int64($0.dropped) } : nil
    if isUsageOfLaunch {
      counts[RecordKey.majorFaults.rawValue] = process?.majorFaults
      counts[RecordKey.minorFaults.rawValue] = process?.minorFaults
    }
    return counts
  }
}
