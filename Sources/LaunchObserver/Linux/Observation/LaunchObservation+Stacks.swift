// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc

/// Stacks where perf events are not allowed: `--detail stacks`.
extension LaunchObservation {
  /// Whether the launcher stays attached to stop the first thread.
  var stopsForStacks: Bool { options.stopsForStacks && options.samplePeriod != nil && perf == nil }

  func startStacks() {
    guard stopsForStacks, isAttached, let period = options.samplePeriod else { return }
    launch.wasStoppedForStacks = true
    stacks = StackProbe(
      processID: launch.processID, start: Int64(lo_now()), period: period, stackBytes: options.stackBytes)
  }

  /// Stops the threads that run if it is time for a sample, and the first thread if it has begun to wait.
  func lookForStacks(at now: Int64) {
    guard let nextTime = stacks?.nextTime, isAttached, let probe else { return }
    if probe.canStop { stacks?.lookAtWait() }
    if now >= nextTime {
      self.probe?.willHold()
      stacks?.look(at: now, isRunning: probe.isRunning)
    }
    if stacks?.hasStopped() == true { takeStack() }
    if now >= nextTime, threads != nil {
      threads?.look()
      stacks?.take(&threads!)
    }
  }

  /// Handles another thread that stopped late.
  func takeLateStacks() {
    guard stacks?.holdsOther == true, threads != nil else { return }
    stacks?.takeLate(&threads!)
  }

  /// Releases the other thread, unless it hangs in the kernel.
  func leaveOtherThread() {
    let giveUpTime = Int64(lo_now()) + Self.patience
    while stacks?.holdsOther == true, Int64(lo_now()) < giveUpTime {
      takeLateStacks()
      usleep(100)
    }
  }

  private static let patience: Int64 = 1_000_000_000

  /// The process has stopped because a tracer asked for it.
  func takeStack() {
    let began = Int64(lo_now())
    let request = stacks?.take()
    // Before it continues: it may take this processor from the launcher.
    let end = Int64(lo_now())
    if let request, !request.isInWait {
      held(from: request.isLate ? began : request.time, to: end, isLate: request.isLate)
      if let call = stacks?.continued { probe?.interrupted(call) }
    }
    _ = lo_trace_continue(launch.processID, 0)
    if let request, request.isInWait { probe?.stoppedInWait(at: end) }
    stacks?.readCode(at: end)
  }

  /// No stacks follow.
  func takeStacks() {
    guard let stacks else { return }
    launch.samples = stacks.samples
    launch.waitStacks = stacks.waits
    launch.code = stacks.code.mappings
    launch.log.endTime = stacks.endTime
    if launch.samples.isEmpty, launch.waitStacks.isEmpty { launch.shortcomings.stacks = stacks.shortcoming }
    self.stacks = nil
  }
}
