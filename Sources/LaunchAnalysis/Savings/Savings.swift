// SPDX-License-Identifier: Apache-2.0

/// What changes would save of a program's launch, the greatest saving first.
package struct Savings: Sendable, Equatable {
  package let savings: [Saving]
  package let refused: [RefusedSaving]
  /// The median of the launches, ns.
  package let total: Int64
  /// `total` without the time in which other programs had the processor, and without unobserved time, ns.
  package let ownTotal: Int64
  /// Whether so much of the launch is not its own time that a share of one and of the other differ in the digits that are shown.
  package var isPartElsewhere: Bool { Double(total - ownTotal) > 0.0005 * Double(total) }
  package let launches: Int
  /// Nothing is known about the libraries of a program that may have some.
  package let lacksLibraries: Bool
  /// Whether a Swift compiler wrote its name into the program's file, or the file is not known.
  package let isSwift: Bool
  /// Why the launches could not be observed; empty if nothing prevented it.
  package let shortcoming: String

  /// Smaller savings are not listed.
  private static let leastShare = 0.01

  /// Those that only a closer look shows.
  private static let detailed: Set<LaunchChange> = [.lazyInitializer, .deferOpening]

  /// - Parameters:
  ///   - timelines: launches of one program, at least one.
  ///   - closer: launches of it with the agent, which times initialisers and costs time itself; may be empty.
  package init(_ timelines: [LaunchTimeline], closer: [LaunchTimeline] = []) {
    launches = timelines.count
    total = Int64(SessionBootstrap.median(timelines.map { Double($0.total) }))
    ownTotal = Int64(Self.median(timelines))
    let timed = LoadCosts.initialization(of: closer)
    let loading = timelines.map { LoadingSavings($0, timed: timed) }
    let work = timelines.map(WorkSavings.init)
    lacksLibraries = loading.allSatisfy { $0 == nil } && !timelines.contains(where: \.hasNoLoader)
    isSwift = timelines[0].image(in: timelines[0].launcherRow)?.toolchain?.lowercased().contains("swift") ?? true
    shortcoming = timelines.lazy.compactMap { $0.observation?.shortcoming }.first { !$0.isEmpty } ?? ""
    let each = zip(loading, work).map { ($0?.savings ?? []) + $1.savings }
    let plain = Self.merged(closer.isEmpty ? each : each.map { $0.filter { !Self.detailed.contains($0.change) } })
    // In a launch with the agent, they are a smaller share.
    let scale = Self.median(closer) / max(1, Self.median(timelines))
    let looks = closer.map { WorkSavings($0).savings.filter { Self.detailed.contains($0.change) } }
    let detailed = Self.merged(looks).map { saving in
      var saving = saving
      (saving.share, saving.error) = (min(1, saving.share * scale), saving.error * scale)
      return saving
    }
    let own = ownTotal
    savings = (plain + detailed).map { saving in
      var saving = saving
      saving.time = Int64((saving.share * Double(own)).rounded())
      return saving
    }.sorted { ($1.share, $0.change.rawValue, $0.subject) < ($0.share, $1.change.rawValue, $1.subject) }
    refused = Self.refused(zip(loading, work).flatMap { ($0?.refused ?? []) + $1.refused }, predicted: savings)
  }

  /// One reason for each change, the most frequent one. Of a change that most launches predict, none.
  private static func refused(_ reasons: [RefusedSaving], predicted: [Saving]) -> [RefusedSaving] {
    let known = Set(predicted.map(\.change))
    let byChange = Dictionary(grouping: reasons.filter { !known.contains($0.change) }, by: \.change)
    return byChange.values.compactMap { same in
      let counts = Dictionary(grouping: same, by: \.reason).mapValues(\.count)
      return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
        .map { RefusedSaving(change: same[0].change, reason: $0.key) }
    }.sorted { $0.change.rawValue < $1.change.rawValue }
  }

  private static func median(_ timelines: [LaunchTimeline]) -> Double {
    timelines.isEmpty ? 0 : SessionBootstrap.median(timelines.map { Double($0.ownTime) })
  }

  /// The medians of each change's shares: a launch in which it saves nothing counts, too. A launch has each
  /// change at most once.
  private static func merged(_ launches: [[Saving]]) -> [Saving] {
    Dictionary(grouping: launches.joined(), by: \.key).values.compactMap { group -> Saving? in
      guard var saving = group.first else { return nil }
      let others = [Double](repeating: 0, count: max(0, launches.count - group.count))
      let shares = group.map(\.share) + others
      saving.share = SessionBootstrap.median(shares)
      let spread = SessionBootstrap.spread(deviations: shares.map { abs($0 - saving.share) })
      // The median's own error, beside that of the method.
      saving.error = max(SessionBootstrap.median(group.map(\.error)), 2 * spread / Double(shares.count).squareRoot())
      return saving.share >= leastShare ? saving : nil
    }
  }
}

extension LaunchTimeline {
  /// The launch was observed, and had no loader: the program is linked statically.
  fileprivate var hasNoLoader: Bool {
    observation.map { $0.means != "none" } == true && !phases.contains { $0.id == PhaseName.load }
  }
}
