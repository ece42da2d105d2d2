// SPDX-License-Identifier: Apache-2.0

/// What Swift's runtime does in the program: `--detail globals`, `conformances` and `calls`.
extension LaunchObservation {
  /// Uses probes, or breakpoint instructions if the user may not set probes.
  func watchRuntime(of path: String, _ addresses: LoadAddresses, isStopped: Bool) {
    guard watchesRuntime else { return }
    runtime.watch(program: path, rings, images)
    if runtime.watched.copies > 0 {
      watchProbes()
    } else if isStopped, isAttached {
      calls = CallBreakpoints(
        processID: launch.processID, offsets: runtime.offsets, addresses: addresses, tellsExits: readsNames)
      calls?.leavesCopy = { [unowned self] in breakpoints?.remove(from: $0) }
    }
  }

  /// Other processes are kept out of the rings, which they could fill. Descendants are not known beforehand.
  func watchProbes() { perf?.watchProbes(of: options.followsChildren ? nil : launch.processID) }

  var watchesRuntime: Bool { !options.runtime.isEmpty }

  /// Whether to read the names of looked-up types from the process's memory before it ends.
  var readsNames: Bool { options.runtime.contains(.conformances) }

  /// A program without symbols does not have some of the functions to watch, and some cannot have breakpoint
  /// instructions.
  func noteMissing(_ watched: RuntimeProbes.Watched) {
    if readsNames, !watched.functions.contains(.conformance) {
      launch.shortcomings.lookups = "the function that looks up conformances was not found: the program has no symbols"
    }
    if options.runtime.contains(.calls), !watched.functions.contains(.cast) {
      launch.shortcomings.calls =
        watched.means == .ptrace ? "counting calls needs probes: \(runtime.shortcoming)" : "the program has no symbols"
    }
  }

  /// Whether the launcher stays attached to a program although it waits for no breakpoint.
  func staysAttached(_ path: String?) -> Bool {
    calls != nil || readsNames || stopsForStacks || Wrappers.contains(path ?? "")
  }

  /// The process has stopped, and its memory will soon be gone.
  func readNames() {
    guard readsNames else { return }
    var passages = (calls?.passages ?? []) + launch.passages
    if let perf {
      // This process may now call the same library itself.
      perf.leaveProbes()
      passages += PerfEvents(callsOf: launch.processID, in: perf.recorded()).passages
    }
    let subjects = Set(passages.compactMap(FirstLookups.Subject.init))
    launch.names.read(subjects, from: ProcessMemory(of: launch.processID))
  }

  /// Takes the calls that the breakpoint instructions have seen. The process has ended, or executes another program.
  func takeCalls() {
    guard let calls else { return }
    calls.leaveChildren()
    launch.passages += calls.passages
    launch.mappings += calls.traps.mappings
    launch.landing = calls.traps.landing ?? launch.landing
    if calls.traps.isProbed {
      launch.shortcomings.runtime = "another program's probes are in the same code: record again later"
      // Otherwise the report would say that there were no calls.
      launch.addShortcoming("Swift's runtime was not watched, because another program's probes are in its code")
    } else if calls.watched.copies > 0 {
      launch.watchedRuntime = calls.watched
    }
    self.calls = nil
  }
}
