// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
internal import LaunchSystem

/// Programs that are started through their loader: `ld.so program`. The kernel says nothing about such a program.
extension LaunchObservation {
  /// Stops a loader that was executed itself where it has mapped its program: at its first notification.
  func awaitProgram(of loader: LoadAddresses, in path: String, isStopped: Bool) {
    var points = loader
    if perf != nil { points.loader = nil }
    if isStopped, isAttached, loader.notification != nil {
      breakpoints = SoftwareBreakpoints(processID: launch.processID, addresses: points, staysAttached: false)
    }
    guard breakpoints == nil else { return }
    launch.addShortcoming(
      "\(fileName(path)) is a loader, and the program that it starts was not found, so the phases before main are not known"
    )
  }

  /// Whether the process is a loader that has stopped where it has mapped its program.
  func hasMappedProgram(at address: UInt64) -> Bool {
    guard let loader = launch.images.last?.addresses, loader.entry == nil else { return false }
    return address == loader.notification
  }

  /// Finds the points of the mapped program, and lets the loader go on.
  ///
  /// - Returns: when it went on, CLOCK_MONOTONIC ns.
  func programIsMapped() -> Int64 {
    let processID = launch.processID
    var signal: Int32 = 0
    _ = lo_trace_resume_at(processID, lo_trace_breakpoint_address(processID))
    breakpoints?.removeAll()
    breakpoints = nil
    let last = launch.images.count - 1
    var image = launch.images[last]
    // It is notified again at the same place.
    if lo_trace_step(processID, &signal),
      let found = image.addresses?.program(mappedIn: processID, images: images)
    {
      (image.path, image.addresses) = (found.path, found.addresses)
      setBreakpoints(in: &image, found.addresses, isStopped: true)
      launch.images[last] = image
    }
    isAttached = breakpoints != nil || staysAttached(launch.images[last].path)
    if !isAttached { perf?.watchExec() }
    let end = Int64(lo_now())
    _ = isAttached ? lo_trace_continue(processID, signal) : lo_trace_detach(processID, signal)
    return end
  }
}
