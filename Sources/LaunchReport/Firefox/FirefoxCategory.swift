// SPDX-License-Identifier: Apache-2.0

/// The colours of a profile: of frames, and of markers.
enum FirefoxCategory: Int64, CaseIterable {
  /// Each profile needs a grey category, for everything without another one.
  case other, program, kernel, phase, interval, milestone, finding, running, waiting

  var name: String { "\(self)".capitalized }

  var color: String {
    switch self {
    case .other: "grey"
    case .program: "yellow"
    case .kernel: "orange"
    case .phase: "blue"
    case .interval: "lightblue"
    case .milestone: "purple"
    case .finding: "red"
    case .running: "green"
    case .waiting: "brown"
    }
  }
}
