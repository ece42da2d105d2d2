// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem
internal import LaunchTrace

/// Waits of the main thread that count together.
struct WaitGroup {
  /// Of the finding.
  var id: String
  var states: [ThreadState]
  /// Their time, ns. More than `allowed` of it is a finding.
  var total: Int64
  var allowed: Int64
}

/// Waits of the main thread that are one finding.
struct ReportedWaits {
  var group: WaitGroup
  var waits: [Wait]
  /// The wait whose place and start are shown: the finding names what it was for.
  var shown: Wait
  /// Of these the main one has the advice.
  var causes: [WaitCause]
  /// Those that the evidence lists.
  var listed: [WaitCause]
  /// How many waits have, or may have, another cause than the named one.
  var others: Int
  var actual: Int64
  /// Whether that is the sum of the waits, and not the longest one.
  var isSum: Bool
  var allowed: Int64
}

extension Findings {
  /// The waits of a group that are findings: all, if they are over budget together; else those that are each longer than
  /// an interval may be. Waits for events, in which the main thread was free, hide no such waits.
  func reported(_ group: WaitGroup) -> [ReportedWaits] {
    let waits = timeline.states.waits
    let ours = waits.filter {
      group.states.contains($0.state) && $0.start < ownEnd && !isDoubtful($0) && !isForTasks($0)
    }
    let causes = causes(of: group.states)
    let long = overLong(ours)
    let single = reported(long: long, causes, of: group)
    guard group.total > group.allowed else { return single }
    let isMostlyFree = WaitCause.main(of: causes).map { isFree(in: waits[$0.longest]) } ?? false
    guard isMostlyFree, !long.isEmpty else { return reported(all: ours, causes, total: group.total, of: group) }
    let rest = group.total - long.reduce(0) { $0 + clipped($1) }
    guard rest > group.allowed else { return single }
    let starts = Set(long.map(\.start))
    return single
      + reported(
        all: ours.filter { !starts.contains($0.start) },
        causes.filter { !starts.contains(waits[$0.longest].start) }, total: rest, of: group)
  }

  /// What the main thread waited for, longest first. Without waits for launch tasks.
  private func causes(of states: [ThreadState]) -> [WaitCause] {
    let waits = timeline.states.waits
    var causes = states.flatMap { timeline.waitCauses($0) }
    if !waitsForTasks.isEmpty {
      let chains = Dictionary(causes.map { ($0.longest, $0.chain) }) { first, _ in first }
      let others = WaitCause.collect(timeline.states, in: .min..<ownEnd) { !isForTasks($0) }
      causes = states.flatMap { others[$0] ?? [] }
      for place in causes.indices {
        if let chain = chains[causes[place].longest] { causes[place].chain = chain }
      }
    }
    return causes.filter { waits[$0.longest].start < ownEnd }.sorted { $0.total > $1.total }
  }

  /// All waits together; none for no waits.
  private func reported(
    all waits: [Wait], _ causes: [WaitCause], total: Int64, of group: WaitGroup
  ) -> [ReportedWaits] {
    // A main thread that waits for events is free: no work of its own is delayed.
    let longest = waits.filter { !isFree(in: $0) }.max { clipped($0) < clipped($1) }
    guard let longest = longest ?? waits.max(by: { clipped($0) < clipped($1) }) else { return [] }
    let cause = WaitCause.main(of: causes)
    let known = cause.map { $0.count - $0.inferred } ?? waits.count
    // The place that is shown is that of the cause that is named.
    return [
      ReportedWaits(
        group: group, waits: waits, shown: cause.map { timeline.states.waits[$0.longest] } ?? longest, causes: causes,
        listed: causes, others: waits.count - known, actual: total, isSum: true,
        allowed: group.allowed)
    ]
  }

  /// Single waits, the longest first, without shorter ones of the same cause; none for no waits.
  private func reported(long waits: [Wait], _ causes: [WaitCause], of group: WaitGroup) -> [ReportedWaits] {
    waits.prefix(1).map { longest in
      ReportedWaits(
        group: group, waits: waits, shown: longest, causes: [onlyCause(of: longest, among: causes)].compactMap(\.self),
        listed: waits.prefix(Self.causesShown).compactMap { onlyCause(of: $0, among: causes) },
        others: waits.count { !$0.hasCause(of: longest) }, actual: clipped(longest), isSum: false,
        allowed: timeline.budgets.defaultInterval)
    }
  }

  func finding(_ reported: ReportedWaits) -> Finding {
    let cause = WaitCause.main(of: reported.causes)
    // Waits in the same call for other threads have another cause.
    let known = reported.causes.filter { $0.isLike(cause) }.reduce(0) { $0 + $1.total }
    // There is no advice for a cause that explains little of the wait.
    let isExplained = cause == nil || Double(known) >= Double(reported.actual) * Self.explainedShare
    let place = timeline.place(of: reported.shown)
    let evidence =
      reported.listed.prefix(Self.causesShown).flatMap(evidence)
      + [place.map(self.evidence) ?? stack(around: reported.shown)].compactMap(\.self)
    let state = reported.shown.state.title
    let (advice, listed) =
      isExplained ? (advice(cause, in: reported.group.states), nil) : unexplained(reported.causes, of: reported.actual)
    var finding = Finding(
      id: reported.group.id, expected: reported.allowed, actual: reported.actual, subject: cause.map(subject) ?? state,
      start: reported.shown.start, occurrences: reported.waits.count, others: reported.others,
      sum: reported.isSum ? .all : nil,
      evidence: evidence.isEmpty ? [Evidence(.state, state, time: reported.actual)] : evidence,
      advice: isExplained ? part(cause, known, of: reported, advice) + advice : advice, listed: listed)
    finding.setPlace(place)
    return finding
  }

  /// How much of the finding the advice is about, if that is not nearly all of it.
  ///
  /// - Parameter known: the time of all causes that the advice fits, ns. If it names a file, it is about that alone.
  private func part(_ cause: WaitCause?, _ known: Int64, of reported: ReportedWaits, _ advice: String) -> String {
    guard let cause, reported.isSum, reported.others > 0, reported.actual > 0 else { return "" }
    let namesFile = cause.path.map { advice.contains(fileName($0)) } ?? false
    return part(namesFile ? cause.total : known, of: reported.actual)
  }

  /// `70 % of it: `, before advice about a part of a time; empty if that is nearly all of it.
  func part(_ time: Int64, of whole: Int64) -> String {
    let share = Double(time) / Double(max(1, whole))
    return share < Self.nearlyAll ? "\(Int((share * 100).rounded())) % of it: " : ""
  }

  private static let nearlyAll = 0.9

  /// Advice on many short waits of which no reason stands out.
  ///
  /// - Returns: also what the evidence lists, if the advice points to it.
  private func unexplained(_ causes: [WaitCause], of whole: Int64) -> (advice: String, listed: String?) {
    func time(_ causes: [WaitCause]) -> Int64 { causes.reduce(0) { $0 + $1.total } }
    func threads(_ causes: [WaitCause]) -> Int { Set(causes.compactMap { $0.chain.first?.track }).count }
    let forThreads = causes.filter { !$0.chain.isEmpty }
    let forLocks = forThreads.filter(isForLock)
    if threads(forLocks) > 1, time(forLocks) * 2 > whole { return (advice(onLocks: forLocks, threads(forLocks)), nil) }
    if threads(forThreads) > 1, time(forThreads) * 2 > whole {
      let advice =
        "It waited for \(threads(forThreads)) threads or processes, and for none of them most of the time. Start their "
        + "work earlier or at the same time, or wait for it later."
      return (advice, nil)
    }
    let percent = min(time(causes), whole) * 100 / max(1, whole)
    if percent >= Self.completePercent { return ("It has several reasons, and none stands out.", "the longest") }
    let part = "The trace has the reason of \(percent) % of it, and no single one stands out."
    return (part + further.toFindOut(" the rest"), nil)
  }

  /// The observer's looks find no more of a wait.
  private static let completePercent = 95

  /// Whether the thread that was waited for surely held a lock.
  private func isForLock(_ cause: WaitCause) -> Bool {
    let link = cause.chain.first?.link
    return timeline.states.waits[cause.longest].state == .lock && (link == .owner || link == .wakeup)
  }

  /// Advice on locks that several threads held. They run one after another, so an earlier start does not help.
  private func advice(onLocks causes: [WaitCause], _ threads: Int) -> String {
    let waits = causes.map(\.longest).sorted().map { timeline.states.waits[$0] }
    let functions = Set(waits.map { timeline.place(of: $0)?.own })
    let function = functions.count == 1 ? waits.first.flatMap { timeline.place(of: $0) }?.own : nil
    // Parts of one wait follow each other.
    let isOne = function != nil || zip(waits, waits.dropFirst()).allSatisfy { $0.end == $1.start }
    let place = function.map { "It waited in \($0). " } ?? ""
    return isOne
      ? "\(place)\(threads) threads held the lock in turn. Hold it for a shorter time, or protect parts of the data "
        + "with separate locks."
      : "\(threads) threads held the locks that it waited for. Hold them for a shorter time, or avoid them during the "
        + "launch."
  }

  /// The waits that are each longer than an interval may be, the longest first.
  private func overLong(_ waits: [Wait]) -> [Wait] {
    waits.filter { clipped($0) > timeline.budgets.defaultInterval && !isFree(in: $0) }
      .sorted { (clipped($1), $0.start) < (clipped($0), $1.start) }
  }

  /// The cause of one wait, without other waits that have it; nil if the trace does not say.
  private func onlyCause(of wait: Wait, among causes: [WaitCause]) -> WaitCause? {
    let waits = timeline.states.waits
    let cause = causes.first { waits[$0.longest].state == wait.state && waits[$0.longest].hasCause(of: wait) }
    return cause?.only(clipped(wait))
  }
}

extension WaitCause {
  /// Whether advice about another cause is also about this one: the same call, and not for another thread.
  fileprivate func isLike(_ other: WaitCause?) -> Bool {
    systemCall == other?.systemCall && chain.first?.track == other?.chain.first?.track
  }
}

extension Wait {
  fileprivate func hasCause(of other: Wait) -> Bool {
    systemCall == other.systemCall && path == other.path && culprit == other.culprit
  }
}
