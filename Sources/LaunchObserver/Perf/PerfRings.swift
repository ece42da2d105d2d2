internal import CLaunchObserver

/// Memory into which the kernel writes what it sees of launches, one at a time.
final class PerfRings {
  private var native: Result<OpaquePointer, PerfSession.Refusal>?

  deinit { if case .success(let rings)? = native { lo_perf_rings_close(rings) } }

  /// Makes it, if that has not been done: early, since what is launched right behind that is slower.
  func open() -> Result<OpaquePointer, PerfSession.Refusal> {
    if let native { return native }
    var rings: OpaquePointer?
    let error = lo_perf_rings_open(&rings)
    let result: Result<OpaquePointer, PerfSession.Refusal> =
      if let rings { .success(rings) } else { .failure(PerfSession.Refusal(errno: error)) }
    native = result
    return result
  }
}
