// SPDX-License-Identifier: Apache-2.0

/// Findings about waits of other threads. In a program with an `async` main the first thread soon has no part in the
/// launch any more, so its own waits say nothing.
extension Findings {
  /// One cause of waits of one thread.
  private struct Cause: Hashable {
    var track: Int32
    var state: ThreadState
    var systemCall: String?
    var path: String?
  }

  /// The longest wait that held up the launch while the main thread had no part in it, if it is too long.
  func launchWaiting() -> Finding? {
    var found: [Cause: [CriticalPath.Step]] = [:]
    let steps = timeline.criticalPath.steps.filter {
      $0.depth > 0 && ThreadState.waits.contains($0.state) && isAfterMainThread($0)
    }
    if steps.isEmpty { return nil }
    for step in steps { found[cause(of: step), default: []].append(step) }
    func time(_ steps: [CriticalPath.Step]) -> Int64 { steps.reduce(0) { $0 + $1.duration } }
    let over = found.filter { time($0.value) > allowed($0.key) }
    let worst = over.max { (time($0.value), $1.value[0].start) < (time($1.value), $0.value[0].start) }
    guard let (cause, waits) = worst else { return nil }
    return finding(cause, waits, total: time(waits), others: over.values.reduce(-waits.count) { $0 + $1.count })
  }

  private func cause(of step: CriticalPath.Step) -> Cause {
    var cause = Cause(track: step.track, state: step.state)
    timeline.context.histories.forEachStretch(of: step.track, in: step.start..<step.end) { _, _, _, wait in
      guard let wait, cause.systemCall == nil else { return }
      (cause.state, cause.systemCall, cause.path) = (wait.state, wait.systemCall, wait.path)
    }
    return cause
  }

  private func finding(_ cause: Cause, _ waits: [CriticalPath.Step], total: Int64, others: Int) -> Finding {
    let place = place(of: waits)
    let advice = WaitAdvice(
      systemCall: cause.systemCall, path: cause.path, executable: timeline.executable,
      isCold: timeline.eviction != nil, showsChildren: showsChildren, inputPipe: facts.launcher?.inputPipe,
      function: place?.own, further: further)
    let file = cause.path.flatMap { $0.hasPrefix("/") ? $0 : nil }
    let server = SystemCall.nameServer(cause.path).map { "name server \($0)" }
    let call = cause.systemCall.map { cause.path == SystemCall.timer ? "\($0) (\(SystemCall.timer))" : $0 }
    var finding = Finding(
      id: FindingName.launchWaiting, expected: allowed(cause), actual: total,
      subject: file ?? server ?? call ?? cause.state.title, start: waits[0].start,
      occurrences: waits.count + others, others: others, sum: .own,
      evidence: [Evidence(.thread, "\(title(cause.track)) waited", time: total)]
        + [
          cause.systemCall.map { Evidence(.systemCall, $0, time: total) },
          file.map { Evidence(.file, $0, time: total) }, place.map(evidence),
        ]
        .compactMap(\.self),
      advice: cause.state == .blocked
        ? advice.forDisk
        : advice.forOthers(culprit: nil, last: nil, isMost: false))
    finding.setPlace(place)
    return finding
  }

  /// The place with the most time.
  private func place(of waits: [CriticalPath.Step]) -> WaitPlace? {
    var times: [String: (total: Int64, place: WaitPlace)] = [:]
    for wait in waits {
      guard let place = timeline.context.histories.place(of: wait.track, at: wait.start) else { continue }
      times[place.own ?? "", default: (0, place)].total += wait.duration
    }
    return times.values.max { ($0.total, $1.place.functions.count) < ($1.total, $0.place.functions.count) }?.place
  }

  /// The program itself is the reason of a wait for a timer, a lock, a disk or a name server. Event loops and idle threads
  /// of a pool wait for many things that the trace does not show: an answer over the network, or another program.
  private func allowed(_ cause: Cause) -> Int64 {
    let isCertain =
      [.blocked, .lock].contains(cause.state) || (cause.state == .sleeping && cause.systemCall != nil)
      || SystemCall.nameServer(cause.path) != nil
    return isCertain ? timeline.budgets.defaultInterval : share(Self.waitingShare, of: launchBudget)
  }

  /// Whether the main thread then waited until after the launch, or until the main actor ran on another thread. For other
  /// waits of the main thread, main-thread-waiting names the thread.
  private func isAfterMainThread(_ step: CriticalPath.Step) -> Bool {
    let states = timeline.states
    let wait = states.wait[states.row(at: step.start)]
    return wait >= 0 && states.waits[Int(wait)].isAfterMainThread
  }
}
