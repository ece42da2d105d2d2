// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How often rules for "slower" cry wolf, and how often they see it, on recorded launches.
@main
struct GatePower {
  static func main() {
    do {
      let arguments = Arguments(Array(CommandLine.arguments.dropFirst()))
      if !arguments.kept.isEmpty { return try printRounds(arguments.kept) }
      switch arguments.only {
      case "bisection":
        let bisection = try BisectPower.replayed(arguments.data, seed: arguments.seed, draws: arguments.draws)
        finish(bisection.lines, isMissed: bisection.isMissed)
      case "history":
        let history = try HistoryPower.replayed(arguments.data, seed: arguments.seed, draws: arguments.draws)
        finish(history.lines, isMissed: history.isMissed)
      case "baseline":
        let baseline = try BaselinePower.replayed(arguments.data, seed: arguments.seed, draws: arguments.draws)
        finish(baseline.lines, isMissed: baseline.isMissed)
      default: break
      }
      var report = PowerReport(seed: arguments.seed, draws: arguments.draws)
      let programs = ["program-3ms", "program-10ms", "program-50ms"]
      let rounds = try programs.map { try Rounds(file: "\(arguments.data)/\($0).csv") }
      let same = try Rounds(file: "\(arguments.data)/same-10ms.csv")
      report.falseAlarms(same)
      for (name, rounds) in zip(["3 ms", "10 ms", "50 ms"], rounds) { report.power(name, rounds) }
      report.power("9 ms, another program", try Rounds(file: "\(arguments.data)/other-9ms.csv"))
      let long = try Rounds(file: "\(arguments.data)/program-200ms.csv")
      report.power("200 ms, another program", long)
      report.sequential(same, rounds[1])
      report.sequential("50 ms", rounds[2], [])
      let others = try ["node", "java", "java-idle", "java-one-busy", "java-busy", "java-later"].map { name in
        (name: name, rounds: try Rounds(file: "\(arguments.data)/same-\(name).csv"))
      }
      report.sequential("200 ms", long, others)
      report.guilt(rounds[0], rounds[1])
      report.targets()
      let history = try HistoryPower.replayed(arguments.data, seed: arguments.seed, draws: max(1, arguments.draws / 10))
      let baseline = try BaselinePower.replayed(
        arguments.data, seed: arguments.seed, draws: max(1, arguments.draws / 10))
      let bisection = try BisectPower.replayed(
        arguments.data, seed: arguments.seed, draws: max(1, arguments.draws * 3 / 20))
      finish(
        report.lines + history.lines + baseline.lines + bisection.lines,
        isMissed: report.isMissed || history.isMissed || baseline.isMissed || bisection.isMissed)
    } catch {
      FileHandle.standardError.write(Data("gate-power: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func finish(_ lines: [String], isMissed: Bool) -> Never {
    print(lines.joined(separator: "\n"))
    exit(isMissed ? 1 : 0)
  }

  private static func printRounds(_ directories: [String]) throws {
    print(KeptComparison.heading)
    for directory in directories { print(try KeptComparison(directory).lines.joined(separator: "\n")) }
  }

  private struct Arguments {
    /// Prints the rounds of these kept comparisons, and nothing else.
    var kept: [String] = []
    /// `bisection`, `history`, `baseline`: nothing else; else all.
    var only = ""
    var data = "Data/gate"
    var seed: UInt64 = 1
    var draws = 2000

    init(_ arguments: [String]) {
      for (option, value) in zip(arguments, arguments.dropFirst()) {
        switch option {
        case "--kept": kept = arguments.filter { $0.hasSuffix(".bench") }
        case "--data": data = value
        case "--only": only = value
        case "--seed": seed = UInt64(value) ?? seed
        case "--draws": draws = Int(value) ?? draws
        default: break
        }
      }
    }
  }
}
