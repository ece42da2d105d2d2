// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc

/// The stops of a program to which the launcher is attached.
extension LaunchObservation {
  /// Detaches from the program at once, because it will be ended.
  ///
  /// - Parameter patience: how long it may take to stop, ns. A program that hangs in the kernel does not, nor does one in vfork(2)
  ///   whose child has not executed a program. Then the launcher stays attached.
  func letGo(within patience: Int64) {
    guard isAttached else { return }
    leaveOtherThread()
    var child: Int32 = 0
    if let calls {
      calls.letGo {
        readNames()
        breakpoints?.removeAll()
      }
    } else {
      switch lo_trace_interrupt(launch.processID, patience, &child) {
      case LO_TRACE_STOPPED:
        readNames()
        leaveCopy(child)
        breakpoints?.removeAll()
        _ = lo_trace_detach(launch.processID, 0)
      case LO_TRACE_GOES_ON: return
      default: break
      }
    }
    breakpoints = nil
    isAttached = false
    takeStacks()
  }

  /// A signal has stopped the program, for example by Ctrl-Z.
  func paused(at time: Int64) { launch.pauses.append(time) }

  /// Handles the program's other threads, if the launcher is attached to them. True if there may be more to handle.
  func lookAtThreads() -> Bool {
    takeLateStacks()
    return calls?.look() ?? false
  }

  /// The launcher has held the first thread from `start` to `end`.
  ///
  /// - Parameter isLate: as for `ProcessorTimes.held`.
  func held(from start: Int64, to end: Int64, isLate: Bool = false) {
    launch.heldUp += end - start
    probe?.held(from: start, to: end, isLate: isLate)
  }

  /// Handles a stop of the process that the observation caused. False if it is the user's.
  func take(stop status: lo_status) -> Bool {
    guard isAttached else { return false }
    let now = Int64(lo_now())
    let began = probe?.stopBegan(before: now, lateBy: delay?.time ?? 0) ?? now
    let isAsked = status.event == 128 && status.code == SIGTRAP
    if !isAsked { stacks?.forgetRequest() }
    if let end = calls?.takeFirst(status) {
      held(from: began, to: end)
      return true
    }
    switch Int32(status.event) {
    // PTRACE_EVENT_FORK
    case 1:
      leaveCopy(lo_trace_made(launch.processID))
      _ = lo_trace_continue(launch.processID, 0)
    // PTRACE_EVENT_EXEC
    case 4: stopped(at: began)
    // PTRACE_EVENT_EXIT
    case 6:
      readNames()
      launch.endStop = .init(start: began, end: Int64(lo_now()))
      _ = lo_trace_continue(launch.processID, 0)
    // PTRACE_EVENT_STOP: of the group by the user, or the end of such a stop.
    case 128 where [SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU].contains(status.code):
      _ = lo_trace_listen(launch.processID)
      return false
    case 128 where isAsked: takeStack()
    case 0:
      if status.code == SIGTRAP, hasMappedProgram(at: lo_trace_breakpoint_address(launch.processID)) {
        launch.hits.append(.init(time: began, address: lo_trace_breakpoint_address(launch.processID)))
        held(from: began, to: programIsMapped())
      } else if status.code == SIGTRAP, let (address, end) = breakpoints?.take() {
        launch.hits.append(.init(time: began, address: address))
        if breakpoints?.isDone == true {
          breakpoints = nil
          isAttached = staysAttached(launch.images.last?.path)
        }
        held(from: began, to: end)
      } else {
        launch.signals.append(began)
        _ = lo_trace_continue(launch.processID, status.code)
        held(from: began, to: Int64(lo_now()))
      }
    default: _ = lo_trace_continue(launch.processID, 0)
    }
    return true
  }

  /// A forked child, 0 for none, has a copy of the memory, with our breakpoints in it: it goes on without them.
  private func leaveCopy(_ child: Int32) {
    guard child > 0, lo_trace_wait_for_child(child) else { return }
    breakpoints?.remove(from: child)
    _ = lo_trace_detach(child, 0)
  }
}
