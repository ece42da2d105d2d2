// SPDX-License-Identifier: Apache-2.0

/// One of several programs, or ways to launch a program, that a gate judges together.
package struct GateScenario {
  package var name: String
  /// nil for the program of the command line.
  package var program: String?
  /// The base; nil for that of the command line.
  package var versus: String?
  /// For both sides, after those of the command line.
  package var arguments: [String] = []
  package var environment: [String: String] = [:]
  /// The gate's settings, with those of the scenario.
  package var gate: GateConfiguration

  package init(name: String, gate: GateConfiguration) { (self.name, self.gate) = (name, gate) }
}
