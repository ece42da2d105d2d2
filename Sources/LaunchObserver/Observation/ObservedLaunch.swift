/// What was observed of a launch, raw.
struct ObservedLaunch {
  /// By what, the most telling first.
  enum Means: String {
    /// perf events, with breakpoints of the hardware.
    case perf
    /// Breakpoint instructions, set by ptrace.
    case ptrace
    /// Nothing but the launcher's own time stamps.
    case none
  }

  /// The process stood still for us. CLOCK_MONOTONIC ns.
  struct Stop: Equatable {
    var start: Int64
    var end: Int64
  }

  /// A program that the process executed.
  struct Image {
    /// When the launcher learnt of it.
    var time: Int64
    var path: String
    /// It stood still before its first instruction: what `time` is then, once the stop is closed.
    var wasStopped = false
    /// Where its points are; nil when that could not be found out.
    var addresses: LoadAddresses?
    /// The breakpoints that were set, and by what.
    var breakpoints: [UInt64] = []
    var means = Means.none
    /// Where `dlopen` begins and returns, once breakpoints are there.
    var opening: OpeningAddresses?
  }

  /// A breakpoint instruction was reached.
  struct Hit {
    var time: Int64
    var address: UInt64
  }

  var processID: Int32
  var means = Means.none
  /// Why not by more, for people; empty when nothing is missing.
  var shortcoming = ""
  /// Why the scheduler was not asked though it was to be; empty when it was.
  var schedulerShortcoming = ""
  /// Why Swift's runtime was not watched though it was to be; empty when it was.
  var runtimeShortcoming = ""
  /// Why look-ups, and calls that are counted, were not watched though they were to be.
  var lookupsShortcoming = ""
  var callsShortcoming = ""
  /// How Swift's runtime was watched; nil when nobody asked for that, or nothing could be.
  var watchedRuntime: RuntimeProbes.Watched?
  /// What look-ups were about, as the process had it.
  var names = LookupNames()
  /// Calls and returns that breakpoint instructions have seen, what was mapped then, and where the calls returned to.
  var passages: [PerfEvents.Passage] = []
  var mappings: [PerfEvents.Mapping] = []
  var landing: UInt64?
  var images: [Image] = []
  /// At execve, to make ready; these are taken out of the launch.
  var stops: [Stop] = []
  /// At the program's end, before its memory went; it is taken out, too.
  var endStop: Stop?
  /// ns that breakpoint instructions have held the program up; these are not taken out.
  var heldUp: Int64 = 0
  var hits: [Hit] = []
  var waits: [WaitProbe.Finding] = []
  var log = PerfLog()
}
