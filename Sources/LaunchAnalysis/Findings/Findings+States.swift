// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchTrace

/// Findings about the states of the main thread, above all those in which it did not run. The shares are from Perfetto's
/// analysis of Android's slow starts. Of 5 s, it allows 450 ms of I/O and 2.9 s of sleep. Here they are shares of the launch's
/// own budget.
extension Findings {
  static let blockedShare = 0.09
  static let waitingShare = 0.58
  static let lockShare = 0.2
  /// Waiting for a processor raises a finding above this share of the launch, or above this time in ns. It never does
  /// so below half of an interval's budget, because every machine runs other programs now and then.
  static let runnableShare = 0.15
  static let runnableMost: Int64 = 100_000_000

  static let causesShown = 4
  static let explainedShare = 0.3

  func states() -> [Finding] {
    guard timeline.states.isKnown else { return [] }
    let runnable = runnable()
    return reportedWaits.map { finding($0) }
      + [launchWaiting(), inKernel, runnable, runnable.flatMap(contention)].compactMap(\.self)
  }

  /// What the main thread did until `ownEnd`.
  var ownTotals: StateTotals { timeline.states.totals(from: timeline.start, to: ownEnd) }

  /// Whether the main thread had no part in the launch any more for most of its waits. Then a wait of the thread that went
  /// on says more.
  private var isMostlyAfterMainThread: Bool {
    let waits: Set<ThreadState> = [.lock, .sleeping, .waiting]
    let ours = timeline.states.waits.filter { waits.contains($0.state) && $0.start < timeline.end }
    let after = ours.filter(\.isAfterMainThread)
    return after.reduce(0) { $0 + clipped($1) } * 2 > ours.reduce(0) { $0 + clipped($1) }
  }

  /// The budget of the launch, ns; by default that of a first frame.
  var launchBudget: Int64 {
    timeline.budget ?? timeline.budgets.milestones[MilestoneName.firstFrame] ?? Int64(LS_DEFAULT_FIRST_FRAME_BUDGET)
  }

  /// A share of a time, rounded to a tenth of a millisecond, which is exact enough for a threshold.
  func share(_ share: Double, of time: Int64) -> Int64 {
    let exact = Int64(Double(time) * share)
    return exact < 1_000_000 ? exact : (exact + 50_000) / 100_000 * 100_000
  }

  // MARK: Blocked and waiting

  /// When the main thread was in the waits that are findings, in order.
  var toldWaits: [Range<Int64>] {
    Time.union(reportedWaits.flatMap(\.waits).map { $0.start..<max($0.start, min($0.end, ownEnd)) })
  }

  /// The groups of waits that may be findings. A wait of the thread that went on is one instead of the main thread's.
  var reportedGroups: [WaitGroup] {
    let groups = groups(ownTotals)
    guard isMostlyAfterMainThread, launchWaiting() != nil else { return groups }
    return groups.filter { $0.id != FindingName.mainThreadWaiting }
  }

  /// Many locks are a finding of their own, beside that of other waits. Fewer count as other waits do.
  private func groups(_ totals: StateTotals) -> [WaitGroup] {
    func group(_ id: String, _ states: [ThreadState], allowed: Int64) -> WaitGroup {
      WaitGroup(id: id, states: states, total: certain(states, totals), allowed: allowed)
    }
    let blocked = group(
      FindingName.mainThreadBlockedIO, [.blocked], allowed: share(Self.blockedShare, of: launchBudget))
    let (id, others): (String, [ThreadState]) = (FindingName.mainThreadWaiting, [.sleeping, .waiting])
    let allowed = share(Self.waitingShare, of: launchBudget)
    let lockAllowed = max(share(Self.lockShare, of: timeline.total), timeline.budgets.defaultInterval)
    guard totals[.lock] > lockAllowed else { return [blocked, group(id, [.lock] + others, allowed: allowed)] }
    return [blocked, group(id, [.lock], allowed: lockAllowed), group(id, others, allowed: allowed)]
  }

  /// - Parameter states: of the waits.
  func advice(_ cause: WaitCause?, in states: [ThreadState]) -> String {
    if states == [.blocked] { return advice(cause).forDisk }
    return advice(cause).forOthers(
      culprit: cause?.chain.first.map { (title($0.track), $0.link) }, last: cause?.chain.last.map { title($0.track) },
      pause: cause.flatMap(pauseOfAwaited), isMost: (cause?.total ?? 0) * 2 > timeline.total,
      isLock: cause.map { timeline.states.waits[$0.longest].state == .lock } ?? false)
  }

  /// How the thread that was waited for passed most of the longest wait, if it did not run.
  private func pauseOfAwaited(_ cause: WaitCause) -> WaitAdvice.Pause? {
    let wait = timeline.states.waits[cause.longest]
    guard let awaited = cause.chain.first else { return nil }
    // A function from samples may go on after the launch, and wait there.
    let end = wait.start < timeline.end ? min(wait.end, timeline.end) : wait.end
    let pause = timeline.context.histories.pause(of: awaited.track, in: wait.start..<end)
    return pause.map {
      // The stack with which that wait began. What the thread did before it is another function.
      WaitAdvice.Pause(
        state: $0.state, systemCall: $0.wait?.systemCall, path: $0.wait?.path,
        function: $0.wait.flatMap { timeline.place(of: $0) }?.own)
    }
  }

  /// Whether the launch was recorded with `--follow`, and has child processes.
  var showsChildren: Bool {
    let own = [timeline.processID, facts.launcher?.processID]
    let tracks = timeline.trace.tracks
    return tracks.indices.contains {
      tracks[$0].kind == .thread && !own.contains(tracks[$0].processID)
        && timeline.context.histories.hasTurns(Int32(truncatingIfNeeded: $0))
    }
  }

  private func advice(_ cause: WaitCause?) -> WaitAdvice {
    WaitAdvice(
      systemCall: cause?.systemCall, path: cause?.path, files: cause?.files ?? 0,
      executable: timeline.executable, isCold: timeline.eviction != nil, showsChildren: showsChildren,
      isAlone: isAlone, inputPipe: facts.launcher?.inputPipe,
      function: cause.flatMap { timeline.place(of: timeline.states.waits[$0.longest]) }?.own,
      further: further, work: cause?.chain.first.map { work(of: $0.track) } ?? .sampled)
  }

  private func work(of track: Int32) -> WaitAdvice.Work {
    if timeline.trace.samples.track.contains(track) { return .sampled }
    let isOwn = timeline.trace.tracks[Int(track)].processID == timeline.processID
    return isOwn || timeline.context.histories.hasTurns(track) ? .unsampled : .elsewhere
  }

  /// How another recording would say more.
  var further: FurtherRecording {
    FurtherRecording(after: facts.launcher?.observation, hasWaitStacks: timeline.trace.waitStacks.count > 0)
  }

  /// Whether the main thread was free while it waited in a call: in an event loop, or in `dispatchMain`, which waits for
  /// signals while other threads work; also after its end.
  func isFree(in wait: Wait) -> Bool {
    switch wait.systemCall {
    case SystemCall.threadEnd: true
    // What goes on is another process. It may not be in the trace.
    case SystemCall.processEnd: showsChildren
    // The events that it waited for were the end of a child process.
    case _ where wait.link == .awaited: false
    default: wait.isForEvents && !(isAlone && (SystemCall.isForSignals(wait.systemCall) || isMostOfLaunch(wait)))
    }
  }

  /// Whether the launch was mostly one wait, and went on after it. A program that has all it needs rests until its end.
  private func isMostOfLaunch(_ wait: Wait) -> Bool { wait.end < timeline.end && wait.duration * 2 > timeline.total }

  /// Whether a wait may be none. Looks at /proc find each long wait of a thread. What they did not find may be the end of the
  /// process, or a wait for a CPU, which the kernel did not count.
  func isDoubtful(_ wait: Wait) -> Bool { facts.hasEstimatedStates && wait.isUnexplained }

  /// How long the main thread surely was in some states, ns. Without what is another finding.
  private func certain(_ states: [ThreadState], _ totals: StateTotals) -> Int64 {
    let all = states.reduce(0) { $0 + totals[$1] }
    // The totals end at `ownEnd`, too.
    let others = timeline.states.waits.filter {
      states.contains($0.state) && $0.start < ownEnd && (isDoubtful($0) || isForTasks($0))
    }
    return all - others.reduce(0) { $0 + min($1.end, ownEnd) - $1.start }
  }

  func clipped(_ wait: Wait) -> Int64 { min(wait.end, timeline.end) - wait.start }

  /// What it waited for, in a few words.
  func subject(_ cause: WaitCause) -> String {
    if cause.files > 1, let call = cause.systemCall { return "\(call) of \(cause.files) files" }
    if let path = cause.path, path.hasPrefix("/") { return path }
    if let server = cause.nameServer { return "name server \(server)" }
    if let culprit = cause.chain.first?.track { return title(culprit) }
    let kind = SystemCall.kind(ofPath: cause.path ?? "")
    return (cause.systemCall ?? "") + (kind.isEmpty ? "" : " (\(kind))")
  }

  func evidence(_ cause: WaitCause) -> [Evidence] {
    var evidence: [Evidence] = []
    if let call = cause.systemCall { evidence.append(Evidence(.systemCall, call, time: cause.total)) }
    if let server = cause.nameServer {
      evidence.append(Evidence(.note, "name server \(server)", time: cause.total))
    } else if let path = cause.path {
      evidence.append(Evidence(.file, path, time: cause.total))
    }
    var waiting: String?
    for awaited in cause.chain {
      let activity = awaited.activity.map { ", in \($0)" } ?? ""
      evidence.append(
        Evidence(
          .thread, "\(title(awaited.track)) \(Self.words(awaited.link, of: waiting))\(activity)",
          time: waiting == nil ? cause.total : awaited.time))
      waiting = title(awaited.track)
    }
    return evidence
  }

  func title(_ track: Int32) -> String { timeline.trace.title(ofTrack: track, isMain: false) }

  /// What a thread did for a thread that waited. `thread` is nil for the main thread.
  private static func words(_ link: Wait.Link, of thread: String?) -> String {
    let (ofThread, forThread) = (thread.map { " of \($0)" } ?? "", thread.map { " for \($0)" } ?? "")
    return switch link {
    case .owner: "held the lock" + (thread.map { " that \($0) waited for" } ?? "")
    case .awaited: "had to end" + forThread
    case .overlap: "ran the most " + (thread.map { "while \($0) waited" } ?? "meanwhile")
    case .last: "probably ended the wait" + ofThread
    case .end: "ended the launch" + forThread
    case .creation: "created " + (thread ?? "it")
    case .wakeup, .interrupt: "ended the wait" + ofThread
    }
  }

  func evidence(_ place: WaitPlace) -> Evidence { Evidence(.stack, place.functions.joined(separator: " > ")) }

  /// The functions that were on the thread's stack both before and after a wait.
  func stack(around wait: Wait) -> Evidence? {
    let samples = timeline.trace.samples
    guard let tree = timeline.context.large.samples else { return nil }
    let next = samples.time.firstPlace(notBefore: wait.start)
    let before = (0..<next).reversed().prefix(1000).first { samples.track[$0] == wait.track && tree.nodes[$0] >= 0 }
    let after = (next..<samples.count).prefix(1000).first {
      samples.track[$0] == wait.track && tree.nodes[$0] >= 0 && samples.time[$0] >= wait.end
    }
    guard let before, let after else { return nil }
    let node = tree.tree.commonNode(tree.nodes[before], tree.nodes[after])
    guard node >= 0, tree.tree.parent[Int(node)] >= 0 else { return nil }
    return Evidence(.stack, tree.tree.path(of: Int(node)).dropFirst().joined(separator: " > "))
  }
}

extension Finding {
  mutating func setPlace(_ place: WaitPlace?) {
    guard let file = place?.file else { return }
    (self.file, line) = (file, place?.line)
  }
}
