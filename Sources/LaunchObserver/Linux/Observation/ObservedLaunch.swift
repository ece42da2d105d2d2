// SPDX-License-Identifier: Apache-2.0

/// What was observed of a launch, unprocessed.
struct ObservedLaunch {
  /// The means of observation, the best one first.
  enum Means: String {
    /// perf events, with breakpoints of the hardware.
    case perf
    /// Breakpoint instructions, set by ptrace.
    case ptrace
    /// Only the launcher's own time stamps.
    case none
  }

  /// A time in which the launcher held the program, CLOCK_MONOTONIC ns.
  struct Stop: Equatable {
    var start: Int64
    var end: Int64
  }

  /// A program that the process executed.
  struct Image {
    /// When the launcher noticed it.
    var time: Int64
    var path: String
    /// The name under which another program executed it; nil if it is that of the file.
    var executedName: String?
    /// nil if the program has the launcher's root.
    var root: ProgramRoot?
    /// nil if it is not readable.
    var file: ExecutedFile?
    /// It was stopped before its first instruction. After the stop is removed, `time` is that instant.
    var wasStopped = false
    /// What the process had read from disks when it was stopped, bytes; only of the launched program.
    var readBytes: UInt64?
    /// The addresses of its points; nil if they were not found.
    var addresses: LoadAddresses?
    /// How breakpoints were set.
    var means = Means.none
    /// Where `dlopen` begins and returns, after breakpoints are set there.
    var opening: OpeningAddresses?
  }

  /// A breakpoint instruction was reached.
  struct Hit {
    var time: Int64
    var address: UInt64
  }

  var processID: Int32
  var means = Means.none
  /// Why no better means was used, for people; empty if nothing is missing.
  var shortcoming = ""
  /// Why requested parts are missing, apart from that.
  var shortcomings = RecordingShortcomings()
  /// How Swift's runtime was watched; nil if that was not requested, or not possible.
  var watchedRuntime: RuntimeProbes.Watched?
  /// The names of looked-up types and protocols, as the process had them.
  var names = LookupNames()
  /// Calls and returns that breakpoint instructions have seen, the mappings then, and the calls' return addresses.
  var passages: [PerfEvents.Passage] = []
  var mappings: [PerfEvents.Mapping] = []
  var landing: UInt64?
  var images: [Image] = []
  /// Stops at execve to set up the observation. They are removed from the launch.
  var stops: [Stop] = []
  /// At the program's end, before its memory went; it is taken out, too.
  var endStop: Stop?
  /// When a signal had stopped the program: Ctrl-Z, SIGSTOP.
  var pauses: [Int64] = []
  /// When a signal was passed on to the program, which stops for it while the launcher is attached.
  var signals: [Int64] = []
  /// ns that breakpoint instructions have held the program up; these are not taken out.
  var heldUp: Int64 = 0
  var hits: [Hit] = []
  var waits: [WaitProbe.Finding] = []
  /// How long the first thread had run at some instants; empty where perf reports when it ran.
  var looks: [ProcessorTimes.Look] = []
  /// How long it had waited for a processor at some instants; empty where perf does not report when it ran.
  var queueLooks: [QueueTimes.Look] = []
  /// When it had ended, and others went on; nil if it did not.
  var firstEnd: Int64?
  /// What looks and waits found of the other threads, by number.
  var threads: [(id: Int32, history: OtherThreads.History)] = []
  /// Stacks of threads that ran, those of the first thread's waits, and the code that was mapped then; empty where perf reports
  /// them.
  var samples: [PerfEvents.Sample] = []
  var waitStacks: [PerfEvents.Sample] = []
  var code: [PerfEvents.Mapping] = []
  /// Whether threads were stopped to copy their stacks.
  var wasStoppedForStacks = false
  var log = PerfLog()

  /// Each reason appears once, also if it holds for several processes.
  mutating func addShortcoming(_ reason: String) {
    guard !shortcoming.contains(reason) else { return }
    shortcoming += shortcoming.isEmpty ? reason : "; \(reason)"
  }

  /// What is missing of the process that recorded, a descendant of the launched one perhaps.
  func shortcomings(of recorded: Int32, followsChildren: Bool) -> RecordingShortcomings {
    var missing = shortcomings
    if means != .perf { missing.observer = shortcoming }
    if missing.runtime.isEmpty, let means = watchedRuntime?.means, recorded != processID {
      let text = "process \(recorded) recorded, and only the launched one was watched"
      missing.runtime = means == .ptrace ? text : followsChildren ? "" : text + ": use --follow"
    }
    return missing
  }
}
