// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver

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

  /// Stops the first thread if it is time for a sample, or if it has begun to wait.
  func lookForStacks(at now: Int64) {
    guard stacks != nil, isAttached, let probe else { return }
    if probe.canStop { stacks?.lookAtWait() }
    if let time = stacks?.nextTime, now >= time {
      self.probe?.willHold()
      stacks?.look(at: now, isRunning: probe.isRunning)
    }
    if stacks?.hasStopped == true { takeStack() }
  }

  /// The process has stopped because a tracer asked for it.
  func takeStack() {
    let request = stacks?.take()
    // Before it continues: it may take this processor from the launcher.
    let end = Int64(lo_now())
    if let request, !request.isInWait { held(from: request.time, to: end) }
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
    if launch.samples.isEmpty, launch.waitStacks.isEmpty { launch.stacksShortcoming = stacks.shortcoming }
    self.stacks = nil
  }
}
