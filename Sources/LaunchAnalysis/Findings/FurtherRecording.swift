// SPDX-License-Identifier: Apache-2.0

/// How another recording would say more of a launch. It names no option that the launch was recorded with, and none that cannot
/// work where it was recorded.
struct FurtherRecording {
  /// Only the main thread's states are known, because perf events were not allowed.
  var isEstimated = false
  /// The scheduler reported every wait.
  var isExact = false
  /// Stops could copy stacks.
  var canStopForStacks = false
  /// launchprof observed the launch.
  var isObserved = false
  /// Threads were sampled while they ran.
  var isSampled = false
  /// There were samples, but this user gets no stacks of waits.
  var needsRights = false

  /// ` To find out for what, …`; empty if no other recording says it.
  func toFindOut(_ what: String = "") -> String {
    if isEstimated { return " To find out\(what), allow perf events: launchprof explain not-instrumented." }
    return isExact ? "" : " To find out\(what), record with --detail scheduling, as root."
  }

  /// How to see the function that waited.
  var toSeeWhere: String {
    if canStopForStacks { return " To see where, record with --detail stacks." }
    return needsRights ? " To see where, record as root, or with kernel.perf_event_paranoid of 1." : ""
  }

  /// How to see what a thread did that has no samples.
  var toSeeWork: String {
    if canStopForStacks { return "To see what it did, record with --detail stacks." }
    if isEstimated { return "To see what it did, allow perf events: launchprof explain not-instrumented." }
    return isObserved && !isSampled ? "To see what it did, record without --no-samples." : "It has no samples."
  }

  /// How to see child processes.
  var toFollow: String {
    isEstimated
      ? "allow perf events, and record with --follow: launchprof explain not-instrumented."
      : "record with --follow."
  }
}

extension FurtherRecording {
  /// - Parameter hasWaitStacks: whether the trace has stacks of waits.
  init(after observation: Observation?, hasWaitStacks: Bool) {
    guard let observation else { return }
    isEstimated = observation.waitStates == .times
    isExact = observation.waitStates == .kernel
    // Such a stop needs ptrace, as breakpoint instructions do.
    canStopForStacks = isEstimated && observation.means == "ptrace" && !observation.stopsForStacks
    (isObserved, isSampled) = (true, observation.sampleRate > 0)
    needsRights = !isEstimated && isSampled && !hasWaitStacks
  }
}
