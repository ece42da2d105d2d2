// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema

/// Launches of one program, to be reported together.
///
/// No launch is dropped. A launch that cannot be compared with the others is kept and labelled, but left out of the
/// statistics.
package struct LaunchSet: Sendable {
  /// Why a launch is left out of the statistics.
  package enum LeftOut: String, Sendable, CaseIterable {
    case warmUp = "warm-up"
    case failed
    /// The machine slept during the launch, or the program was stopped.
    case suspended
    // Populations of their own: they count when no launch is of another one.
    case prewarmed
    case firstLaunch = "first"
    case background
    /// Handed over to a process that was already running.
    case resumed = "resume"
    /// Its files were removed from the page cache.
    case cold

    /// `background launches`: what launches of this population are called where they count.
    package var launches: String { self == .resumed ? "handed-over launches" : "\(rawValue) launches" }

    /// Whether the launch would count among others like it.
    package var isPopulation: Bool {
      switch self {
      case .warmUp, .failed, .suspended: false
      case .prewarmed, .firstLaunch, .background, .resumed, .cold: true
      }
    }

    /// How many launches were left out, and why, in a stable order.
    package static func counts(_ launches: [Self?]) -> [(reason: Self, count: Int)] {
      allCases.compactMap { reason in
        let count = launches.count { $0 == reason }
        return count > 0 ? (reason, count) : nil
      }
    }

    /// `8 background, 2 failed`; empty for none.
    package static func text(_ counts: [(reason: Self, count: Int)]) -> String {
      counts.map { "\($0.count) \($0.reason.rawValue)" }.joined(separator: ", ")
    }
  }

  /// One launch of the set.
  package struct Launch: Sendable {
    /// From 1, in the order given.
    package let number: Int
    /// Where it was read from.
    package let name: String
    package let timeline: LaunchTimeline
    package internal(set) var leftOut: LeftOut?
    /// An earlier launch of the set has done the one-time set-up.
    fileprivate(set) var isSetUpBefore = false

    /// The findings of the timeline, and those that depend on the other launches of the set.
    package var findings: [Finding] {
      let own = timeline.findings
      // Each first launch has to do it, because it does not see what the others did.
      guard isSetUpBefore, !Labels.kinds(timeline.labels.kind ?? "").contains(LS_LAUNCH_KIND_FIRST),
        let setup = timeline.setup,
        !own.contains(where: { $0.id == FindingName.oneTimeSetupRepeated })
      else { return own }
      return own + [timeline.repeatedSetup(setup, because: "an earlier launch already did it")]
    }
  }

  package private(set) var launches: [Launch]

  /// - Parameter names: where the launches were read from, in their order; may be shorter.
  package init(_ timelines: [LaunchTimeline], names: [String] = []) {
    launches = timelines.enumerated().map { place, timeline in
      Launch(number: place + 1, name: place < names.count ? names[place] : "", timeline: timeline)
    }
    decideWhatCounts()
    if let first = launches.firstIndex(where: { $0.timeline.setup != nil }) {
      for place in launches.indices where place > first { launches[place].isSetUpBefore = true }
    }
  }

  /// Some launches of another set, by themselves.
  init(of members: [Launch]) {
    launches = members
    decideWhatCounts()
  }

  /// The launches that the statistics are of.
  package var counted: [Launch] { launches.filter { $0.leftOut == nil } }

  /// How many launches were left out, and why, in a stable order.
  package var leftOut: [(reason: LeftOut, count: Int)] { LeftOut.counts(launches.map(\.leftOut)) }

  /// `left out: 1 cold (launch 2)`, for each reason.
  package func leftOutTexts(ellipsis: String = "…") -> [String] {
    leftOut.map { reason, count in
      let numbers = launches.filter { $0.leftOut == reason }.map { "\($0.number)" }
      let which = numbers.prefix(8).joined(separator: ", ") + (numbers.count > 8 ? ", \(ellipsis)" : "")
      return "left out: \(count) \(reason.rawValue) (launch \(which))"
    }
  }

  /// Launch totals, ns; nil when no launch counts.
  package var total: Distribution? { Distribution(counted.map(\.timeline.total)) }

  /// The counted launch in the middle (of an even number, the faster of the two); if none counts, the first launch.
  package var medianLaunch: Launch? {
    let byTotal = counted.sorted { ($0.timeline.total, $0.number) < ($1.timeline.total, $1.number) }
    return byTotal.isEmpty ? launches.first : byTotal[(byTotal.count - 1) / 2]
  }

  /// A set of one launch leaves nothing out. Of several populations, one counts.
  private mutating func decideWhatCounts() {
    for place in launches.indices {
      launches[place].leftOut = launches.count > 1 ? launches[place].timeline.defect : nil
    }
    let whole = launches.indices.filter { launches[$0].leftOut == nil }
    let left = LeftOut.populations(of: whole.map { launches[$0].timeline.population })
    for (place, reason) in zip(whole, left) { launches[place].leftOut = reason }
  }
}

extension LaunchTimeline {
  /// Why the launch cannot count at all.
  var defect: LaunchSet.LeftOut? {
    if !isComplete { return .failed }
    if run?.isWarmUp == true { return .warmUp }
    return isSuspended ? .suspended : nil
  }

  fileprivate var population: LaunchSet.LeftOut? { LaunchSet.LeftOut(kind: labels.kind, context: labels.context) }
}

extension LaunchSet.LeftOut {
  /// The population of a launch; nil for the usual one. Statistics must not mix populations.
  package init?(kind: String?, context: String?) {
    let kinds = Labels.kinds(kind ?? "")
    switch context {
    case LS_CONTEXT_PREWARMING?: self = .prewarmed
    case _ where kinds.contains(LS_LAUNCH_KIND_FIRST): self = .firstLaunch
    case LS_CONTEXT_BACKGROUND_LAUNCH?: self = .background
    case _ where kinds.contains(LS_LAUNCH_KIND_RESUME): self = .resumed
    case _ where !kinds.isDisjoint(with: [LS_LAUNCH_KIND_PAGE_CACHE_COLD, LS_LAUNCH_KIND_COLD]): self = .cold
    default: return nil
    }
  }

  /// For each launch of some populations, why it is left out: the launches of one population count. These are the usual
  /// ones; without any, those of the largest population. A hand-over to a running process counts only among its like.
  static func populations(of launches: [Self?]) -> [Self?] {
    if launches.contains(nil) { return launches }
    let all = counts(launches)
    let own = all.filter { $0.reason != .resumed }
    let counts = own.isEmpty ? all : own
    let most = counts.map(\.count).max()
    let kept = counts.first { $0.count == most }?.reason
    return launches.map { $0 == kept ? nil : $0 }
  }
}
