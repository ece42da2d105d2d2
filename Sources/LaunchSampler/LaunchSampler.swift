// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSampler
internal import LaunchProfiler

/// Takes stacks of the main thread while its work is over budget, without the command.
///
/// A watchdog thread checks the main thread every few milliseconds. (With an `async` main, that is whichever thread
/// runs the main actor.) The watchdog starts to take stacks in three cases:
/// - The current phase (`LaunchProfiler.phase`) is over its budget.
/// - An async phase of the main actor is over its budget, and a thread runs the main actor.
/// - The main thread has run outside all phases, without a pause, for longer than `Options.busyBudget`.
///
/// For each stack, the watchdog sends a signal, and the thread copies its stack. The watchdog unwinds the copy and
/// writes it into the recorder's trace. The sampler ends when the launch is over, when its deadline has passed, or when
/// recording stops.
///
/// Call the members from any thread, but never from a signal handler.
public enum LaunchSampler {
  /// Starts the sampler. Call it after `LaunchProfiler.start`.
  ///
  /// - Returns: false if the sampler did not start: nothing is recorded, as in a fork of a recorded process, or
  ///   `launchprof record` launched the program and takes its stacks from outside.
  /// - Throws: `LaunchSamplerError`: `alreadyStarted`, `signalInUse`, `unsupported`, or `system` with the errno.
  @discardableResult
  public static func start(_ options: Options = Options()) throws(LaunchSamplerError) -> Bool {
    var native = lr_sampler_options()
    native.period = UInt64(1_000_000_000 / min(max(options.rate, 10), 10_000))
    native.busy_budget = UInt64(max(0, options.busyBudget.nanoseconds))
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

  /// Ends the sampler, and returns when the last stack is written. Calling it is optional.
  public static func stop() { lr_sampler_stop() }

  /// The work of the sampler so far.
  public static var statistics: Statistics { Statistics(lr_sampler_statistics_get()) }
}

extension LaunchSampler {
  public struct Options: Sendable {
    /// When stacks are taken.
    public enum Scope: Sendable {
      /// While work of the main thread is over budget.
      case overBudget
      /// From now to the end of the launch.
      case launch
    }

    /// When the signal may interrupt the thread.
    public enum Interruption: Sendable {
      /// At any time, also while the thread waits, so that stacks show where it waits. The signal ends some system
      /// calls with EINTR: those that SA_RESTART does not restart. docs/sampler.md lists them.
      case everything
      /// Only while the thread uses CPU time. A timer of the thread's CPU clock sends the signal, so the signal
      /// interrupts no waiting call. The kernel checks such timers only at its ticks. This allows 250 stacks per second
      /// on most systems.
      case runningCode
    }

    public enum Unwinding: Sendable {
      /// Use frame pointers where the unwind tables confirm them, and the tables elsewhere. The stacks are the same as
      /// with the tables alone, and the watchdog needs less time.
      case framePointersFirst
      /// Use the unwind tables for every frame.
      case complete
    }

    /// Stacks per second, 10 to 10,000.
    public var rate = 1000
    /// How long the main thread may run outside all phases without a pause.
    public var busyBudget = Duration.milliseconds(16)
    /// The largest number of stacks.
    public var limit = 20_000
    public var scope = Scope.overBudget
    public var interrupts = Interruption.everything
    public var unwinding = Unwinding.framePointersFirst
    /// Also take stacks in a program that `launchprof record` launched. Set it where the command is not allowed to take
    /// stacks, as in many containers. Elsewhere, each stack would count twice.
    public var worksBesideLauncher = false
    /// The signal's number. nil means SIGURG, which has no effect on a program that does not expect it. Threads of
    /// libdispatch that run the main actor outside all phases get SIGPROF instead, because they block SIGURG.
    public var signal: Int32?

    public init() {}
  }

  public struct Statistics: Sendable, Equatable {
    /// Number of stacks in the trace.
    public var samples: Int
    /// Number of stacks that the thread did not deliver in time, because it blocked the signal or waited for a CPU.
    public var missed: Int
    /// Number of stacks that did not fit into the trace or its tables.
    public var dropped: Int
    /// The longest delay of the sampled thread, and the sum of all delays, ns.
    public var longestInterruption: Int64
    public var interruptions: Int64
    /// The time that the watchdog took to unwind and write stacks, ns.
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
