// SPDX-License-Identifier: Apache-2.0

/// Recorded launches that belong together: those of one scenario, or of one program. Several are judged one by one, because the
/// median of different programs means nothing (D332).
package struct LaunchSeries: Sendable {
  /// The scenario of a gate; nil for launches without one, which belong together by their program.
  package let scenario: String?
  /// The file name; empty for a scenario, whose program may have another name on the other side.
  package let program: String
  package let launches: [Measurement]

  package var name: String { scenario ?? (program.isEmpty ? "unknown program" : program) }

  /// The series of some launches, in the order of their first launches.
  package static func all(of launches: [Measurement]) -> [LaunchSeries] {
    // A damaged trace may not say what it is of.
    let known = Set(launches.map(Key.init)).filter { $0.scenario != nil || !$0.program.isEmpty }
    let only = known.count == 1 ? known.first : nil
    return launches.grouped { only ?? Key($0) }.map { key, members in
      LaunchSeries(scenario: key.scenario, program: key.program, launches: Measurement.set(members))
    }
  }

  /// Whether it has the same scenario as another series, or else the same program.
  package func corresponds(to other: LaunchSeries) -> Bool { (scenario, program) == (other.scenario, other.program) }

  private struct Key: Hashable {
    let scenario: String?
    let program: String

    init(_ launch: Measurement) {
      scenario = launch.provenance.scenario
      program = scenario == nil ? launch.provenance.program : ""
    }
  }
}

extension [LaunchSeries] {
  /// Whether none is of a scenario.
  package var isOfPrograms: Bool { !isEmpty && allSatisfy { $0.scenario == nil } }
}
