/// A program to launch, and how.
package struct LaunchRequest: Sendable {
  /// A path, or a name to look up in `PATH` when it has no slash.
  package var program: String
  /// `program` byte for byte, when it is no UTF-8; nil for the string's own bytes.
  package var programBytes: [UInt8]?
  /// Without the program's own name; bytes, since they need not be UTF-8.
  package var arguments: [[UInt8]]
  /// Variables that are added to the launcher's environment, or replace what is there.
  package var environment: [String: String]
  /// ns until the program and all its descendants are ended; nil for never.
  ///
  /// Orphans among them come to the launching process, and cannot be told from children that it starts meanwhile: with
  /// a time-out it must start none.
  package var timeout: Int64?
  /// ns between SIGTERM and SIGKILL after a time-out.
  package var grace: Int64
  /// When the program counts as ready; nil not to look for that.
  package var ready: ReadyRule?
  /// ns after which a program that is ready by a rule other than `automatic` and `exit` is ended, with all its
  /// descendants; nil to let it go on. As with a time-out, the launching process must start no other children. That also
  /// holds for a rule that follows what the program leaves in the background.
  package var settle: Int64?
  /// Of the prepared trace; an instrumented program inherits it. -1 for none.
  var preparedDescriptor: Int32 = -1
  /// Called right before the program is launched, when nothing else is left to be done.
  var lastly: (@Sendable () -> Void)?
  /// Called from another thread, at most once a launch, when a program that has a window or listens goes on though
  /// nobody said when it is ready.
  package var lingering: (@Sendable (ReadySignal) -> Void)?

  /// Called from the launching thread when a program has ended with success, and what it left in the background matters
  /// to `ready` (`ReadyRule.followsBackground`).
  package var background: (@Sendable (Background) -> Void)?

  /// What became of processes that a program left running.
  package enum Background: Sendable, Equatable {
    /// The launcher still waits for them to be ready, at most so long, ns.
    case awaited(patience: Int64)
    /// They run on.
    case left(processIDs: [Int32])
  }

  /// ns of CPU time by which the launch is made slower, before the program is executed: to see whether that shows.
  package var delay: Int64 = 0

  package init(
    program: String, arguments: [[UInt8]] = [], environment: [String: String] = [:], timeout: Int64? = nil,
    grace: Int64 = 2_000_000_000
  ) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
    self.timeout = timeout
    self.grace = grace
  }
}
