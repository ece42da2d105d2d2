// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis

extension BudgetsFile {
  private static let ownKeys = ["name", "program", "vs", "arguments", "environment"]
  /// Settings of the gate that a scenario may have for itself.
  private static let settings = [
    "runs", "rounds", "warmup", "timeout", "ready", "settle", "success", "budgets", "regression", "more", "counts",
  ]

  /// - Parameter gate: what scenarios begin with.
  func read(scenarios node: YAMLNode, _ gate: GateConfiguration) throws(BudgetsFileError) -> [GateScenario] {
    guard case .sequence(let nodes) = node.content else {
      throw failure(.wrongType, node, "expected a list of scenarios, each with a name")
    }
    var scenarios: [GateScenario] = []
    for entry in nodes {
      let scenario = try read(scenario: entry, gate)
      if scenarios.contains(where: { $0.name == scenario.name }) {
        throw failure(.badName, entry, "two scenarios have the name \"\(shown(scenario.name))\"")
      }
      scenarios.append(scenario)
    }
    return scenarios
  }

  private func read(scenario node: YAMLNode, _ gate: GateConfiguration) throws(BudgetsFileError) -> GateScenario {
    var (scenario, settle): (GateScenario, YAMLNode?) = (GateScenario(name: "", gate: gate), nil)
    for (key, value) in try entries(of: node, expected: "a scenario, such as `name: first start`") {
      switch try name(key) {
      case "name": scenario.name = try name(value)
      case "program": scenario.program = try name(value)
      case "vs": scenario.versus = try name(value)
      case "arguments": scenario.arguments = try words(value)
      case "environment":
        for (name, text) in try entries(of: value, expected: "variables, such as `MODE: fast`") {
          scenario.environment[try variable(name)] = try word(text)
        }
      case let name:
        // Its own budgets take the place of the gate's.
        if name == "budgets" { scenario.gate.budgets = [] }
        if name == "settle" { settle = value }
        guard Self.settings.contains(name) else { throw unknown(name, key, Self.ownKeys + Self.settings) }
        try set(key, value, in: &scenario.gate, Self.settings)
      }
    }
    if scenario.name.isEmpty { throw failure(.wrongType, node, "expected a name of the scenario") }
    // One scenario of a server's may be a command that ends: it leaves out the gate's time.
    if scenario.gate.ready == .exit, settle == nil { scenario.gate.settle = nil }
    try checkSettle(settle, with: scenario.gate.ready)
    return scenario
  }

  private func variable(_ node: YAMLNode) throws(BudgetsFileError) -> String {
    let name = try name(node)
    if name.contains("=") { throw failure(.badName, node, "the name of a variable cannot contain =") }
    return name
  }

  private func words(_ node: YAMLNode) throws(BudgetsFileError) -> [String] {
    guard case .sequence(let nodes) = node.content else {
      throw failure(.wrongType, node, "expected a list of arguments, such as [--config, small.json]")
    }
    var words: [String] = []
    for entry in nodes { words.append(try word(entry)) }
    return words
  }

  /// Any text, also an empty one.
  private func word(_ node: YAMLNode) throws(BudgetsFileError) -> String {
    guard case .scalar(let text) = node.content, !text.utf8.contains(0) else {
      throw failure(.wrongType, node, "expected a text")
    }
    return text
  }
}
