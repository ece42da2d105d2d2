// SPDX-License-Identifier: Apache-2.0

/// Findings about time in which the main thread was ready to run, but had no processor; or a thread that it waited for.
extension Findings {
  /// ns.
  var allowedRunnable: Int64 {
    max(min(share(Self.runnableShare, of: timeline.total), Self.runnableMost), timeline.budgets.defaultInterval / 2)
  }

  /// How long the launch waited for a processor, ns.
  var queueTime: Int64 {
    let queue = timeline.context.queue
    return queue.isOfOthers ? queue.total : ownTotals[.runnable]
  }

  func runnable() -> Finding? {
    let (queue, time) = (timeline.context.queue, queueTime)
    guard time > allowedRunnable else { return nil }
    let (evidence, advice) = causeOfQueue(time)
    let state = ThreadState.runnable.title
    return Finding(
      id: FindingName.mainThreadRunnable, expected: allowedRunnable, actual: time,
      subject: queue.isOfOthers ? "\(state), in \(queued)" : state, start: queue.start,
      evidence: queuedEvidence + evidence, advice: advice)
  }

  /// Whose waits for a processor the launch waited for: the thread with most of them, or how many threads.
  var queued: String {
    let queue = timeline.context.queue
    guard queue.isOfOthers else { return "the main thread" }
    let most = queue.times.max { ($0.value, $1.key) < ($1.value, $0.key) }
    guard let most, most.value * 2 > queue.total else { return "\(queue.times.count) threads" }
    return title(most.key)
  }

  private var queuedEvidence: [Evidence] {
    let queue = timeline.context.queue
    guard queue.isOfOthers else { return [] }
    return queue.times.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.causesShown).map {
      Evidence(.thread, "\(title($0.key)) waited for a CPU", time: $0.value)
    }
  }

  /// Why the launch waited for a processor, or what came after it: a CPU quota, threads of the trace, or otherwise other
  /// programs.
  private func causeOfQueue(_ time: Int64) -> (evidence: [Evidence], advice: String) {
    let late = timeline.exitDelay
    if !timeline.context.queue.isOfOthers, late * 2 > time {
      return (
        [Evidence(.note, "after the last thread had ended", time: late)],
        part(late, of: time)
          + "The program's threads had ended. The kernel had no processor to remove the process, or launchprof none to see its "
          + "end. Measure on a quiet machine."
      )
    }
    let periods = facts.launcher?.throttledPeriods ?? 0
    if periods > 0 {
      let note = "stopped by the CPU quota in \(periods) period\(periods == 1 ? "" : "s")"
      return (
        [Evidence(.note, note)] + rivalEvidence,
        "The CPU quota of the control group stopped the program (cpu.max). Raise the quota, or use less CPU time."
      )
    }
    guard rivals.isEmpty else {
      return (rivalEvidence, "Other threads of the trace used the processors. See cpu-contention.")
    }
    if facts.hasEstimatedStates {
      return (
        [Evidence(.note, "other threads of the program ran for less than a quarter of that time")],
        "Other threads of the program ran for less than a quarter of that time, so its child processes or other programs "
          + "used the processors.\(further.toFindOut(" which"))"
      )
    }
    let children = showsChildren ? "" : " If the launch has child processes, record them with --follow."
    return (
      [Evidence(.note, "other threads of the trace ran for less than a quarter of that time")],
      "Other threads of the trace ran for less than a quarter of that time, so other programs used the processors. "
        + "Measure on a quiet machine." + children
    )
  }

  /// The threads that used the processors meanwhile.
  func contention(_ runnable: Finding) -> Finding? {
    guard let first = rivals.first else { return nil }
    // None of many equal threads is the reason.
    let isOne = first.time * 2 >= rivals.reduce(0) { $0 + $1.time }
    return Finding(
      id: FindingName.cpuContention, expected: runnable.expected, actual: runnable.actual,
      subject: isOne ? title(first.track) : "\(rivals.count) threads",
      start: runnable.start, evidence: rivalEvidence,
      advice: timeline.context.isOwn(first.track)
        ? "Start fewer threads and child processes during the launch, or give them a lower priority."
        : "Other programs ran during the launch. Measure on a quiet machine.")
  }

  private var rivalEvidence: [Evidence] {
    let rest = rivals.dropFirst(Self.causesShown)
    let more = Evidence(
      .thread, "\(rest.count) more thread\(rest.count == 1 ? "" : "s")", time: rest.reduce(0) { $0 + $1.time })
    return rivals.prefix(Self.causesShown).map { Evidence(.thread, title($0.track), time: $0.time) }
      + (rest.isEmpty ? [] : [more])
  }

  /// Threads that had these processors, those that ran the longest first; none when all of them together ran for less than a
  /// quarter of that time.
  private var rivals: [(track: Int32, time: Int64)] { timeline.context.rivals.list }
}
