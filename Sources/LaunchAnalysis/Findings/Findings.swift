// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchSystem
internal import LaunchTrace

/// The findings of a launch, the worst first.
struct Findings {
  let timeline: LaunchTimeline
  var facts: TraceFacts { timeline.context.facts }
  /// Where the main thread waited too long for launch tasks.
  let waitsForTasks: [Range<Int64>]
  /// Whether the program has one thread only. Then nothing of it runs while that thread waits.
  let isAlone: Bool
  /// Where the program's own part of the launch ends. It did not ask for the backtrace of a crash.
  private(set) var ownEnd: Int64
  /// The waits of the main thread that are findings. Functions from samples leave their time out.
  private(set) var reportedWaits: [ReportedWaits] = []
  private(set) var inKernel: Finding?

  init(_ timeline: LaunchTimeline) {
    self.timeline = timeline
    waitsForTasks = Self.waitsForTasks(timeline)
    isAlone = timeline.trace.tracks.count { $0.kind == .thread && $0.processID == timeline.processID } == 1
    ownEnd = timeline.end
    if let backtraceStart { ownEnd = backtraceStart }
    guard timeline.states.isKnown else { return }
    inKernel = findingInKernel()
    reportedWaits = reportedGroups.flatMap { reported($0) }
  }

  /// A static initialiser is slow from here, ns. A millisecond is a quarter of what a whole Swift program needs to
  /// start, and initialisers run one after the other before `main`, whether their values are needed or not.
  static let slowInitializer: Int64 = 1_000_000
  /// The largest number of findings that say what is inside. To look inside an interval takes a time that grows with what
  /// it contains, and intervals may contain each other.
  static let mostExplained = 1000
  /// Number of findings of one cause that are listed besides the worst one.
  static let othersShown = 4
  /// Unattributed time raises a finding if it is more than this share of the launch, and more than this time in ns.
  static let unattributedShare = 0.1
  static let unattributedLeast: Int64 = 1_000_000
  /// The recorder's cost raises a finding above this share of a launch, which is its target.
  static let overheadShare = 0.03
  /// The machine slept if one clock advanced this much further than the other, ns. Shorter stops do not matter, either.
  static let suspendedLeast: Int64 = 1_000_000

  func all() -> [Finding] {
    let kinds = [
      initializers(), relocations(), lazyGlobals(), [lookups()].compactMap(\.self), firstUses(), phases(),
      intervals() + inferred() + earlierPrograms(), states(), [loading(), repeatedSetup()].compactMap(\.self),
    ]
    // Numbers of something else than time cannot be compared with times.
    let timed = kinds.joined().filter { $0.unit == .nanoseconds }.sorted {
      // What comes after the launch does not delay it.
      isLater($0) != isLater($1) ? isLater($1) : Self.worstFirst($0, $1)
    }
    let counted = kinds.flatMap { $0.filter { $0.unit != .nanoseconds }.sorted(by: Self.worstFirst) }
    let failure = timeline.isComplete ? [] : [failed()]
    let doubts = [debugBuild()].compactMap(\.self) + suspended()
    var findings = failure + doubts + launch(before: timed) + timed + counted
    findings += [unattributed(), uninstrumented()].compactMap(\.self) + recording()
    promise(in: &findings)
    for place in findings.indices
    where findings[place].unit == .nanoseconds && !Self.ofWholeLaunch.contains(findings[place].id) {
      findings[place].phase = findings[place].phase ?? timeline.phaseName(at: findings[place].start)
    }
    return findings
  }

  /// They are about all phases, or about all until a milestone.
  private static let ofWholeLaunch: Set = [
    FindingName.launchOverBudget, FindingName.milestoneOverBudget, FindingName.recorderOverhead, FindingName.suspended,
  ]

  private func isLater(_ finding: Finding) -> Bool { finding.start >= timeline.end }

  static func worstFirst(_ first: Finding, _ second: Finding) -> Bool {
    let excess = (first.actual - first.expected, second.actual - second.expected)
    return excess.0 != excess.1 ? excess.0 > excess.1 : (first.start, first.subject) < (second.start, second.subject)
  }

  // MARK: The launch as a whole

  private func launch(before others: [Finding]) -> [Finding] {
    var findings: [Finding] = []
    if let budget = timeline.budget, timeline.total > budget {
      findings.append(
        Finding(
          id: FindingName.launchOverBudget, expected: budget, actual: timeline.total, subject: timeline.endMilestone,
          start: timeline.start, evidence: partEvidence(until: timeline.end), advice: launchAdvice(before: others)))
    }
    for milestone in timeline.milestones where milestone.id != timeline.endMilestone {
      if let budget = milestone.budget, milestone.time - timeline.start > budget {
        let parts = findings.count < Self.mostExplained ? partEvidence(until: milestone.time) : []
        findings.append(
          Finding(
            id: FindingName.milestoneOverBudget, expected: budget, actual: milestone.time - timeline.start,
            subject: milestone.id, start: timeline.start, evidence: parts,
            advice: "Make the phases before it faster, or defer their work.",
            listed: parts.isEmpty ? nil : "the largest"))
      }
    }
    return findings
  }

  /// Advice on what to look at first.
  ///
  /// - Parameter others: the findings about what the launch did.
  private func launchAdvice(before others: [Finding]) -> String {
    let stopped = timeline.stopTime
    if stopped * 2 > timeline.total {
      return "The program was stopped for \(percent(stopped)) % of the launch. See \(FindingName.suspended)."
    }
    let (totals, queueTime) = (ownTotals, queueTime)
    let runnable = totals[.runnable]
    if queueTime * 2 > timeline.total, queueTime > allowedRunnable {
      return
        "For \(percent(queueTime)) % of the launch, no processor was free for \(queued). See main-thread-runnable first."
    }
    guard let largest = LaunchParts(timeline, until: timeline.end).parts.first else {
      return "No part stands out. Compare the phases."
    }
    if largest.path.first == PhaseName.beforeRecorder {
      return
        "\(percent(largest.time)) % of it passed before the library with the recorder was loaded. To see that time, record the program with launchprof record."
    }
    // `swift run` builds the program first, and a script has work of its own.
    if largest.path.first == PhaseName.exec, largest.path.count > 1 {
      return
        "\(percent(largest.time)) % of it passed before \(timeline.executedName) was executed, mostly in \(largest.path[1]). To measure the program alone, record \(timeline.executedPath)."
    }
    // The name `main` does not help if the launch waited in it for another thread or process, or for a disk.
    let waited = totals.waited - totals.heldUp
    if largest.path.count == 1, waited * 2 > timeline.total {
      let isForDisk = [.lock, .sleeping, .waiting].allSatisfy { totals[$0] < totals[.blocked] }
      return "The main thread waited for \(percent(waited)) % of the launch. "
        + (isForDisk ? "See \(FindingName.mainThreadBlockedIO)." : waitHint(of: waited))
    }
    if largest.path.count == 1, (waited + runnable) * 2 > timeline.total, runnable > allowedRunnable {
      return "The main thread waited for \(percent(waited)) % of the launch, and no processor was free for it for "
        + "\(percent(runnable)) %. See \(FindingName.mainThreadRunnable) first."
    }
    if largest.path.count == 1, let kernel = inKernel, kernel.actual * 2 > timeline.total {
      return "The main thread was in the kernel for \(percent(kernel.actual)) % of the launch. See \(kernel.id)."
    }
    // Of a program without the library, such a part has no name that helps, but samples show functions.
    let isNameless = largest.path.count == 1 && (largest.isGap || largest.path[0] == PhaseName.main)
    if isNameless, facts.recorder == nil,
      others.contains(where: {
        $0.id == FindingName.mainThreadOverBudget && $0.error != nil && (largest.isGap || $0.phase == PhaseName.main)
      })
    {
      let place = largest.isGap ? largest.name : "in \(largest.name)"
      return "\(percent(largest.time)) % of the launch is \(place). See \(FindingName.mainThreadOverBudget)."
    }
    // `ready` is also the name of the milestone.
    let phase = largest.path[0] == timeline.endMilestone ? "the phase \(largest.path[0])" : largest.path[0]
    let place = largest.isGap ? phase : "in \(phase)"
    let name = largest.path.count == 1 ? phase : "\(largest.innermost.name) (\(place))"
    return "Start with \(name), which takes \(percent(largest.innermost.time)) % of the launch."
  }

  /// Where the reader sees what the main thread waited for.
  private func waitHint(of waited: Int64) -> String {
    let main = timeline.mainThread?.rawValue
    let ofOthers = timeline.criticalPath.times.reduce(0) { $0 + ($1.key == main ? 0 : $1.value.total) }
    return ofOthers * 2 > waited
      ? "report --by thread shows whose work that was." : "See \(FindingName.mainThreadWaiting)."
  }

  /// Of the launch. More than all of it counts as all.
  func percent(_ time: Int64) -> Int {
    timeline.total > 0 ? Int((min(1, Double(time) / Double(timeline.total)) * 100).rounded()) : 0
  }

  // MARK: Phases

  /// One finding for each program or library with slow initialisers.
  private func initializers() -> [Finding] {
    var slow: [String: [(slice: SliceIndex, phase: Phase, path: [String], time: Int64)]] = [:]
    forEachPhase { phase, path in
      guard let slice = phase.slice, timeline.spans.flags[slice].contains(.initializer),
        phase.duration > allowed(of: phase)
      else { return }
      let isMain = timeline.spans.flags[slice].contains(.mainThread)
      let image = timeline.trace.annotations(ofSlice: slice).string(LS_KEY_IMAGE)
      let range = phase.start..<phase.end
      let pages = isMain ? image.map { timeline.pageWaits(of: $0, in: range) } ?? 0 : 0
      let time = (isMain ? timeline.work(in: range) : phase.duration) - pages
      guard time > allowed(of: phase) else { return }
      slow[image ?? phase.id, default: []].append((slice, phase, path, time))
    }
    return slow.values.compactMap { found in
      guard let place = found.indices.max(by: { found[$0].time < found[$1].time }) else { return nil }
      let (slice, phase, path, time) = found[place]
      let image = timeline.trace.annotations(ofSlice: slice).string(LS_KEY_IMAGE)
      let others = found.indices.filter { $0 != place }.map {
        Evidence(.span, found[$0].phase.id, time: found[$0].time)
      }
      return Finding(
        id: FindingName.slowStaticInitializer, expected: allowed(of: phase), actual: time,
        subject: phase.id, path: path, start: phase.start, occurrences: found.count,
        others: found.count - 1,
        evidence: (image.map { [Evidence(.library, $0)] } ?? [])
          + evidence(of: phase.id, from: phase.start, to: phase.end, in: slice)
          + others.sorted { ($1.time ?? 0, $0.text) < ($0.time ?? 0, $1.text) }.prefix(Self.othersShown),
        advice: advice(for: timeline.trace.name(ofSlice: slice), of: image))
    }
  }

  /// ns. A person may know an initialiser, and accept it.
  private func allowed(of initializer: Phase) -> Int64 {
    timeline.budgets.intervals[initializer.id] ?? Self.slowInitializer
  }

  private func advice(for initializer: String, of image: String?) -> String {
    guard let image else { return "Do its work when the result is first needed." }
    guard image == timeline.executable || fileName(image) == timeline.program else {
      if SwiftLibraries.isBase(fileName(image)), !SwiftLibraries.isOfFoundation(fileName(image)) {
        let held = timeline.states.isKnown ? "" : " Its time may contain time without a processor."
        return "It belongs to \(fileName(image)), which the program's language needs. No program can change it.\(held)"
      }
      return "It belongs to \(fileName(image)). Load that library when it is first needed, or do not use it."
    }
    return RuntimeInitializers.contain(initializer, of: image, in: timeline.trace)
      ? "It belongs to Swift's runtime, which \(fileName(image)) contains. No program can change it."
      : "Do its work when the result is first needed, not before main."
  }

  /// One finding for all phases of a path, with the longest of them.
  private func phases() -> [Finding] {
    var found: [(phase: Phase, path: [String])] = []
    forEachPhase { phase, path in
      if phase.overBudget > 0 { found.append((phase, path)) }
    }
    return found.grouped { $0.path + [$0.phase.id] }.map(\.members).enumerated().map { place, same in
      let (phase, path) = same.reduce(same[0]) { $1.phase.duration > $0.phase.duration ? $1 : $0 }
      let flags = phase.slice.map { timeline.spans.flags[$0] } ?? .mainThread
      let thread = flags.contains(.mainThread) ? nil : phase.slice.map { title(timeline.spans.track[$0]) }
      return Finding(
        id: FindingName.phaseOverBudget, expected: phase.budget ?? 0, actual: phase.duration, subject: phase.id,
        path: [thread].compactMap(\.self) + path, start: phase.start, occurrences: same.count,
        evidence: place < Self.mostExplained
          ? evidence(of: phase.id, from: phase.start, to: phase.end, in: phase.slice)
          : [Evidence(.span, phase.id, time: phase.duration)],
        advice: flags.contains(.mainThread)
          ? "Find its longest part in the flame tree. Defer that, or move it off the main thread."
          : adviceElsewhere(nil, flags))
    }
  }

  private func forEachPhase(_ body: (Phase, _ path: [String]) -> Void) {
    func visit(_ phases: [Phase], path: [String]) {
      for phase in phases {
        body(phase, path)
        visit(phase.children, path: path + [phase.id])
      }
    }
    visit(timeline.phases, path: [])
    visit(timeline.parallelPhases, path: [])
  }

  private func unattributed() -> Finding? {
    let gaps = timeline.phases.filter { $0.isUnattributed && $0.start < timeline.end }
    // A wait for a processor may be in any code.
    func work(_ gap: Phase) -> Int64 { timeline.work(in: gap.start..<gap.end) }
    let sum = gaps.reduce(0) { $0 + work($1) }
    let allowed = max(Self.unattributedLeast, Int64(Double(timeline.total) * Self.unattributedShare))
    guard sum > allowed, facts.launcher?.isInstrumented != false || facts.recorder != nil,
      let largest = gaps.max(by: { work($0) < work($1) })
    else { return nil }
    let place = timeline.place(of: largest)
    return Finding(
      id: FindingName.unattributedTime, expected: allowed, actual: sum, subject: PhaseName.unattributed,
      start: largest.start, occurrences: gaps.count, sum: .all,
      evidence: [Evidence(.note, "the longest gap is \(place)", time: work(largest))]
        + stateEvidence(from: largest.start, to: largest.end),
      advice: "Put LaunchProfiler.phase(_:) around the code that runs \(place).")
  }

  /// A share of the launch, but at least `least`, ns. Readers do not need the nanoseconds of a threshold.
  func threshold(_ share: Double, least: Int64) -> Int64 {
    max(Int64(Double(timeline.total) * share) / 10_000 * 10_000, least)
  }
}
