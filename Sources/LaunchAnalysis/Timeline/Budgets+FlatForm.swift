internal import CLaunchSchema

/// Why budgets could not be read or written.
public struct BudgetsError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Code: String, Sendable { case unsupportedVersion, malformedLine, unwritableName }
  public var code: Code
  /// From 1; 0 when no line is meant.
  public var line: Int
  /// A sentence for people, saying what to do.
  public var message: String

  public var description: String { line > 0 ? "line \(line): \(message)" : message }
}

/// The flat form: one entry a line, tab separated, ns. See docs/trace-format.md.
extension Budgets {
  /// Reads the flat form. What it does not name keeps the standard budget.
  ///
  /// - Throws: `BudgetsError` for a newer format and for an entry of a known kind that is not `kind⇥name⇥ns`.
  public init(flat: String) throws(BudgetsError) {
    self = .standard
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
      guard rest == "1" else {
        throw BudgetsError(
          code: .unsupportedVersion, line: number,
          message:
            "budgets of format \(rest.filter(\.isASCII).prefix(20)) need a newer launchprof; this one reads format 1")
      }
      return
    }
    if kind == "when" { return try readConditional(rest, number: number) }
    guard let entry = try Self.entry(kind, rest, number: number) else { return }
    set(String(kind), name: entry.name, to: entry.time)
  }

  /// `when⇥reason⇥context⇥kind⇥` and an entry, `*` for any.
  private mutating func readConditional(_ rest: Substring, number: Int) throws(BudgetsError) {
    let fields = rest.split(separator: "\t", maxSplits: 4, omittingEmptySubsequences: false)
    guard fields.count == 5, fields[0..<3].allSatisfy({ !$0.isEmpty }) else {
      throw BudgetsError(
        code: .malformedLine, line: number, message: "expected when, reason, context, kind and an entry, with tabs")
    }
    guard let entry = try Self.entry(fields[3], fields[4], number: number) else { return }
    let labels = fields[0..<3].map { $0 == "*" ? nil : String($0) }
    conditional.append(
      ConditionalBudget(
        condition: ConditionalBudget.Condition(reason: labels[0], context: labels[1], kind: labels[2]),
        kind: String(fields[3]), name: entry.name, time: entry.time))
  }

  /// Name and time behind an entry's kind; nil for a kind that is not known.
  private static func entry(
    _ kind: Substring, _ rest: Substring, number: Int
  ) throws(BudgetsError) -> (name: String, time: Int64)? {
    guard [LS_BUDGET_INTERVAL, LS_BUDGET_PHASE, LS_BUDGET_MILESTONE].contains(String(kind)) else { return nil }
    // A name may hold tabs: it ends at the last one.
    guard let lastTab = rest.lastIndex(of: "\t"), lastTab > rest.startIndex,
      let time = Int64(rest[rest.index(after: lastTab)...]), time >= 0
    else {
      throw BudgetsError(
        code: .malformedLine, line: number, message: "expected \(kind), name and nanoseconds, separated by tabs")
    }
    return (String(rest[..<lastTab]), time)
  }

  /// Sets one entry; a kind that is not known is passed over.
  mutating func set(_ kind: String, name: String, to time: Int64) {
    switch (kind, name) {
    case (LS_BUDGET_INTERVAL, "*"): defaultInterval = time
    case (LS_BUDGET_INTERVAL, _): intervals[name] = time
    case (LS_BUDGET_PHASE, "*"): defaultPhase = time
    case (LS_BUDGET_PHASE, _): phases[name] = time
    case (LS_BUDGET_MILESTONE, _): milestones[name] = time
    default: break
    }
  }

  /// The flat form, entries in the order of their names.
  ///
  /// - Throws: `BudgetsError` for a name that holds a line break or is empty.
  public func flatForm() throws(BudgetsError) -> String {
    var text = "\(LS_KEY_FORMAT)\t\(LS_FORMAT)\n\(LS_BUDGET_INTERVAL)\t*\t\(defaultInterval)\n"
    try Self.append(intervals, kind: LS_BUDGET_INTERVAL, to: &text)
    if let defaultPhase { text += "\(LS_BUDGET_PHASE)\t*\t\(defaultPhase)\n" }
    try Self.append(phases, kind: LS_BUDGET_PHASE, to: &text)
    try Self.append(milestones, kind: LS_BUDGET_MILESTONE, to: &text)
    for entry in conditional {
      let labels = [entry.condition.reason, entry.condition.context, entry.condition.kind].map { $0 ?? "*" }
      for label in labels { try Self.check(label, kind: "condition", forbidsTabs: true) }
      text += "when\t\(labels.joined(separator: "\t"))\t"
      try Self.append([entry.name: entry.time], kind: entry.kind, to: &text)
    }
    return text
  }

  private static func check(_ name: String, kind: String, forbidsTabs: Bool = false) throws(BudgetsError) {
    let isBroken = name.unicodeScalars.contains {
      $0 == "\n" || $0 == "\r" || $0 == "\0" || (forbidsTabs && $0 == "\t")
    }
    guard !name.isEmpty, !isBroken else {
      throw BudgetsError(
        code: .unwritableName, line: 0, message: "a \(kind)'s name is empty or holds a line break; rename it")
    }
  }

  private static func append(_ entries: [String: Int64], kind: String, to text: inout String) throws(BudgetsError) {
    for (name, time) in entries.sorted(by: { $0.key < $1.key }) {
      try check(name, kind: kind)
      text += "\(kind)\t\(name)\t\(time)\n"
    }
  }
}
