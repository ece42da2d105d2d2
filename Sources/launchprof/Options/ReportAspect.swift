import ArgumentParser
import LaunchAnalysis

/// What `--by` names: a label, by which several launches are grouped, or an aspect, by which their time is added up.
enum ReportAspect: ExpressibleByArgument, CaseIterable {
  case label(LaunchSet.Label)
  case part(Breakdown.Aspect)

  static let allCases =
    Breakdown.Aspect.allCases.map(ReportAspect.part) + LaunchSet.Label.allCases.map(ReportAspect.label)

  init?(argument: String) {
    guard let aspect = Self.allCases.first(where: { $0.name == argument }) else { return nil }
    self = aspect
  }

  var name: String {
    switch self {
    case .label(let label): label.rawValue
    case .part(let aspect): aspect.rawValue
    }
  }

  static var allValueStrings: [String] { allCases.map(\.name) }
}
