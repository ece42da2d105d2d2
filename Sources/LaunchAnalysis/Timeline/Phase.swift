// SPDX-License-Identifier: Apache-2.0

package import LaunchTrace

/// One phase of the launch.
package struct Phase: Sendable {
  /// `exec`, `load`, `static-init`, …, `unattributed`; for an initialiser, its name.
  package var id: String
  /// Nanoseconds on the trace's clock.
  package var start: Int64
  package var end: Int64
  package var source: Source
  /// The slice of this phase; nil if the phase was derived from milestones.
  package var slice: SliceIndex?
  package var costs: PhaseCosts?
  /// ns; nil if it has no budget.
  package var budget: Int64? = nil
  /// True if the trace ends before the phase does. Then `end` is the last known time.
  package var isUnfinished = false
  /// True if it ended after the launch, whose end cuts it. Then its costs are not known.
  package var goesOn = false
  /// Phases inside this one.
  package var children: [Phase] = []

  package var duration: Int64 { end - start }
  package var overBudget: Int64 { budget.map { max(0, duration - $0) } ?? 0 }
  package var isUnattributed: Bool { id == PhaseName.unattributed }
  /// Whether it is the time that launchprof's own library takes.
  var isAgent: Bool { slice == nil && id == PhaseName.agent }
}

/// What the calling thread used during a phase.
package struct PhaseCosts: Sendable, Equatable {
  /// ns.
  package var cpu: Int64
  package var minorFaults: Int64
  package var majorFaults: Int64
  package var voluntarySwitches: Int64
  package var involuntarySwitches: Int64
  package var readBytes: Int64
}
