// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import CLaunchRecorder
internal import CLaunchSchema
internal import LaunchProfiler
internal import LaunchRecord

extension LaunchSummary {
  /// The launch record: one flat JSON object, without a line feed, usually of less than 2 KB (docs/launch-record.md).
  ///
  /// It reads facts about the machine and the program's build id from the system. So do not call it on a thread that
  /// the launch needs.
  /// - Parameter metadata: the keys of the program's own metadata that the record may contain. It omits all others.
  public func record(metadata: [String] = []) -> String { row(metadata: metadata).line }

  internal func row(metadata keys: [String]) -> Record {
    var record = LaunchProfiler.recordHead(id: id, start: wallClockStart.nanoseconds)
    record.addCircumstances(metadata)
    record.addEnd(
      isComplete ? .completed : hasTimedOut ? .timeout : .failed, at: endMilestone, total: total.nanoseconds,
      budget: milestones.first { $0.id == endMilestone }?.budget?.nanoseconds)
    record.add(.phases, phaseNanoseconds)
    record.add(.phaseStarts, phaseStartNanoseconds)
    record.add(.milestones, milestoneTimes)
    record.add(.overBudget, timesOverBudget)
    record.add(.counts, counts)
    record.add(.cpuTime, usage.cpu.nanoseconds)
    record.add(.recorder, recorderCost.nanoseconds)
    record.add(.profiler, LAUNCHPROF_VERSION)
    record.add(metadata: metadata, allowed: keys)
    return record
  }

  private var milestoneTimes: [String: Int64] {
    var times: [String: Int64] = [:]
    times[LS_MILESTONE_PREINIT] = load > .zero ? load.nanoseconds : nil
    times[LS_MILESTONE_MAIN] = main?.nanoseconds
    for milestone in milestones where times[milestone.id] == nil { times[milestone.id] = milestone.time.nanoseconds }
    return times
  }

  private var timesOverBudget: [String: Int64] {
    // A summary that was decoded may have any times. Their sum fits into a Duration, and `nanoseconds` cuts it.
    var times: [String: Duration] = [:]
    let end = milestones.end?.time ?? total
    for work in overBudget where work.kind == .interval && !work.isSpan && work.start < end {
      times[work.name, default: .zero] += work.duration
    }
    return times.mapValues(\.nanoseconds)
  }

  private var counts: [String: Int64] {
    var counts = [RecordKey.majorFaults.rawValue: usage.majorFaults, RecordKey.minorFaults.rawValue: usage.minorFaults]
    counts[RecordKey.threads.rawValue] = usage.threads > 0 ? usage.threads : nil
    counts[RecordKey.dropped.rawValue] = eventsDropped > 0 && milestones.end != nil ? Int64(eventsDropped) : nil
    return counts
  }
}

extension LaunchProfiler {
  /// The fields that are known before the launch is over: where and when it takes place.
  ///
  /// - Parameter start: when the process started, ns since 1970.
  internal static func recordHead(id: String, start: Int64) -> Record {
    var (record, machine) = (recordOrigin(id: id, start: start), lr_machine_get())
    record.add(
      RecordMachine(
        kernel: text(&machine.system) + " " + text(&machine.release), arch: RecordMachine.currentArch,
        cpu: text(&machine.processor), cores: Int64(machine.processors), memory: Int64(clamping: machine.memory)))
    return record
  }

  /// Those of them that take no time.
  internal static func recordOrigin(id: String, start: Int64) -> Record {
    var record = Record(id: LaunchID(id) ?? LaunchID(of: id), time: WallTime(nanoseconds: start))
    var program = lr_program_get()
    record.add(.program, text(&program.name))
    record.add(.build, text(&program.build_id))
    return record
  }

  /// A C array of characters, which Swift sees as a tuple.
  private static func text<T>(_ characters: inout T) -> String {
    withUnsafeBytes(of: &characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
#endif
