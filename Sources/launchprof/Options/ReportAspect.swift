// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis

/// The value of `--by`: an aspect by which time is added up, or a label by which several launches are grouped. Any
/// other word is a label, because programs have their own keys.
enum ReportAspect: ExpressibleByArgument {
  case label(LaunchSet.Label)
  case part(Breakdown.Aspect)

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    // Reports call them functions.
    let part = argument == "function" ? .symbol : Breakdown.Aspect(rawValue: argument)
    self = part.map(ReportAspect.part) ?? .label(LaunchSet.Label(argument))
  }

  static var allValueStrings: [String] { Breakdown.Aspect.allCases.map(\.rawValue) + LaunchSet.Label.known.map(\.name) }

  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
