// SPDX-License-Identifier: Apache-2.0

import CLaunchSchema
import Glibc
import LaunchAnalysis
import LaunchSystem

/// `launch-budgets.yml`: docs/budgets.md.
struct BudgetsFile {
  /// Read if no other file is named and this one exists.
  static let defaultPath = "launch-budgets.yml"

  /// The default path, if that file exists.
  static var presentDefault: String? { access(defaultPath, F_OK) == 0 ? defaultPath : nil }

  private static let knownKeys = ["version", "interval", "phase", "intervals", "phases", "milestones", "when", "gate"]

  let path: String

  /// - Throws: `BudgetsFileError` with the line and column of the mistake.
  func read() throws(BudgetsFileError) -> BudgetRules { try parse(try content()) }

  func content() throws(BudgetsFileError) -> [UInt8] {
    do { return try readFile(path, limit: 1 << 20) } catch {
      throw BudgetsFileError(code: .cannotRead, path: path, message: error.message)
    }
  }

  func parse(_ content: [UInt8]) throws(BudgetsFileError) -> BudgetRules {
    guard let root = try compose(content) else { return BudgetRules() }
    return try parse(root)
  }

  /// - Parameter root: of the file.
  func parse(_ root: YAMLNode) throws(BudgetsFileError) -> BudgetRules {
    var budgets = BudgetRules()
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

  /// The root of the file; nil if it is empty.
  func compose(_ content: [UInt8]) throws(BudgetsFileError) -> YAMLNode? {
    guard let text = String(validating: content, as: UTF8.self) else {
      throw BudgetsFileError(code: .syntax, path: path, message: "is not UTF-8 text; save it as UTF-8")
    }
    do { return try YAMLReader.document(text) } catch {
      throw BudgetsFileError(code: .syntax, path: path, position: error.place, message: error.message)
    }
  }

  // MARK: Budgets for some launches

  /// A list of launches (`reason`, `context`, `kind`) with budgets for them.
  private func conditional(_ node: YAMLNode) throws(BudgetsFileError) -> [BudgetRule] {
    if case .scalar(let text) = node.content, text.isEmpty { return [] }
    guard case .sequence(let nodes) = node.content else {
      throw failure(.wrongType, node, "expected a list of launches, such as `- reason: url`, each with its budgets")
    }
    var budgets: [BudgetRule] = []
    for item in nodes { budgets += try conditionalItem(item) }
    return budgets
  }

  private func conditionalItem(_ node: YAMLNode) throws(BudgetsFileError) -> [BudgetRule] {
    var condition = BudgetRule.Condition()
    var found: [BudgetRule] = []
    for (key, value) in try entries(of: node, expected: "a launch and its budgets, such as `reason: url`") {
      switch try name(key) {
      case "reason": condition.reason = try name(value)
      case "context": condition.context = try name(value, likely: Self.contexts)
      case "kind": condition.kind = try name(value, likely: Self.launchKinds)
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
    for index in found.indices { found[index].condition = condition }
    return found
  }

  private static let contexts = [
    LS_CONTEXT_USER_LAUNCH, LS_CONTEXT_BACKGROUND_LAUNCH, LS_CONTEXT_PREWARMING, LS_CONTEXT_UNCERTAIN,
  ]
  private static let launchKinds = [
    LS_LAUNCH_KIND_FIRST, LS_LAUNCH_KIND_RESUME, LS_LAUNCH_KIND_PAGE_CACHE_COLD, LS_LAUNCH_KIND_COLD,
    LS_LAUNCH_KIND_WARM, LS_LAUNCH_KIND_UNCERTAIN,
  ]

  /// A name that is usually one of these. A program may have names of its own, such as `warmup`. But one that differs by a letter is
  /// misspelt, and its budgets would never apply.
  private func name(_ node: YAMLNode, likely known: [String]) throws(BudgetsFileError) -> String {
    let name = try name(node)
    guard !known.contains(name), let similar = SimilarWord.misspelling(of: name, in: known) else { return name }
    throw failure(
      .badName, node,
      "\"\(shown(name))\" is probably misspelt: write \(similar) (known: \(known.joined(separator: ", ")))")
  }

  /// The keys of budgets, and the kind of rule each one makes.
  private static let kinds: [String: BudgetRule.Kind] = [
    "interval": .interval, "phase": .phase, "intervals": .interval, "phases": .phase, "milestones": .milestone,
  ]

  /// The budgets of one of those keys: one time for all, or a time for each name.
  private func rules(of key: String, from node: YAMLNode) throws(BudgetsFileError) -> [BudgetRule] {
    guard let kind = Self.kinds[key] else { return [] }
    if key == kind.rawValue { return [BudgetRule(kind, "*", try time(node))] }
    var rules: [BudgetRule] = []
    for (name, value) in try entries(of: node, expected: "\(kind.rawValue) names and times, such as `name: 16ms`") {
      var rule = BudgetRule(kind, try self.name(name), try time(value))
      rule.place = place(of: value)
      rules.append(rule)
    }
    return rules
  }

  func entries(of node: YAMLNode, expected: String) throws(BudgetsFileError) -> [(key: YAMLNode, value: YAMLNode)] {
    // `intervals:` with nothing after it is an empty list.
    if case .scalar(let text) = node.content, text.isEmpty { return [] }
    guard case .mapping(let entries) = node.content else { throw failure(.wrongType, node, "expected \(expected)") }
    return entries
  }

  func name(_ node: YAMLNode) throws(BudgetsFileError) -> String {
    guard case .scalar(let text) = node.content, !text.isEmpty else {
      throw failure(.wrongType, node, "expected a name")
    }
    guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw failure(.badName, node, "a name cannot contain line breaks, tabs or other control characters")
    }
    return text
  }

  func time(_ node: YAMLNode) throws(BudgetsFileError) -> Int64 {
    guard case .scalar(let text) = node.content else {
      throw failure(.wrongType, node, "expected \(TimeText.expectation)")
    }
    guard let time = TimeText.nanoseconds(text) else {
      throw failure(.badTime, node, "expected \(TimeText.expectation), not \"\(shown(text))\"")
    }
    return time
  }

  private func checkVersion(_ node: YAMLNode) throws(BudgetsFileError) {
    guard case .scalar(let text) = node.content, text == "1" else {
      throw failure(
        .wrongType, node,
        "this launchprof reads version 1 of the budgets file; update launchprof to read newer versions")
    }
  }

  func failure(_ code: BudgetsFileError.Code, _ node: YAMLNode, _ message: String) -> BudgetsFileError {
    BudgetsFileError(code: code, path: path, position: node.place, message: message)
  }
}

/// The user's text for an error message, shortened and without control characters.
func shown(_ text: String) -> String {
  let clean = String(
    text.unicodeScalars.prefix(60).map { $0.properties.generalCategory == .control ? "\u{fffd}" : Character($0) })
  return text.unicodeScalars.count > 60 ? clean + "…" : clean
}
