import Glibc
import LaunchAnalysis
import LaunchSystem
import Yams

/// `launch-budgets.yml`: docs/budgets.md.
struct BudgetsFile {
  /// Read if no other file is named and this one exists.
  static let defaultPath = "launch-budgets.yml"

  /// The default path, if that file exists.
  static var presentDefault: String? { access(defaultPath, F_OK) == 0 ? defaultPath : nil }

  private static let knownKeys = ["version", "interval", "phase", "intervals", "phases", "milestones", "when", "gate"]

  let path: String

  /// - Throws: `BudgetsFileError` with the line and column of the mistake.
  func read() throws(BudgetsFileError) -> BudgetRules {
    try parse(try content())
  }

  func content() throws(BudgetsFileError) -> [UInt8] {
    do { return try readFile(path, limit: 1 << 20) } catch {
      throw BudgetsFileError(code: .cannotRead, path: path, message: error.message)
    }
  }

  func text(_ content: [UInt8]) throws(BudgetsFileError) -> String {
    guard let text = String(validating: content, as: UTF8.self) else {
      throw BudgetsFileError(code: .syntax, path: path, message: "is not UTF-8 text; save it as UTF-8")
    }
    return text
  }

  func parse(_ content: [UInt8]) throws(BudgetsFileError) -> BudgetRules {
    let text = try text(content)
    var budgets = BudgetRules()
    guard let root = try compose(text) else { return budgets }
    for (key, value) in try entries(of: root, expected: "budgets by kind, such as `interval: 16ms`") {
      let name = try self.name(key)
      switch name {
      case "version": try checkVersion(value)
      case "when": budgets.rules += try conditional(value)
      // Only launchprof gate reads it.
      case "gate": break
      case let name where Self.kinds[name] != nil: budgets.rules += try rules(of: name, from: value)
      default:
        throw failure(
          .unknownKey, key, "unknown key \"\(name)\"; known keys: \(Self.knownKeys.joined(separator: ", "))")
      }
    }
    return budgets
  }

  func compose(_ text: String) throws(BudgetsFileError) -> Node? {
    do { return try Yams.compose(yaml: text) } catch {
      guard let error = error as? YamlError else {
        throw BudgetsFileError(code: .syntax, path: path, message: "is not YAML: \(error)")
      }
      throw BudgetsFileError(code: .syntax, path: path, position: error.position, message: error.problem)
    }
  }

  // MARK: Budgets for some launches

  /// A list of launches (`reason`, `context`, `kind`) with budgets for them.
  private func conditional(_ node: Node) throws(BudgetsFileError) -> [BudgetRule] {
    if case .scalar(let scalar) = node, scalar.string.isEmpty { return [] }
    guard case .sequence(let sequence) = node else {
      throw failure(.wrongType, node, "expected a list of launches, such as `- reason: url`, each with its budgets")
    }
    var budgets: [BudgetRule] = []
    for item in sequence { budgets += try conditionalItem(item) }
    return budgets
  }

  private func conditionalItem(_ node: Node) throws(BudgetsFileError) -> [BudgetRule] {
    var condition = BudgetRule.Condition()
    var found: [BudgetRule] = []
    for (key, value) in try entries(of: node, expected: "a launch and its budgets, such as `reason: url`") {
      switch try name(key) {
      case "reason": condition.reason = try name(value)
      case "context": condition.context = try name(value)
      case "kind": condition.kind = try name(value)
      case let name where Self.kinds[name] != nil: found += try rules(of: name, from: value)
      case let other:
        throw failure(
          .unknownKey, key,
          "unknown key \"\(other)\"; known keys: reason, context, kind, interval, phase, intervals, phases, milestones")
      }
    }
    guard condition != BudgetRule.Condition() else {
      throw failure(.wrongType, node, "expected reason, context or kind, to say for which launches")
    }
    return found.map { BudgetRule($0.kind, $0.name, $0.time, for: condition) }
  }

  /// The keys of budgets, and the kind of rule each one makes.
  private static let kinds: [String: BudgetRule.Kind] = [
    "interval": .interval, "phase": .phase, "intervals": .interval, "phases": .phase, "milestones": .milestone,
  ]

  /// The budgets of one of those keys: one time for all, or a time for each name.
  private func rules(of key: String, from node: Node) throws(BudgetsFileError) -> [BudgetRule] {
    guard let kind = Self.kinds[key] else { return [] }
    if key == kind.rawValue { return [BudgetRule(kind, "*", try time(node))] }
    var rules: [BudgetRule] = []
    for (name, value) in try entries(of: node, expected: "\(kind.rawValue) names and times, such as `name: 16ms`") {
      rules.append(BudgetRule(kind, try self.name(name), try time(value)))
    }
    return rules
  }

  func entries(of node: Node, expected: String) throws(BudgetsFileError) -> [(key: Node, value: Node)] {
    // `intervals:` with nothing after it is an empty list.
    if case .scalar(let scalar) = node, scalar.string.isEmpty { return [] }
    guard case .mapping(let mapping) = node else { throw failure(.wrongType, node, "expected \(expected)") }
    return mapping.map { ($0.key, $0.value) }
  }

  func name(_ node: Node) throws(BudgetsFileError) -> String {
    guard case .scalar(let scalar) = node, !scalar.string.isEmpty else {
      throw failure(.wrongType, node, "expected a name")
    }
    guard !scalar.string.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw failure(.badName, node, "a name cannot contain line breaks, tabs or other control characters")
    }
    return scalar.string
  }

  func time(_ node: Node) throws(BudgetsFileError) -> Int64 {
    guard case .scalar(let scalar) = node else {
      throw failure(.wrongType, node, "expected \(TimeText.expectation)")
    }
    guard let time = TimeText.nanoseconds(scalar.string) else {
      throw failure(.badTime, node, "expected \(TimeText.expectation), not \"\(shown(scalar.string))\"")
    }
    return time
  }

  private func checkVersion(_ node: Node) throws(BudgetsFileError) {
    guard case .scalar(let scalar) = node, scalar.string == "1" else {
      throw failure(
        .wrongType, node,
        "this launchprof reads version 1 of the budgets file; update launchprof to read newer versions")
    }
  }

  func failure(_ code: BudgetsFileError.Code, _ node: Node, _ message: String) -> BudgetsFileError {
    BudgetsFileError(
      code: code, path: path, position: node.mark.map { ($0.line, $0.column) }, message: message)
  }
}

extension YamlError {
  fileprivate var position: (line: Int, column: Int)? {
    switch self {
    case .scanner(_, _, let mark, _), .parser(_, _, let mark, _), .composer(_, _, let mark, _):
      (mark.line, mark.column)
    case .duplicatedKeysInMapping(_, let context): (context.mark.line, context.mark.column)
    default: nil
    }
  }

  fileprivate var problem: String {
    switch self {
    case .scanner(_, let problem, _, _), .parser(_, let problem, _, _), .composer(_, let problem, _, _):
      "is not YAML: \(problem)"
    case .duplicatedKeysInMapping(let keys, _): "the key \(keys.map(shown).joined(separator: ", ")) appears twice"
    case .reader(let problem, _, _, _): "is not YAML: \(problem)"
    default: "is not YAML"
    }
  }
}

/// The user's text for an error message, shortened and without control characters.
func shown(_ text: String) -> String {
  let clean = String(
    text.unicodeScalars.prefix(60).map { $0.properties.generalCategory == .control ? "\u{fffd}" : Character($0) })
  return text.unicodeScalars.count > 60 ? clean + "…" : clean
}
