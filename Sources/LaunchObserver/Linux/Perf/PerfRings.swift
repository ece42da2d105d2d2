// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc

/// The memory into which the kernel writes its records of launches, one launch at a time.
final class PerfRings {
  private var native: Result<OpaquePointer, PerfSession.Refusal>?

  private var isLarge = false

  deinit { close() }

  private func close() {
    if case .success(let rings)? = native { lo_perf_rings_close(rings) }
    (native, scheduler) = (nil, nil)
  }

  /// Makes room for the records of probes, from the next launch on.
  func makeLarge() {
    guard !isLarge else { return }
    isLarge = true
    close()
  }

  /// Makes the rings if they do not exist yet. Call it early, because a program that starts directly after it is slower.
  func open() -> Result<OpaquePointer, PerfSession.Refusal> {
    if let native { return native }
    var rings: OpaquePointer?
    let error = lo_perf_rings_open(&rings, isLarge)
    let result: Result<OpaquePointer, PerfSession.Refusal> =
      if let rings { .success(rings) } else { .failure(PerfSession.Refusal(errno: error)) }
    native = result
    return result
  }

  private var scheduler: Result<SchedulerTracepoints, ProbeRefusal>?

  /// Opens the scheduler's tracepoints. Call it early, once for a series of launches, because it takes long.
  func tracepoints() -> Result<SchedulerTracepoints, ProbeRefusal> {
    if let scheduler { return scheduler }
    let result = holdTracepoints()
    scheduler = result
    return result
  }

  /// Reports a function's calls and returns, in every process that maps the file, until the rings are closed.
  ///
  /// - Parameters:
  ///   - offset: in the file, of its first instruction.
  ///   - place: a number that identifies its records.
  ///   - isCounted: only the calls are reported, without arguments.
  ///   - isOfLauncher: the launcher's own calls are also reported.
  func addProbes(
    _ path: String, offset: UInt64, place: UInt64, isCounted: Bool = false, isOfLauncher: Bool = false
  ) -> Result<Void, ProbeRefusal> {
    guard case .success(let rings) = open() else { return .failure(ProbeRefusal(reason: "there are no perf events")) }
    for kind in isCounted ? [LO_PERF_COUNT] : [LO_PERF_CALL, LO_PERF_RETURN] {
      let error = path.withCString {
        var probe = lo_probe(path: $0, offset: offset, kind: kind, place: place, is_of_launcher: isOfLauncher)
        return lo_perf_add_probe(rings, &probe)
      }
      if error != 0 { return .failure(ProbeRefusal(reason: PerfRefusal.explainProbes(error))) }
    }
    return .success(())
  }

  private func holdTracepoints() -> Result<SchedulerTracepoints, ProbeRefusal> {
    guard case .success(let rings) = open() else {
      return .failure(ProbeRefusal(reason: "perf events are not available"))
    }
    guard let tracepoints = SchedulerTracepoints.ofSystem() else {
      let needs = geteuid() == 0 ? "" : ", which needs root"
      return .failure(ProbeRefusal(reason: "cannot read the kernel's tracepoints in /sys/kernel/tracing\(needs)"))
    }
    let error = lo_perf_hold_tracepoints(rings, tracepoints.switchID, tracepoints.wakingID)
    return error == 0
      ? .success(tracepoints) : .failure(ProbeRefusal(reason: PerfRefusal.explainTracepoints(error)))
  }
}

/// Why the kernel sets no probes in code, or does not tell what its scheduler does, for people.
struct ProbeRefusal: Error { var reason: String }
