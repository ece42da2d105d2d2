/// The phases that are known by name. Programs add their own.
public enum PhaseName {
  public static let exec = "exec"
  public static let load = "load"
  public static let relocate = "relocate"
  /// What the recorder takes for itself before the first initialiser.
  public static let recorder = "recorder"
  public static let staticInit = "static-init"
  public static let main = "main"
  public static let firstFrame = "first-frame"
  /// `first-frame` of a program with no screen: from its last phase until it is ready.
  public static let ready = "ready"
  /// What a program does at its first launch only.
  public static let oneTimeSetup = "one-time-setup"
  public static let extended = "extended"
  /// The kernel takes down what the process had, behind its last instruction, and its launcher learns of it.
  public static let exit = "exit"
  /// What nobody claimed.
  public static let unattributed = "unattributed"
  /// The one phase of a trace that says nothing about a launch.
  public static let trace = "trace"

  /// Those that are over when `main` begins.
  package static let beforeMain: Set<String> = [exec, load, relocate, recorder, staticInit]
}

/// The milestones that are known by name. Programs add their own.
public enum MilestoneName {
  public static let processStart = "process-start"
  public static let preinit = "preinit"
  public static let main = "main"
  public static let firstFrame = "first-frame"
  public static let ready = "ready"
  public static let fullyDrawn = "fully-drawn"
  /// A running instance of the program has taken the launch over.
  public static let handedOver = "handed-over"
  /// End of a launch with no milestone: the program's end as the launcher saw it.
  public static let exit = "exit"
  /// End of a launch of which neither a milestone nor the end is known: the last event of the trace.
  public static let lastEvent = "last-event"

  package static func endsLaunch(_ name: String) -> Bool {
    [firstFrame, ready, fullyDrawn, handedOver].contains(name)
  }
}

/// The categories of our own events, see docs/trace-format.md.
package enum CategoryName {
  package static let recorder = "launchprof.recorder"
  package static let launcher = "launchprof.launcher"
  package static let point = "launchprof.point"
  package static let phase = "launchprof.phase"
  package static let initializer = "launchprof.initializer"
  package static let mark = "launchprof.mark"
  package static let budget = "launchprof.budget"
  package static let metadata = "launchprof.metadata"
  package static let task = "launchprof.task"
  package static let deferred = "launchprof.deferred"
  package static let launchTask = "launchprof.launch-task"
  package static let wait = "launchprof.wait"
  package static let fault = "launchprof.fault"
  package static let library = "launchprof.library"

  /// Those of the launcher: they cost the program nothing.
  package static let fromOutside = [launcher, point, wait, fault, library]
  package static let sampler = "launchprof.sampler"
}
