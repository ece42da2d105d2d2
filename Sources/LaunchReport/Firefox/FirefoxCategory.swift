// SPDX-License-Identifier: Apache-2.0

/// The colours of a profile: of frames, and of markers.
enum FirefoxCategory: Int64, CaseIterable {
  /// Each profile needs a grey category, for everything without another one.
  case other, program, kernel, phase, interval, milestone, finding, running, waiting

  var name: String {
    switch self {
    case .other: "Other"
    case .program: "Program"
    case .kernel: "Kernel"
    case .phase: "Phase"
    case .interval: "Interval"
    case .milestone: "Milestone"
    case .finding: "Finding"
    case .running: "Running"
    case .waiting: "Waiting"
    }
  }

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
