import ArgumentParser
import LaunchAnalysis

/// What `--by` names: an aspect, by which the launches' time is added up, or a label, by which several launches are grouped. What is
/// no aspect is a label: a program has keys of its own.
enum ReportAspect: ExpressibleByArgument {
  case label(LaunchSet.Label)
  case part(Breakdown.Aspect)

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    self = Breakdown.Aspect(rawValue: argument).map(ReportAspect.part) ?? .label(LaunchSet.Label(argument))
  }

  static var allValueStrings: [String] {
    Breakdown.Aspect.allCases.map(\.rawValue) + LaunchSet.Label.known.map(\.name)
  }
}
