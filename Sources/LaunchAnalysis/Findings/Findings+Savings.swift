// SPDX-License-Identifier: Apache-2.0

extension Findings {
  /// Says in the advice what following it would save, where that is predicted.
  func promise(in findings: inout [Finding]) {
    guard findings.contains(where: { Self.changes[$0.id] != nil }) else { return }
    let predicted = Savings([timeline])
    let savings = Dictionary(predicted.savings.map { ($0.key, $0) }) { first, _ in first }
    let whole = predicted.isPartElsewhere ? "the launch's own time" : "the launch"
    for place in findings.indices {
      if let key = Self.key(of: findings[place]), let saving = savings[key] {
        findings[place].advice += " " + Self.sentence(saving, of: whole)
      }
    }
  }

  /// The saving of the change that a finding advises.
  private static func key(of finding: Finding) -> Saving.Key? {
    // The advice is to make a function of another file faster.
    if finding.id == FindingName.relocationHeavyLibrary, finding.evidence.contains(where: { $0.kind == .stack }) {
      return nil
    }
    // The advice is not to do without all of Foundation.
    if finding.id == FindingName.relocationHeavyLibrary, isOfFoundation(finding.subject) {
      return Saving.Key(change: .foundationEssentials, subject: "")
    }
    return changes[finding.id].map { Saving.Key(change: $0, subject: finding.subject) }
  }

  /// What the advice of a finding comes to.
  private static let changes: [String: LaunchChange] = [
    FindingName.slowStaticInitializer: .lazyInitializer, FindingName.slowLazyGlobal: .moveGlobal,
    FindingName.relocationHeavyLibrary: .dropLibrary, FindingName.dlopenAtLaunch: .deferOpening,
    FindingName.mainThreadOverBudget: .moveInterval,
  ]

  private static func sentence(_ saving: Saving, of whole: String) -> String {
    let share = percent(saving.share)
    if saving.isAtMost { return "That saves at most \(share) of \(whole)." }
    // Its error is half of the saving or more, which would only confuse.
    if saving.dependsOnRest {
      return "It takes \(share) of \(whole). The rest may run faster or slower after the change."
    }
    return "That saves \(share) of \(whole), ± \(percent(saving.error))."
  }

  private static func percent(_ share: Double) -> String {
    DecimalText.text(Int64((min(share, 1) * 1000).rounded()), decimals: 1) + " %"
  }
}
