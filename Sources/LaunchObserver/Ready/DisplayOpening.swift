// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
import Synchronization

/// Connects to an X display on a thread of its own. A server that hangs accepts connections and never answers, and libxcb waits
/// for ever.
final class DisplayOpening: Sendable {
  private struct State {
    /// The address of the `lo_windows`; nil if there is none.
    var windows: UInt?
    var reason = "the X display does not answer"
    var isOver = false
    /// The launcher does not wait for the result.
    var isAbandoned = false
  }

  private let display: String
  /// Readable when the thread is done.
  private let finished: Int32
  private let state = Mutex(State())
  /// Why displays could not be watched. The next launch of a series does not wait for them again.
  private static let failures = Mutex<[String: String]>([:])

  private init(_ display: String) {
    self.display = display
    finished = lo_wake_open()
  }

  deinit { if finished >= 0 { close(finished) } }

  /// - Parameter patience: how long the server may take to answer, ns.
  /// - Returns: the windows, to be closed by the caller.
  /// - Throws: `LaunchError.cannotLaunch` if the display cannot be watched.
  static func open(_ display: String, patience: Int64) throws(LaunchError) -> OpaquePointer {
    func failure(_ reason: String) -> LaunchError {
      LaunchError(.cannotLaunch, path: "display \(display)", message: reason)
    }
    if let known = failures.withLock({ $0[display] }) { throw failure(known) }
    let opening = DisplayOpening(display)
    opening.run(within: patience)
    let (address, reason) = opening.state.withLock { state in
      state.isAbandoned = !state.isOver
      return (state.windows, state.reason)
    }
    guard let address, let windows = OpaquePointer(bitPattern: address) else {
      failures.withLock { $0[display] = reason }
      throw failure(reason)
    }
    return windows
  }

  /// The thread may go on alone.
  private func run(within patience: Int64) {
    let errorOutput = Self.silenceErrors()
    defer { Self.restore(errorOutput) }
    var thread = pthread_t()
    guard startThread(&thread, { self.connect() }) == 0 else { return }
    let end = Int64(lo_now()) + patience
    var finish = pollfd(fd: finished, events: Int16(POLLIN), revents: 0)
    while lo_poll(&finish, 1, max(0, end - Int64(lo_now()))) < 0, errno == EINTR {}
    _ = finish.revents != 0 ? pthread_join(thread, nil) : pthread_detach(thread)
  }

  private func connect() {
    var reason: UnsafePointer<CChar>?
    let windows = lo_windows_open(display, &reason)
    let isAbandoned = state.withLock { state in
      state.isOver = true
      if let windows { state.windows = UInt(bitPattern: windows) }
      if let reason { state.reason = String(cString: reason) }
      return state.isAbandoned
    }
    if isAbandoned, let windows { lo_windows_close(windows) }
    lo_wake(finished)
  }

  /// libxcb itself writes to standard error why a server refuses the user. Nothing else of the launcher writes there meanwhile.
  ///
  /// - Returns: the descriptor of standard error as it was; -1 if it could not be silenced.
  private static func silenceErrors() -> Int32 {
    let nowhere = Glibc.open("/dev/null", O_WRONLY | O_CLOEXEC)
    guard nowhere >= 0 else { return -1 }
    defer { close(nowhere) }
    let former = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    if former >= 0 { dup2(nowhere, STDERR_FILENO) }
    return former
  }

  private static func restore(_ errorOutput: Int32) {
    guard errorOutput >= 0 else { return }
    dup2(errorOutput, STDERR_FILENO)
    close(errorOutput)
  }
}
