internal import CLaunchSampler

/// Takes stacks of the main thread while its work is over budget, with no launcher around the program.
///
/// A watchdog thread looks every few milliseconds whether the phase that the main thread is in (`LaunchProfiler.phase`, on the
/// first thread or wherever the main actor runs) has taken longer than its budget, or whether that thread has run without
/// a pause for longer than `Options.busyBudget` outside of any phase. As long as it has, a signal asks that thread for its
/// stack, which the watchdog unwinds and writes into the recorder's trace. It ends by itself when the launch is over or
/// recording stops.
///
/// Every member is safe from any thread and none from a signal handler.
public enum LaunchSampler {
  /// Begins to watch; call it after `LaunchProfiler.start`.
  ///
  /// - Returns: false when nothing is recorded, or `launchprof record` launched the program and takes its stacks from outside:
  ///   then nothing is watched.
  /// - Throws: `LaunchSamplerError`: `alreadyStarted`, `signalInUse`, `unsupported`, or `system` with the errno beneath.
  @discardableResult
  public static func start(_ options: Options = Options()) throws(LaunchSamplerError) -> Bool {
    var native = lr_sampler_options()
    native.period = UInt64(1_000_000_000 / min(max(options.rate, 10), 10_000))
    native.busy_budget = options.busyBudget.nanoseconds
    native.most_samples = UInt32(clamping: options.limit)
    native.signal = options.signal ?? 0
    native.only_running = options.interrupts == .runningCode
    native.whole_launch = options.scope == .launch
    native.beside_launcher = options.worksBesideLauncher
    native.frame_pointers_first = options.unwinding == .framePointersFirst
    let error = lr_sampler_start(&native)
    if error == LaunchSamplerError.notRecording { return false }
    if error != 0 { throw LaunchSamplerError(errno: error) }
    return true
  }

  /// Ends it, and returns when the last stack is written. It need not be called.
  public static func stop() { lr_sampler_stop() }

  /// What it did so far.
  public static var statistics: Statistics { Statistics(lr_sampler_statistics_get()) }
}

extension LaunchSampler {
  public struct Options: Sendable {
    /// When stacks are taken.
    public enum Scope: Sendable {
      /// While the main thread's work is over budget.
      case overBudget
      /// From now to the end of the launch.
      case launch
    }

    /// What the signal may interrupt.
    public enum Interruption: Sendable {
      /// The thread whatever it does, also when it waits: so a stack says what it waits in. System calls that SA_RESTART
      /// does not restart end with EINTR then; docs/sampler.md names them.
      case everything
      /// The thread while it uses CPU time: a timer of its CPU clock asks, so no call that waits is interrupted. The kernel
      /// looks at such timers at its ticks only: 250 stacks a second on most systems.
      case runningCode
    }

    public enum Unwinding: Sendable {
      /// Frame pointers where the unwind tables confirm them, the tables where they do not: the same stacks as by the
      /// tables alone, for less of the watchdog's time.
      case framePointersFirst
      /// Every frame by the unwind tables.
      case complete
    }

    /// Stacks a second, 10 to 10,000.
    public var rate = 1000
    /// How long the thread that runs the main actor may run without a pause, in no phase.
    public var busyBudget = Duration.milliseconds(16)
    /// Most stacks to be taken.
    public var limit = 20_000
    public var scope = Scope.overBudget
    public var interrupts = Interruption.everything
    public var unwinding = Unwinding.framePointersFirst
    /// Also in a program that `launchprof record` launched: for where that may not take stacks (in many containers). Where it
    /// may, each stack would count twice.
    public var worksBesideLauncher = false
    /// The signal's number; nil: SIGURG, which does nothing to a program that does not expect it. Threads of libdispatch that
    /// run the main actor outside of phases are asked by SIGPROF, which they do not block.
    public var signal: Int32?

    public init() {}
  }

  public struct Statistics: Sendable, Equatable {
    /// Stacks in the trace.
    public var samples: Int
    /// Not given in time: the thread had the signal blocked, or no processor.
    public var missed: Int
    /// Stacks that did not fit into the trace or the tables of it.
    public var dropped: Int
    /// The longest time that the sampled thread was held up, and all of them, ns.
    public var longestInterruption: Int64
    public var interruptions: Int64
    /// What the watchdog needed to unwind and write, ns.
    public var work: Int64
  }
}

extension LaunchSampler.Statistics {
  init(_ native: lr_sampler_statistics) {
    samples = Int(clamping: native.samples)
    missed = Int(clamping: native.missed)
    dropped = Int(clamping: native.dropped)
    longestInterruption = Int64(clamping: native.longest_interruption)
    interruptions = Int64(clamping: native.interruptions)
    work = Int64(clamping: native.work)
  }
}

extension Duration {
  /// Not less than 0, and as much as fits.
  fileprivate var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : product.addingReportingOverflow(UInt64(clamping: attoseconds / 1_000_000_000)).partialValue
  }
}
