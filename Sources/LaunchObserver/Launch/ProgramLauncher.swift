// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem
internal import LaunchTrace

/// Launches programs and waits for them. The terminal, signals and exit status behave as if the user had started the
/// program directly, because it runs in the launcher's process group, on its terminal, with its descriptors.
///
/// Use it from the main thread, because the program gets the caller's signal mask. A process can have only one at a
/// time.
package struct ProgramLauncher: ~Copyable {
  private let signals: SignalWatch
  private let environment = LaunchEnvironment()
  let images = ImageCache()
  let rings = PerfRings()
  let runtime = RuntimeProbes()

  /// Starts watching signals.
  ///
  /// - Throws: `LaunchError` with `cannotLaunch`.
  package init() throws(LaunchError) { self.init(try SignalWatch()) }

  // In an initialiser that throws, Swift 6.2 destroys the properties with default values twice.
  private init(_ signals: consuming SignalWatch) {
    self.signals = signals
    // The watch is the only one, so no other launcher changes the limit.
    lo_open_files_raise()
  }

  deinit { lo_open_files_restore() }

  /// The last signal since the last launch that asked the launcher to stop.
  package func pendingInterruption() -> Int32? { interruption() }

  /// Asks for the last such signal, as long as the launcher lives.
  var interruption: () -> Int32? {
    { [descriptor = signals.descriptor] in
      SignalWatch.arrivals(at: descriptor).last(where: \.isInterruption)?.signal
    }
  }

  /// Launches a program and returns when it has ended.
  ///
  /// - Throws: `LaunchError` if it cannot be executed: `notFound`, `notExecutable`, `cannotLaunch`.
  package func launch(_ request: LaunchRequest) throws(LaunchError) -> LaunchResult {
    try launch(request, observing: nil).result
  }

  /// Launches a program, observes it as far as possible, and returns when it has ended.
  func launch(
    _ request: LaunchRequest, observing options: ObservationOptions?
  ) throws(LaunchError) -> (result: LaunchResult, observed: ObservedLaunch?) {
    let search = ProgramSearch(request.program, bytes: request.programBytes, path: environment.bytes("PATH"))
    let terminal = ControllingTerminal()
    if let reason = request.refusal { throw LaunchError(.cannotLaunch, path: request.program, message: reason) }
    // The launcher is a subreaper only if it may have to end orphans, or wait for one that becomes ready. Otherwise the
    // parent of a daemon is init, as it is without the launcher.
    let follows = request.timeout != nil || request.settle != nil || request.ready?.followsBackground == true
    let descendants = follows ? Descendants() : nil
    // The first process of a container gets orphans in any case.
    let orphans = descendants ?? (getpid() == 1 ? Descendants() : nil)
    if descendants != nil { _ = lo_set_subreaper(true) }
    defer { if descendants != nil { _ = lo_set_subreaper(false) } }

    // A limit alone needs the watch, too.
    let lingering: (@Sendable (ReadySignal) -> Void)? =
      request.lingeringLimit == nil ? request.lingering : request.lingering ?? { _ in }
    let watch = try request.ready.map { rule throws(LaunchError) in
      try ReadyWatch(
        rule, environment: environment, descendants: descendants, lingering: lingering,
        unmet: request.settle == nil ? nil : request.unmet)
    }
    RepeatedInput.rewind()
    // The watch's thread must end however the launch ends.
    defer { watch?.end() }
    var request = request
    request.environment.merge(watch?.environment ?? [:]) { $1 }
    if request.preparedDescriptor >= 0 {
      // Only a program with the recorder can use the prepared trace.
      let isInstrumented = search.firstExecutable.flatMap { images.image($0) }?.isInstrumented ?? false
      if isInstrumented { request.environment[LaunchVariable.descriptor] = "\(request.preparedDescriptor)" }
      if !isInstrumented { request.preparedDescriptor = -1 }
    }
    let observation = options.map { LaunchObservation($0, images: images, rings: rings, runtime: runtime) }
    if let path = search.firstExecutable { observation?.expect(path) }
    let quota = ProcessorQuota()
    let throttledBefore = quota.throttledPeriods()
    request.lastly?()
    let launched = try spawn(request, search, output: watch?.output ?? -1, error: watch?.error ?? -1, observation)
    defer {
      // The watch uses the descriptor.
      watch?.end()
      if launched.pidfd >= 0 { close(launched.pidfd) }
    }
    // What the program writes has the time at which the watch sees it.
    watch?.begin(launched)
    let path = search.candidates[Int(launched.candidate)]
    let file = FileIdentity(path)
    // The kernel starts the program's peak at the launcher's own. Its count lags by some pages per processor.
    let floor = ownPeakResidentBytes() + (1 << 20)
    observation?.programBegins(execTime: Int64(launched.exec_ns))
    var supervision = Supervision(
      launched: launched, request: request, descendants: descendants, orphans: orphans, watch: watch,
      observation: observation)
    var (ending, status) = try supervision.waitForEnd(signals: signals, hasTerminal: terminal != nil)
    if case .exited = ending {} else { terminal?.restore() }
    if status.max_rss_bytes <= floor { status.max_rss_bytes = 0 }
    var result = LaunchResult(
      processID: launched.pid, path: path, file: file, execTime: Int64(launched.exec_ns),
      exitTime: Int64(status.exit_ns), ending: ending,
      usage: ResourceUsage(status, before: launched.cpu_ns),
      interruption: supervision.interruption)
    // A group that went meanwhile counts no more.
    result.throttledPeriods = max(quota.throttledPeriods(), throttledBefore) - throttledBefore
    result.wasEndedWhenReady = supervision.hasEndedProgram
    if case .exited(let status) = ending { result.hasNamedStatus = status != 0 && request.successes.contains(status) }
    result.missedOwnEnd = supervision.missedOwnEnd
    result.lingering = supervision.lingering
    result.ready = watch.map { watch in
      let signals = watch.end { [end = Int64(lo_now())] in
        // A signal to stop may also come now.
        result.interruption = pendingInterruption() ?? result.interruption
        return (ending == .timedOut || result.interruption != nil) && Int64(lo_now()) - end > 1_000_000_000
      }
      return ReadyOutcome(
        following: watch.rule, signals: signals, endedWell: result.succeeded || result.interruption != nil,
        lifetime: result.execTime...max(result.execTime, result.exitTime))
    }
    result.ready?.note(watch?.outputObstacle)
    result.ready?.note(lostOutput: watch?.lostOutput ?? 0)
    result.ready?.evidence = watch?.evidence
    return (result, observation?.finish())
  }

  /// - Parameters: `output` and `error` become the program's streams; -1 leaves them as they are.
  private func spawn(
    _ request: LaunchRequest, _ search: ProgramSearch, output: Int32, error: Int32, _ observation: LaunchObservation?
  ) throws(LaunchError) -> lo_launched {
    let stampName = Array("\(LaunchVariable.start)=".utf8)
    let stamp = stampName + [UInt8](repeating: UInt8(ascii: " "), count: Int(LO_STAMP_SIZE))
    let candidates = CStringList(search.nativeCandidates)
    let arguments = CStringList([request.programBytes ?? Array(request.program.utf8)] + request.arguments)
    let directory = CStringList([request.directory.map { Array($0.utf8) }].compactMap(\.self))
    let (strings, ids) = Self.environment([stamp] + environment.entries(with: request.environment))
    defer { ids.deallocate() }
    var launched = lo_launched()
    var native = lo_request(
      candidates: candidates.pointer, arguments: arguments.pointer, environment: strings.pointer,
      directory: directory.pointer[0], stamp: strings.pointer[0].map { $0 + stampName.count }, ids: ids, output: output,
      error: error,
      inherited: request.preparedDescriptor, prepare: nil, context: nil, delay_ns: UInt64(clamping: request.delay))
    if let observation {
      native.context = Unmanaged.passUnretained(observation).toOpaque()
      native.prepare = { context, processID in
        guard let context else { return }
        Unmanaged<LaunchObservation>.fromOpaque(context).takeUnretainedValue().prepare(processID)
      }
    }
    lo_launch(&native, &launched)
    // The lists must outlive the call, and the compiler cannot see that.
    withExtendedLifetime((candidates, arguments, directory, strings, observation)) {}
    guard launched.error == 0 else {
      if launched.candidate >= 0 { throw search.explain(launched.error, at: Int(launched.candidate)) }
      if launched.candidate == LO_NO_DIRECTORY {
        throw LaunchError(
          .cannotLaunch, path: request.directory ?? "",
          message: "cannot launch a program there: \(systemMessage(launched.error))", errno: launched.error)
      }
      throw LaunchError(
        .cannotLaunch, path: request.program,
        message: "cannot create a process: \(ResourceLimit.explain(launched.error, makesThread: true))",
        errno: launched.error)
    }
    return launched
  }

  /// The entries, and where in them to write the program's own process id: a list that ends with nil.
  private static func environment(
    _ entries: [[UInt8]]
  ) -> (strings: CStringList, ids: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) {
    let own = getpid()
    let prefixes = entries.map { ProcessVariable.prefix(of: $0, naming: own) }
    let room = [UInt8](repeating: UInt8(ascii: " "), count: Int(LO_ID_SIZE))
    let strings = CStringList(
      zip(entries, prefixes).map { entry, prefix in prefix.map { entry.prefix($0) + room } ?? entry })
    let places = prefixes.indices.compactMap { index in
      prefixes[index].flatMap { prefix in strings.pointer[index].map { $0 + prefix } }
    }
    let ids = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: places.count + 1)
    for (index, place) in places.enumerated() { (ids + index).initialize(to: place) }
    (ids + places.count).initialize(to: nil)
    return (strings, ids)
  }
}

extension LaunchRequest {
  /// Why the request cannot be passed to any system call.
  fileprivate var refusal: String? {
    ([Array(program.utf8)] + arguments).contains { $0.contains(0) }
      ? "a name or argument cannot contain a zero byte" : nil
  }
}

extension ResourceUsage {
  /// - Parameter before: CPU time, ns, used before the program was executed, mostly in the kernel.
  fileprivate init(_ status: lo_status, before: UInt64) {
    let system = min(before, status.system_ns)
    userTime = status.user_ns - min(before - system, status.user_ns)
    systemTime = status.system_ns - system
    peakResidentBytes = status.max_rss_bytes == 0 ? nil : status.max_rss_bytes
    minorFaults = status.minor_faults
    majorFaults = status.major_faults
    voluntarySwitches = status.voluntary_switches
    involuntarySwitches = status.involuntary_switches
    readBytes = status.read_bytes
  }
}

private func ownPeakResidentBytes() -> UInt64 {
  var usage = rusage()
  return getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 ? UInt64(usage.ru_maxrss) * 1024 : 0
}
