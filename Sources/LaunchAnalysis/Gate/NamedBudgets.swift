// SPDX-License-Identifier: Apache-2.0

/// Checks the launches of a gate against the budgets that a file names. The median of the launches must be within. Of
/// intervals or phases that occur several times in a launch, the longest one counts, as in a report.
///
/// The file's budgets for any interval or phase are for reports only. A gate that checked them would fail for new names
/// without a budget of their own.
package struct NamedBudgets: Sendable {
  /// A budget, or another limit of the file, that was not checked.
  package struct Unmatched: Sendable, Equatable {
    /// Its kind and name: `intervals: qurey`.
    package var name: String
    package var place: QuantileBudget.FileLine?
    /// Why it was not checked.
    package var sentence: String

    /// - Parameter sentence: nil if no launch has a part for it.
    package init(name: String, place: QuantileBudget.FileLine? = nil, sentence: String? = nil) {
      (self.name, self.place) = (name, place)
      self.sentence = sentence ?? "no launch has a part that matches \(name)"
    }

    /// Whether the budget is for a milestone that makes a program ready, and the launches ended with the program.
    private(set) var isNeverReady = false

    /// - Parameter launches: that have no part for it.
    fileprivate init(
      _ kind: BudgetRule.Kind, _ name: String, _ place: QuantileBudget.FileLine?, _ launches: [Measurement]
    ) {
      self.init(name: "\(kind.rawValue)s: \(name)", place: place)
      isNeverReady =
        kind == .milestone && [MilestoneName.firstFrame, MilestoneName.ready].contains(name)
        && launches.allSatisfy { $0.endMilestone == MilestoneName.exit }
      if isNeverReady { sentence += ": the program ended before anything made it ready" }
    }

    /// The same, for launches that the gate made: `record` may end a launch of the same program with its first output.
    package var withAdvice: Unmatched {
      var advised = self
      if isNeverReady {
        advised.sentence +=
          "; the gate drops its output, so its first output counts only with --ready stdout, or ready: stdout below gate"
      }
      return advised
    }
  }

  /// One check for each name that a launch has.
  package let checks: [BudgetCheck]
  package let unmatched: [Unmatched]
  /// Budgets of other launches than these. A file may be for several kinds, so this is a mistake only if nothing else is checked.
  package let inapplicable: [Unmatched]

  /// - Parameters:
  ///   - rules: of the file.
  ///   - tail: the error allowed on each side.
  package init(_ rules: BudgetRules, of launches: [Measurement], base: [Measurement] = [], tail: Double) {
    let counted = launches.filter { $0.leftOut == nil }
    guard let fields = counted.first?.provenance.fields else {
      (checks, unmatched, inapplicable) = ([], [], [])
      return
    }
    let labels = Labels(reason: fields[.reason], context: fields[.context], kind: fields[.kind])
    let resolved = rules.resolved(for: labels)
    let ofFile = rules.rules.filter { $0.author == .file }
    let isNamed = Set(ofFile.filter { $0.condition.fit(labels) != nil }.map { [$0.kind.rawValue, $0.name] })
    inapplicable = ofFile.filter { $0.name != "*" && !isNamed.contains([$0.kind.rawValue, $0.name]) }.map { rule in
      let name = "\(rule.kind.rawValue)s: \(rule.name)"
      let own = rule.condition.answered(by: labels).words
      return Unmatched(
        name: name, place: rule.place,
        sentence: "no launch has \(rule.condition.words), so \(name) was not checked"
          + (own.isEmpty ? "" : "; the first launch has \(own)"))
    }
    let all = Set(counted.flatMap(\.values.keys))
    let known = all.sorted { $0.id < $1.id }
    var (checks, unmatched) = ([BudgetCheck](), [Unmatched]())
    let tables: [(BudgetRule.Kind, Metric.Group, [String: Int64])] = [
      (.milestone, .milestone, resolved.milestones), (.phase, .phase, resolved.phases),
      (.interval, .longest, resolved.intervals),
    ]
    for (kind, group, limits) in tables {
      // Budgets without a name are for reports only.
      for (name, limit) in limits.sorted(by: { $0.key < $1.key }) where isNamed.contains([kind.rawValue, name]) {
        let judged = Self.judged(name, kind, limits, known: known)
        let metrics = known.filter { $0.group == group && $0.name == judged }.map { metric in
          let longest = Metric(.longestPhase, metric.path)
          return metric.group == .phase && all.contains(longest) ? longest : metric
        }
        let place = rules.rules.last { $0.kind == kind && $0.name == name && $0.time == limit }?.place
        if metrics.isEmpty { unmatched.append(Unmatched(kind, name, place, counted)) }
        for metric in metrics {
          var budget = QuantileBudget(metric: metric.id, fraction: 0.5, limit: Double(limit))
          (budget.source, budget.place) = (QuantileBudget.Source(kind), place)
          checks.append(BudgetCheck(budget, metric: metric, of: counted, base: base, tail: tail))
        }
      }
    }
    (self.checks, self.unmatched) = (checks, unmatched)
  }

  /// The part of the launches that a budget is for. As in `Budgets.end`, that of `first-frame` is for `ready` where launches
  /// have no frame, and `ready` no budget.
  private static func judged(
    _ name: String, _ kind: BudgetRule.Kind, _ limits: [String: Int64], known: [Metric]
  ) -> String {
    func isReached(_ name: String) -> Bool { known.contains { $0.group == .milestone && $0.name == name } }
    guard kind == .milestone, name == MilestoneName.firstFrame, !isReached(name), isReached(MilestoneName.ready)
    else { return name }
    return limits[MilestoneName.ready] == nil ? MilestoneName.ready : name
  }
}

extension BudgetRules {
  /// Whether a name has a budget.
  package var namesNothing: Bool { rules.allSatisfy { $0.name == "*" } }
}

extension LaunchSet.Launch {
  private static let broken: Set<String> = [
    FindingName.launchOverBudget, FindingName.milestoneOverBudget, FindingName.phaseOverBudget,
    FindingName.mainThreadOverBudget, FindingName.intervalOverBudget,
  ]

  /// The findings of a report of the launch that say that it is over a budget. A sampled function, or an initialiser, is held
  /// only to a budget of its name: several calls may look like one.
  package var brokenBudgets: [Finding] {
    findings.filter { finding in
      let isNamed = timeline.budgets.intervals[finding.subject] != nil
      if finding.id == FindingName.slowStaticInitializer { return isNamed }
      return Self.broken.contains(finding.id) && (finding.error == nil || isNamed)
    }
  }
}
