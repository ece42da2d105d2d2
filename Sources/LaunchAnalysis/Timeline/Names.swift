// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema

/// The phases with fixed names. Programs add their own.
package enum PhaseName {
  /// From the start of the process until the library with the recorder was loaded.
  package static let beforeRecorder = LS_PHASE_BEFORE_RECORDER
  package static let exec = LS_PHASE_EXEC
  package static let load = LS_PHASE_LOAD
  /// In `load`: launchprof's own library, which `record --detail loader` adds to the program, whatever its file is called.
  package static let agent = LS_PATH_AGENT
  package static let relocate = LS_PHASE_RELOCATE
  /// The recorder's own time before the first initialiser.
  package static let recorder = LS_PHASE_RECORDER
  package static let staticInit = LS_PHASE_STATIC_INIT
  package static let main = LS_PHASE_MAIN
  package static let firstFrame = LS_PHASE_FIRST_FRAME
  /// Like `first-frame`, for a program without a screen: from its last phase until it is ready.
  package static let ready = LS_PHASE_READY
  /// What a program does at its first launch only.
  package static let oneTimeSetup = LS_PHASE_ONE_TIME_SETUP
  package static let extended = LS_PHASE_EXTENDED
  /// After the program's last instruction: the kernel releases its resources, and the launcher learns that it ended.
  package static let exit = LS_PHASE_EXIT
  /// Time outside all phases.
  package static let unattributed = "unattributed"
  /// The only phase of a trace that says nothing about a launch.
  package static let trace = "trace"

  /// Phases that end before `main` begins.
  package static let beforeMain: Set<String> = [beforeRecorder, exec, load, relocate, recorder, staticInit]

  /// The steps of an application's launch. Each begins when the one before it has ended.
  package static let callbacks: Set<String> = [
    LS_PHASE_CREATE_APPLICATION, LS_PHASE_CREATE_DELEGATE, LS_PHASE_START_PRESENTATION,
    LS_PHASE_WILL_FINISH_LAUNCHING, LS_PHASE_STATE_RESTORATION, LS_PHASE_DID_FINISH_LAUNCHING,
    LS_PHASE_SCENE_CONFIGURATION, LS_PHASE_CREATE_SCENE_DELEGATE, LS_PHASE_LOAD_MAIN_INTERFACE, LS_PHASE_SCENE_CONNECT,
    LS_PHASE_LOAD_VIEW, LS_PHASE_VIEW_DID_LOAD, LS_PHASE_VIEW_WILL_APPEAR, LS_PHASE_LAYOUT,
    LS_PHASE_WILL_ENTER_FOREGROUND, LS_PHASE_OPEN_URL, LS_PHASE_PERFORM_ACTION, LS_PHASE_CONTINUE_ACTIVITY,
    LS_PHASE_ACCEPT_SHARE, LS_PHASE_DID_RECEIVE_NOTIFICATION, LS_PHASE_DISCARD_SESSIONS,
    LS_PHASE_DID_BECOME_ACTIVE, LS_PHASE_VIEW_DID_APPEAR,
  ]
}

/// The milestones with fixed names. Programs add their own.
package enum MilestoneName {
  package static let processStart = LS_MILESTONE_PROCESS_START
  package static let preinit = LS_MILESTONE_PREINIT
  package static let main = LS_MILESTONE_MAIN
  package static let firstFrame = LS_MILESTONE_FIRST_FRAME
  package static let ready = LS_MILESTONE_READY
  package static let fullyDrawn = LS_MILESTONE_FULLY_DRAWN
  /// End of a launch without a milestone: the program's end as the launcher observed it.
  package static let exit = "exit"
  /// End of a launch without a milestone or an observed end: the last event of the trace.
  package static let lastEvent = "last-event"

  package static func endsLaunch(_ name: String) -> Bool { ls_ends_launch(name, name.utf8.count) }
  package static func endsFirstDisplay(_ name: String) -> Bool { ls_ends_first_display(name, name.utf8.count) }
}

/// The categories of this project's own events, see docs/trace-format.md.
package enum CategoryName {
  package static let recorder = LS_CATEGORY_RECORDER
  package static let launcher = LS_CATEGORY_LAUNCHER
  package static let point = LS_CATEGORY_POINT
  package static let phase = LS_CATEGORY_PHASE
  package static let initializer = LS_CATEGORY_INITIALIZER
  package static let mark = LS_CATEGORY_MARK
  package static let budget = LS_CATEGORY_BUDGET
  package static let metadata = LS_CATEGORY_METADATA
  package static let extendedTask = LS_CATEGORY_EXTENDED_TASK
  package static let deferred = LS_CATEGORY_DEFERRED
  package static let launchTask = LS_CATEGORY_LAUNCH_TASK
  /// How long a launch screen was shown.
  package static let screen = LS_CATEGORY_SCREEN
  package static let wait = LS_CATEGORY_WAIT
  package static let fault = LS_CATEGORY_FAULT
  package static let library = LS_CATEGORY_LIBRARY
  package static let global = LS_CATEGORY_GLOBAL
  package static let lookup = LS_CATEGORY_LOOKUP

  /// Categories that the launcher writes. They cost the program nothing.
  package static let fromOutside = [launcher, point, wait, fault, library, global, lookup]
  package static let sampler = LS_CATEGORY_SAMPLER
}
