// SPDX-License-Identifier: Apache-2.0

package import LaunchTrace

/// A program to launch, and how.
package struct LaunchRequest: Sendable {
  /// A path, or a name to search in `PATH` if it has no slash.
  package var program: String
  /// The bytes of `program` if they are not UTF-8; nil for the string's own bytes.
  package var programBytes: [UInt8]?
  /// The arguments without the program's name. Bytes, because they need not be UTF-8.
  package var arguments: [[UInt8]]
  /// The directory in which the program begins; nil for that of the launcher. Then `program` must be an absolute path.
  package var directory: String?
  /// Variables that are added to the launcher's environment, or replace its own.
  package var environment: [String: String]
  /// Time limit, ns, after which the program and all its descendants are ended; nil for none.
  ///
  /// Orphans among them become children of the launching process, and look like children that it starts itself. So with
  /// a time limit it must not start any.
  package var timeout: Int64?
  /// Without a time limit: ns after which a program counts as hanging, and is ended with its children; nil for never. It has no
  /// other effect: orphans stay what they are without it.
  package var longest: Int64?
  /// ns between SIGTERM and SIGKILL after a time-out.
  package var grace: Int64 = 2_000_000_000
  /// When the program counts as ready; nil to not watch for it.
  package var ready: ReadyRule?
  /// Time, ns, until a program that is ready is ended, with all its descendants; nil to let it continue. It does not
  /// apply to the rules `automatic` and `exit`. As with a time limit, the launching process must start no other
  /// children. The same holds for a rule that follows processes in the background.
  package var settle: Int64?
  /// Exit statuses that mean success, besides 0: 1 for a program that exits with 1 if it found nothing.
  package var successes: Set<Int32> = []
  /// Descriptor of the prepared trace, which an instrumented program inherits. -1 for none.
  var preparedDescriptor: Int32 = -1
  /// What the program's own trace says about the end of its launch. Asked before a program that is ready is ended.
  var ownEnd: OwnEndWait.Question?
  /// Called from the launching thread while the launcher waits for the program's own end of the launch.
  package var awaitingOwnEnd: (@Sendable (OwnEnd.Wait) -> Void)?
  /// Called right before the launch, after all other preparation.
  var lastly: (@Sendable () -> Void)?
  /// Called from another thread, at most once per launch, if a program has a window or listens, no rule says when it is
  /// ready, and it keeps running.
  package var lingering: (@Sendable (ReadySignal) -> Void)?

  /// ns after `lingering` is called, or would be, until the program is ended with its children; nil for never.
  package var lingeringLimit: Int64?

  /// Called if a program does not meet the rule `ready`: from another thread, once per launch, while it runs for long and
  /// is to be ended when it is ready. After a recorded launch, from the launching thread.
  package var unmet: (@Sendable (ReadyGap) -> Void)?

  /// Called from the launching thread when a program has ended with success, if `ready` depends on processes that it
  /// left in the background (`ReadyRule.followsBackground`). After a recorded launch, also if `ready` is `.automatic`, and
  /// nothing but the program's output or end made it ready.
  package var background: (@Sendable (Background) -> Void)?

  /// What happens with processes that a program left running.
  package enum Background: Sendable, Equatable {
    /// The launcher still waits for them to be ready, at most this many ns.
    case awaited(patience: Int64)
    /// They run on.
    case left(processIDs: [Int32])
    /// They run on, and one of them may be what the user waits for. For people, `python3 (4711)`.
    case unwatched([String])
    /// The launcher could not end them: they run on, for example as another user.
    case unended(processIDs: [Int32])
    /// Processes that the launcher cannot see may run on, for this reason.
    case unseen(reason: String)
  }

  /// CPU time, ns, that is added to the launch before execve, to check that a comparison shows it.
  package var delay: Int64 = 0

  package init(
    program: String, arguments: [[UInt8]] = [], environment: [String: String] = [:], timeout: Int64? = nil
  ) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
    self.timeout = timeout
  }
}
