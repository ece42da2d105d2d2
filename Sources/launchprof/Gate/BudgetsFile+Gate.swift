// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchAnalysis
import LaunchReport
import LaunchSystem
import LaunchTrace

extension BudgetsFile {
  private static let gateKeys = [
    "runs", "rounds", "warmup", "max-time", "timeout", "ready", "settle", "success", "budgets", "regression",
    "confidence", "session-spread", "more", "allow", "inconclusive", "counts", "scenarios",
  ]

  /// The budgets of the file, and its `gate` section.
  ///
  /// - Throws: `BudgetsFileError` with the line and column of the mistake.
  func readGate() throws(BudgetsFileError) -> GateConfiguration {
    var configuration = GateConfiguration()
    guard let root = try compose(try content()) else { return configuration }
    configuration.named = try parse(root)
    for (key, value) in try entries(of: root, expected: "budgets by kind, such as `interval: 16ms`")
    where try name(key) == "gate" { try fill(&configuration, from: value) }
    return configuration
  }

  private func fill(_ gate: inout GateConfiguration, from node: YAMLNode) throws(BudgetsFileError) {
    var (scenarios, settle): (YAMLNode?, YAMLNode?)
    for (key, value) in try entries(of: node, expected: "settings of the gate, such as `runs: 20`") {
      let name = try name(key)
      if name == "settle" { settle = value }
      if name == "scenarios" { scenarios = value } else { try set(key, value, in: &gate, Self.gateKeys) }
    }
    // They begin with all settings of the gate.
    if let scenarios { gate.scenarios = try read(scenarios: scenarios, gate) }
    try checkSettle(settle, with: gate.ready)
  }

  /// - Parameter node: the value of `settle`; nil if there is none.
  /// - Throws: `BudgetsFileError` if the program has already ended then. The command line may still say when it is ready.
  func checkSettle(_ node: YAMLNode?, with ready: ReadyRule?) throws(BudgetsFileError) {
    guard let node, ready == .exit else { return }
    throw failure(
      .wrongType, node,
      "settle has no effect with `ready: exit`, because the program has already ended: remove one of them")
  }

  /// - Parameter known: the keys that may be there.
  func set(
    _ key: YAMLNode, _ value: YAMLNode, in gate: inout GateConfiguration, _ known: [String]
  ) throws(BudgetsFileError) {
    let name = try name(key)
    switch name {
    case "runs": gate.runs = try whole(value, 1...100_000)
    case "rounds": gate.rounds = try whole(value, 1...100_000)
    case "warmup": gate.warmups = try whole(value, 0...1000)
    case "max-time": gate.maxTime = try duration(value)
    case "timeout": gate.timeout = try duration(value)
    case "ready": gate.ready = try ready(value)
    case "settle": gate.settle = try time(value)
    case "success": gate.successes = try statuses(value)
    case "budgets": try fillBudgets(&gate, from: value)
    case "regression": try fillRegression(&gate.options, from: value)
    case "confidence": gate.options.tail = (1 - (try percent(value, 0.5...0.9999))) / 2
    case "session-spread": gate.options.sessionSpread = try percent(value, 0...10)
    case "more": try fillMore(&gate.options.exact, from: value)
    case "allow": gate.options.allowed = try fields(value)
    case "inconclusive":
      let text = try self.name(value)
      guard let policy = InconclusivePolicy(rawValue: text) else {
        throw failure(.wrongType, value, "expected pass, fail or warn, not \"\(shown(text))\"")
      }
      gate.inconclusive = policy
    case "counts":
      let text = try self.name(value)
      guard text == "instructions" else {
        throw failure(.wrongType, value, "expected instructions, not \"\(shown(text))\"")
      }
      gate.countsInstructions = true
    default: throw unknown(name, key, known)
    }
  }

  private func fillBudgets(_ gate: inout GateConfiguration, from node: YAMLNode) throws(BudgetsFileError) {
    for (key, value) in try entries(of: node, expected: "metrics and quantiles, such as `total: {p50: 400ms}`") {
      let metric = try name(key)
      for (quantile, limit) in try entries(of: value, expected: "quantiles and limits, such as `p50: 400ms`") {
        let text = try name(quantile)
        guard text.hasPrefix("p"), let percent = Double(text.dropFirst()), percent > 0, percent < 100 else {
          throw failure(.wrongType, quantile, "expected a quantile such as p50 or p90, not \"\(shown(text))\"")
        }
        let (number, isTime) = try self.limit(limit)
        var budget = QuantileBudget(metric: metric, fraction: percent / 100, limit: number, isTime: isTime)
        budget.place = place(of: limit)
        gate.budgets.append(budget)
      }
    }
  }

  private func ready(_ node: YAMLNode) throws(BudgetsFileError) -> ReadyRule {
    let text = try name(node)
    do throws(ReadyRule.Mistake) { return try ReadyRule(text) } catch {
      throw failure(.wrongType, node, "\"\(shown(text))\": \(error.message)")
    }
  }

  /// A status, or a list of them.
  private func statuses(_ node: YAMLNode) throws(BudgetsFileError) -> Set<Int32> {
    var nodes = [node]
    if case .sequence(let entries) = node.content { nodes = entries }
    var statuses: Set<Int32> = []
    for entry in nodes { statuses.insert(Int32(try whole(entry, 0...255))) }
    return statuses
  }

  func place(of node: YAMLNode) -> QuantileBudget.FileLine {
    QuantileBudget.FileLine(file: placeInRepository, line: node.place.line, column: node.place.column)
  }

  /// The file's path as CI annotations name it: relative to the root of the checkout.
  private var placeInRepository: String {
    guard let root = environment("GITHUB_WORKSPACE").flatMap(realPath), let file = realPath(path),
      file.hasPrefix(root + "/")
    else { return path }
    return String(file.dropFirst(root.count + 1))
  }

  private func fillRegression(_ options: inout ComparisonOptions, from node: YAMLNode) throws(BudgetsFileError) {
    for (key, value) in try entries(of: node, expected: "`relative: 3%` and `absolute: 1ms`") {
      let name = try name(key)
      switch name {
      case "relative": options.relative = try percent(value, 0...100)
      case "absolute": options.absolute = Double(try time(value))
      default: throw unknown(name, key, ["relative", "absolute"])
      }
    }
  }

  private func fillMore(_ more: inout ExactAllowances, from node: YAMLNode) throws(BudgetsFileError) {
    for (key, value) in try entries(of: node, expected: "counts and how much they may grow, such as `libraries: 0`") {
      let name = try name(key)
      if name == "instructions" {
        more.instructions = try percent(value, 0...1000)
      } else if let count = ExactCount.limited.first(where: { $0.rawValue == name }) {
        more[count] = count.growsByShare ? try percent(value, 0...1000) : Double(try whole(value, 0...100_000))
      } else {
        throw unknown(name, key, ExactCount.limited.map(\.rawValue) + ["instructions"])
      }
    }
  }

  private func fields(_ node: YAMLNode) throws(BudgetsFileError) -> Set<Provenance.Field> {
    guard case .sequence(let nodes) = node.content else {
      throw failure(.wrongType, node, "expected a list, such as [kernel]")
    }
    var result: Set<Provenance.Field> = []
    for entry in nodes {
      let text = try name(entry)
      guard let field = Provenance.Field(rawValue: text) else {
        let known = Provenance.Field.allCases.map(\.rawValue).joined(separator: ", ")
        throw failure(.unknownKey, entry, "unknown \"\(shown(text))\"; known: \(known)")
      }
      result.insert(field)
    }
    return result
  }

  func unknown(_ name: String, _ key: YAMLNode, _ known: [String]) -> BudgetsFileError {
    failure(.unknownKey, key, "unknown key \"\(shown(name))\"; known keys: \(known.joined(separator: ", "))")
  }

  private func whole(_ node: YAMLNode, _ range: ClosedRange<Int>) throws(BudgetsFileError) -> Int {
    guard case .scalar(let text) = node.content, let number = Int(text), range.contains(number) else {
      throw failure(.wrongType, node, "expected a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// `3%` or `3 %`. A number without `%` is ambiguous.
  private func percent(_ node: YAMLNode, _ range: ClosedRange<Double>) throws(BudgetsFileError) -> Double {
    guard case .scalar(let text) = node.content, text.hasSuffix("%"),
      let percent = PercentArgument(argument: text), range.contains(percent.part)
    else {
      let (least, most) = (DecimalText.percent(range.lowerBound), DecimalText.percent(range.upperBound))
      throw failure(.wrongType, node, "expected a percentage such as 3%, from \(least) to \(most)")
    }
    return percent.part
  }

  /// A time in which something can be done.
  private func duration(_ node: YAMLNode) throws(BudgetsFileError) -> Int64 {
    let time = try time(node)
    guard time > 0 else { throw failure(.badTime, node, "expected a time of more than 0") }
    return time
  }

  /// A time, or a plain number for a count.
  private func limit(_ node: YAMLNode) throws(BudgetsFileError) -> (Double, isTime: Bool) {
    if case .scalar(let text) = node.content {
      if let number = Int64(text), number >= 0 { return (Double(number), false) }
      if let time = TimeText.nanoseconds(text) { return (Double(time), true) }
    }
    throw failure(.badTime, node, "expected \(TimeText.expectation), or a plain number for a count")
  }
}
