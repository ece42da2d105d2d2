// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema

/// The order of phases in a launch, for tables of many launches, which do not have the same starts.
package enum PhaseOrder {
  /// Phases that a program names come between `main` and the end.
  private static let first = [
    PhaseName.beforeRecorder, PhaseName.exec, PhaseName.load, PhaseName.relocate, PhaseName.recorder,
    PhaseName.staticInit, PhaseName.main, LS_PHASE_CREATE_APPLICATION, LS_PHASE_CREATE_DELEGATE,
    LS_PHASE_START_PRESENTATION, LS_PHASE_WILL_FINISH_LAUNCHING, LS_PHASE_STATE_RESTORATION,
    LS_PHASE_DID_FINISH_LAUNCHING, LS_PHASE_SCENE_CONFIGURATION, LS_PHASE_CREATE_SCENE_DELEGATE,
    LS_PHASE_SCENE_CONNECT, LS_PHASE_WILL_ENTER_FOREGROUND, LS_PHASE_DID_BECOME_ACTIVE,
  ]
  private static let last = [
    PhaseName.firstFrame, PhaseName.ready, PhaseName.extended, PhaseName.exit, PhaseName.unattributed,
  ]

  private static let places: [String: Int] = {
    let known = first.enumerated().map { ($1, $0) } + last.enumerated().map { ($1, first.count + 1 + $0) }
    return Dictionary(uniqueKeysWithValues: known)
  }()

  private static func place(_ id: String) -> Int { places[id] ?? first.count }

  /// Whether one path is before another: ids from the outermost phase to an inner one.
  package static func precedes(_ left: [String], _ right: [String]) -> Bool {
    for (one, other) in zip(left, right) where one != other {
      return (place(one), one) < (place(other), other)
    }
    return left.count < right.count
  }
}
