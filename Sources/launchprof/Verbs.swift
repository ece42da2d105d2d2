// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

#if !WITHOUT_OBSERVER
import LaunchObserver
#endif

/// The verbs, in the groups of the help.
///
/// The folder Launching has those that launch programs. Package.swift leaves it out together with the observer.
enum Verbs {
  #if WITHOUT_OBSERVER
  private static let recording: [any ParsableCommand.Type] = []
  private static let gating: [any ParsableCommand.Type] = []
  private static let improving: [CommandGroup] = []

  static func prepareProcess() {}

  static func parsed(_ arguments: [String]) -> [String] { arguments }

  static func ended(by error: any Error) -> any Error { error }

  static let completed = groups
  #else
  private static let recording: [any ParsableCommand.Type] = [RecordCommand.self]
  private static let gating: [any ParsableCommand.Type] = [BenchCommand.self, GateCommand.self]
  private static let improving = [
    CommandGroup(name: "Make it faster", subcommands: [WhatIfCommand.self, OrderCommand.self, BisectCommand.self])
  ]

  static func prepareProcess() { expectChildren() }

  /// The arguments that ArgumentParser gets: of a program with many arguments, only its name.
  static func parsed(_ arguments: [String]) -> [String] {
    let launching = recording + gating + improving.flatMap(\.subcommands)
    let isLaunching = launching.contains { $0.configuration.commandName == arguments.first }
    return isLaunching ? PassedCommand.shortened(arguments) : arguments
  }

  /// The verbs as completions know them.
  static let completed = groups.map { group in
    CommandGroup(
      name: group.name, subcommands: group.subcommands.map { $0 == GateCommand.self ? CompletedGate.self : $0 })
  }
  #endif

  static let groups =
    [
      CommandGroup(
        name: "Record and look",
        subcommands: recording + [ReportCommand.self, OpenCommand.self, ExplainCommand.self]),
      CommandGroup(name: "Compare and gate", subcommands: [CompareCommand.self] + gating + [HistoryCommand.self]),
    ] + improving + [
      CommandGroup(name: "Many machines", subcommands: [ExtractCommand.self, ShipCommand.self, FleetCommand.self])
    ]

  /// The verb of this name, if it has no verbs below it.
  static func simple(_ name: String?) -> (any ParsableCommand.Type)? {
    groups.lazy.flatMap(\.subcommands).first {
      $0.configuration.commandName == name && $0.configuration.subcommands.isEmpty
    }
  }
}
