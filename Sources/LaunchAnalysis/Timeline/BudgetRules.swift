// SPDX-License-Identifier: Apache-2.0

/// One entry of a budgets file, or one budget that a program set.
package struct BudgetRule: Sendable, Equatable {
  /// What a budget is for.
  package enum Kind: String, Sendable, CaseIterable { case interval, phase, milestone }

  /// Who set it. Later cases are stronger.
  package enum Author: String, Sendable, CaseIterable {
    /// The application host, which sets default budgets for its callbacks.
    case host
    case program
    /// `launch-budgets.yml`.
    case file

    var strength: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// The launches to which a budget applies; nil matches anything.
  package struct Condition: Sendable, Hashable {
    package var reason: String?
    package var context: String?
    package var kind: String?

    package init(reason: String? = nil, context: String? = nil, kind: String? = nil) {
      (self.reason, self.context, self.kind) = (reason, context, kind)
    }

    /// `the reason url, the kind first`
    var words: String {
      [("reason", reason), ("context", context), ("kind", kind)]
        .compactMap { name, asked in asked.map { "the \(name) \($0)" } }.joined(separator: ", ")
    }

    /// What a launch has where the condition asks for something: a name in the program or in the file may be misspelt.
    func answered(by labels: Labels) -> Self {
      Self(
        reason: reason == nil ? nil : labels.reason, context: context == nil ? nil : labels.context,
        kind: kind == nil ? nil : labels.kind)
    }

    /// How many labels the condition names, if the launch has them all; nil if the launch lacks one.
    func fit(_ labels: Labels) -> Int? {
      let pairs = [(reason, labels.reason), (context, labels.context), (kind, labels.kind)]
        .compactMap { asked, label in asked.map { ($0, label) } }
      let fits = pairs.allSatisfy { asked, label in
        label == asked || label.map { Labels.kinds($0).contains(asked) } ?? false
      }
      return fits ? pairs.count : nil
    }
  }

  package var kind: Kind
  /// `*` for every interval, or every phase, that no other rule names.
  package var name: String
  /// ns.
  package var time: Int64
  /// The launches to which it applies.
  package var condition: Condition
  package var author: Author
  /// Where it is in its file; nil if it is of no file.
  package var place: QuantileBudget.FileLine?

  package init(
    _ kind: Kind, _ name: String, _ time: Int64, for condition: Condition = Condition(), by author: Author = .file
  ) { (self.kind, self.name, self.time, self.condition, self.author) = (kind, name, time, condition, author) }
}

/// All budgets, and how to find the one that applies. The recorder does the same in lr_budgets.c. docs/budgets.md
/// describes it.
package struct BudgetRules: Sendable, Equatable {
  /// In the order in which they were set.
  package var rules: [BudgetRule]

  package init(_ rules: [BudgetRule] = []) { self.rules = rules }

  /// The budgets of one launch.
  package func resolved(for labels: Labels) -> Budgets {
    var strongest: [Name: (rank: Int, rule: BudgetRule)] = [:]
    for rule in rules {
      guard let fit = rule.condition.fit(labels) else { continue }
      let rank = rule.author.strength * 4 + fit
      let name = Name(kind: rule.kind, name: rule.name)
      // If several rules have the same rank, the last one applies.
      if let other = strongest[name], other.rank > rank { continue }
      strongest[name] = (rank, rule)
    }
    var budgets = Budgets.standard
    for (name, found) in strongest {
      let all = strongest[Name(kind: name.kind, name: "*")]?.rule
      // A budget for all names overrides a host's default.
      if found.rule.author == .host, let all, all.author != .host { continue }
      budgets.set(name.kind, name: name.name, to: found.rule.time)
    }
    return budgets
  }

  private struct Name: Hashable {
    var kind: BudgetRule.Kind
    var name: String
  }
}

extension Budgets {
  fileprivate mutating func set(_ kind: BudgetRule.Kind, name: String, to time: Int64) {
    switch (kind, name) {
    case (.interval, "*"): defaultInterval = time
    case (.interval, _): intervals[name] = time
    case (.phase, "*"): defaultPhase = time
    case (.phase, _): phases[name] = time
    case (.milestone, _): milestones[name] = time
    }
  }
}
