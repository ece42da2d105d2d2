// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema

/// Why budgets could not be read or written.
package struct BudgetsError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Code: String, Sendable { case unsupportedVersion, malformedLine, unwritableName }
  package var code: Code
  /// From 1; 0 if the error is not about a line.
  package var line: Int
  /// A sentence for people that says what to do.
  package var message: String

  package var description: String { line > 0 ? "line \(line): \(message)" : message }
}

/// The flat form: one entry for each line, tab separated, ns. See docs/trace-format.md.
extension BudgetRules {
  /// Reads the flat form.
  ///
  /// - Throws: `BudgetsError` for a newer format, and for an entry of a known kind that is not `kind⇥name⇥ns`.
  package init(flat: String) throws(BudgetsError) {
    self.init()
    // Unicode scalars, since "\r\n" is one Character.
    let lines = flat.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, content) in lines.enumerated() {
      let line = content.last == "\r" ? content.dropLast() : content
      try read(line: Substring(line), number: index + 1)
    }
  }

  private mutating func read(line: Substring, number: Int) throws(BudgetsError) {
    guard !line.hasPrefix("#"), let firstTab = line.firstIndex(of: "\t") else { return }
    let kind = line[..<firstTab]
    let rest = line[line.index(after: firstTab)...]
    if kind == LS_KEY_FORMAT {
      guard rest == "\(LS_BUDGETS_FORMAT)" else {
        throw BudgetsError(
          code: .unsupportedVersion, line: number,
          message:
            "the budgets have format \(rest.filter(\.isASCII).prefix(20)), but this launchprof reads format \(LS_BUDGETS_FORMAT); update launchprof"
        )
      }
      return
    }
    if kind == "when" { return try readConditional(rest, number: number) }
    if let rule = try Self.rule(kind, rest, for: BudgetRule.Condition(), number: number) { rules.append(rule) }
  }

  /// `when⇥reason⇥context⇥kind⇥` and an entry, `*` for any.
  private mutating func readConditional(_ rest: Substring, number: Int) throws(BudgetsError) {
    let fields = rest.split(separator: "\t", maxSplits: 4, omittingEmptySubsequences: false)
    guard fields.count == 5, fields[0..<3].allSatisfy({ !$0.isEmpty }) else {
      throw BudgetsError(
        code: .malformedLine, line: number, message: "expected when, reason, context, kind and an entry, with tabs")
    }
    let labels = fields[0..<3].map { $0 == "*" ? nil : String($0) }
    let condition = BudgetRule.Condition(reason: labels[0], context: labels[1], kind: labels[2])
    if let rule = try Self.rule(fields[3], fields[4], for: condition, number: number) { rules.append(rule) }
  }

  /// nil if the kind is unknown.
  private static func rule(
    _ word: Substring, _ rest: Substring, for condition: BudgetRule.Condition, number: Int
  ) throws(BudgetsError) -> BudgetRule? {
    guard let kind = BudgetRule.Kind(rawValue: String(word)) else { return nil }
    // A name may contain tabs, so it ends at the last one.
    guard let lastTab = rest.lastIndex(of: "\t"), lastTab > rest.startIndex,
      let time = Int64(rest[rest.index(after: lastTab)...]), time >= 0
    else {
      throw BudgetsError(
        code: .malformedLine, line: number, message: "expected \(word), name and nanoseconds, separated by tabs")
    }
    return BudgetRule(kind, String(rest[..<lastTab]), time, for: condition)
  }

  /// Writes the flat form, entries in their order.
  ///
  /// - Throws: `BudgetsError` for a name that is empty or contains a line break.
  package func flatForm() throws(BudgetsError) -> String {
    var text = "\(LS_KEY_FORMAT)\t\(LS_BUDGETS_FORMAT)\n"
    for rule in rules {
      if rule.condition != BudgetRule.Condition() {
        let labels = [rule.condition.reason, rule.condition.context, rule.condition.kind].map { $0 ?? "*" }
        for label in labels { try Self.check(label, kind: "condition", forbidsTabs: true) }
        text += "when\t\(labels.joined(separator: "\t"))\t"
      }
      try Self.check(rule.name, kind: rule.kind.rawValue)
      text += "\(rule.kind.rawValue)\t\(rule.name)\t\(rule.time)\n"
    }
    return text
  }

  private static func check(_ name: String, kind: String, forbidsTabs: Bool = false) throws(BudgetsError) {
    let isBroken = name.unicodeScalars.contains {
      $0 == "\n" || $0 == "\r" || $0 == "\0" || (forbidsTabs && $0 == "\t")
    }
    guard !name.isEmpty, !isBroken else {
      throw BudgetsError(
        code: .unwritableName, line: 0, message: "the name in \(kind) is empty or contains a line break; rename it")
    }
  }
}
