// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem

/// Observes one launch from outside, by the best means that the system allows. Use it from the thread that launches.
///
/// 1. perf events and hardware breakpoints, which are set while the program is stopped after execve. Nothing is
///    loaded into the program, and nothing is attached to it while it runs.
/// 2. If perf is not allowed: breakpoint instructions, set with ptrace, until `main` is reached.
/// 3. Otherwise only the launcher's own time stamps.
final class LaunchObservation {
  let options: ObservationOptions
  let images: ImageCache
  let rings: PerfRings
  let runtime: RuntimeProbes
  var launch = ObservedLaunch(processID: 0)
  var perf: PerfSession?
  var breakpoints: SoftwareBreakpoints?
  var calls: CallBreakpoints?
  var probe: WaitProbe?
  var stacks: StackProbe?
  /// Where perf does not report when they run.
  var threads: OtherThreads?
  /// How late it may notice stops; nil where perf reports when they began.
  private(set) var delay: OwnDelay?
  private var stamp: LaunchStamp?
  var isAttached = false
  /// Nothing is attached to the program, because otherwise it would not get its privileges.
  private var isPlain = false
  private var auxiliaryVector: [UInt64: UInt64] = [:]
  /// It has executed a program whose points were not found.
  private var hasMissedProgram = false
  /// The size of perf's log when it was last known which program runs, bytes.
  private var lookedThrough = 0
  /// How long a program runs, ns, before `dlopen` is searched for.
  private var openingDelay = LaunchObservation.leastOpeningDelay

  private static let leastOpeningDelay: Int64 = 12_000_000

  /// - Parameter rings: used only by this observation until it is finished.
  init(_ options: ObservationOptions, images: ImageCache, rings: PerfRings, runtime: RuntimeProbes) {
    self.runtime = runtime
    runtime.details = options.runtime
    self.options = options
    self.images = images
    self.rings = rings
  }

  deinit {
    probe?.end()
    _ = threads?.end()
  }

  /// Called before the launch of the file at `path`. Reads as much as possible now, so that the program is stopped for
  /// a shorter time.
  func expect(_ path: String) {
    if let reason = Privileges.preventObservation(of: path) {
      isPlain = true
      launch.shortcoming = "the program \(reason) and was launched without observation"
      return
    }
    if watchesRuntime { runtime.watch(program: path, rings, images) }
    _ = images.main(path)
    guard let loader = images.image(path)?.interpreter else { return }
    _ = (images.image(loader), images.notification(loader))
    // Most programs have the same C library as this process.
    if let library = Self.ownLibrary { _ = (images.image(library), images.openingCode(library)) }
  }

  /// The file of this process's C library.
  private static let ownLibrary = ProcessMaps.code(of: getpid()).map(\.path).first { fileName($0).hasPrefix("libc.so") }

  /// Called before execve, while the process waits.
  func prepare(_ processID: Int32) {
    launch.processID = processID
    if isPlain {
      if options.asksScheduler { launch.shortcomings.scheduling = launch.shortcoming }
      if options.stopsForStacks { launch.shortcomings.stacks = launch.shortcoming }
      if watchesRuntime { launch.shortcomings.runtime = launch.shortcoming }
      return
    }
    let session = PerfSession.open(
      rings, processID: processID, samplePeriod: options.samplePeriod, stackBytes: options.stackBytes)
    switch session {
    case .success(let session):
      perf = session
      launch.means = .perf
      if options.asksScheduler { launch.shortcomings.scheduling = askScheduler(session) }
      if watchesRuntime {
        session.watchProbes(of: getpid())
        runtime.measureCost()
        watchProbes()
      }
    case .failure(let refusal):
      launch.shortcoming = "perf events are not available: \(PerfRefusal.explain(refusal.errno))"
      if options.asksScheduler { launch.shortcomings.scheduling = "perf events are not available" }
    }
    if !ProcessFiles.shortcoming.isEmpty { launch.addShortcoming(ProcessFiles.shortcoming) }
    let error = lo_trace_seize(processID)
    isAttached = error == 0
    if isAttached {
      if launch.means == .none { launch.means = .ptrace }
    } else {
      launch.addShortcoming("cannot stop the program at its start: \(TraceRefusal.explain(error))")
      if options.stopsForStacks, perf == nil { launch.shortcomings.stacks = launch.shortcoming }
    }
  }

  /// Returns why the scheduler's events are not available; empty if they are.
  private func askScheduler(_ session: PerfSession) -> String {
    switch rings.tracepoints() {
    case .failure(let refusal): return refusal.reason
    case .success(let tracepoints):
      let error = session.watchScheduling(tracepoints)
      return error == 0 ? "" : PerfRefusal.explainTracepoints(error)
    }
  }

  /// Called after execve. `execTime` is the launcher's time stamp before it.
  func programBegins(execTime: Int64) {
    if isAttached {
      guard lo_trace_wait_for_exec(launch.processID) else {
        isAttached = false
        return
      }
      stamp = LaunchStamp(processID: launch.processID, time: execTime)
      stopped(at: Int64(lo_now()))
    } else if let perf {
      addImage(Int64(lo_now()), isStopped: false)
      perf.watchExec()
    }
    if isPlain { return }
    let now = Int64(lo_now())
    probe = WaitProbe(processID: launch.processID, start: now, readsTimes: perf == nil)
    if probe?.knowsTimes == true {
      threads = OtherThreads(processID: launch.processID, start: now)
      delay = OwnDelay()
    }
    startStacks()
  }

  /// Called when the process has stopped at execve. Prepares the observation of its new program, and lets it run. The
  /// process stays attached if another program is expected, which then stops again before its first instruction.
  func stopped(at stopped: Int64) {
    breakpoints = nil
    _ = lo_trace_tell(launch.processID, false, readsNames)
    takeCalls()
    stacks?.begin(at: stopped)
    addImage(stopped, isStopped: true)
    noteLostRights()
    let mustStay = breakpoints != nil || staysAttached(launch.images.last?.path)
    if !mustStay { perf?.watchExec() }
    stamp?.move(since: perf?.lastDeparture(of: launch.processID) ?? stopped)
    launch.stops.append(.init(start: stopped, end: Int64(lo_now())))
    _ = mustStay ? lo_trace_continue(launch.processID, 0) : lo_trace_detach(launch.processID, 0)
    isAttached = mustStay
  }

  /// A wrapper was traced until it executed its program. Then the kernel withholds what that program's file would give it,
  /// unless root traces.
  private func noteLostRights() {
    // The kernel hides what its user may execute but not read.
    if geteuid() != 0, launch.images.last?.path == "", ProcessFiles.shortcoming.isEmpty {
      return launch.addShortcoming("a program that a wrapper executed is not readable, so most of it was not observed")
    }
    guard geteuid() != 0, let reason = Privileges.gained(by: ProcessFiles.folder(launch.processID) + "/exe") else {
      return
    }
    let name = fileName(launch.images.last?.path ?? "")
    launch.shortcomings.rights =
      "\(name) \(reason), was traced, and lost its rights; use --no-observation, or name the program itself"
    launch.addShortcoming(launch.shortcomings.rights)
  }

  /// Handles a new program in the process, stopped or running: finds its points and sets breakpoints there.
  private func addImage(_ time: Int64, isStopped: Bool) {
    let processID = launch.processID
    openingDelay = Self.leastOpeningDelay
    let path = linkTarget(ProcessFiles.folder(processID) + "/exe") ?? ""
    var image = ObservedLaunch.Image(
      time: time, path: path,
      executedName: launch.images.isEmpty ? nil : ExecutedName.of(processID, path: path),
      root: ProgramRoot(of: processID),
      file: ExecutedFile.of(processID, known: launch.images.compactMap(\.file)), wasStopped: isStopped)
    if isStopped, launch.images.isEmpty { image.readBytes = ProcessFiles.readBytes(of: processID) }
    auxiliaryVector = ProcessFiles.auxiliaryVector(of: processID)
    image.addresses = LoadAddresses(processID: processID, images: images)
    if let addresses = image.addresses {
      if addresses.entry == nil {
        awaitProgram(of: addresses, in: image.path, isStopped: isStopped)
      } else {
        setBreakpoints(in: &image, addresses, isStopped: isStopped)
      }
    }
    launch.images.append(image)
    // Without a descriptor, neither the addresses in /proc can be read, nor breakpoints set.
    if image.means == .none, let refusal = Self.refusalOfFile() {
      launch.addShortcoming("the phases before main are not known: \(ResourceLimit.explain(refusal))")
    }
  }

  /// Watches the points of a program, by the best means.
  func setBreakpoints(in image: inout ObservedLaunch.Image, _ addresses: LoadAddresses, isStopped: Bool) {
    let processID = launch.processID
    watchRuntime(of: image.path, addresses, isStopped: isStopped)
    let untold = addresses.untold(isStopped: isStopped)
    if let perf, perf.setBreakpoints(untold) {
      image.means = .perf
      breakpoints = calls.flatMap { calls in
        SoftwareBreakpoints(processID: processID, addresses: calls.points, staysAttached: true, onPass: calls.reached)
      }
    } else if isAttached,
      let software = SoftwareBreakpoints(
        processID: processID, addresses: addresses, staysAttached: staysAttached(image.path),
        onPass: calls?.reached,
        tellForks: calls == nil ? { [readsNames] in _ = lo_trace_tell(processID, $0, readsNames) } : nil)
    {
      breakpoints = software
      image.means = .ptrace
    }
  }

  /// The errno that forbids the launcher to open any file; nil if it may.
  private static func refusalOfFile() -> Int32? {
    let file = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { return errno }
    close(file)
    return nil
  }

  // MARK: While the program runs

  /// Descriptors to poll for input, besides the launcher's own.
  var descriptors: [Int32] { perf?.descriptors ?? [] }

  /// The latest time to call `wake`, CLOCK_MONOTONIC ns.
  var deadline: Int64? { [probe?.nextTime, stacks?.nextTime].compactMap(\.self).min() }

  /// Handles what has happened to the program. `events` are the poll(2) events of each of `descriptors`.
  func wake(events: [Int16]) {
    if let perf, let last = events.last {
      if events.contains(where: { $0 & Int16(POLLIN) != 0 }) { perf.drain() }
      if perf.watchesExec, last != 0 {
        // Also at the descriptor's end: poll would return at once, and the kernel takes a while to free the memory.
        perf.watchExec()
        if perf.watchesExec, !isAttached { takeNextImage() }
      }
    }
    let now = Int64(lo_now())
    if let time = probe?.nextTime, now >= time {
      probe?.look(at: now, hasWaited: perf?.hasWaited() ?? true)
      threads?.look()
      perf?.drain()
      if !isAttached { lookForNextImage() }
      watchOpening(at: now)
    }
    lookForStacks(at: now)
  }

  /// Called before each look for stops and for the end. If the process has ended, and its status is not yet collected: how long it
  /// has run is exact now.
  func lookAtEnd() {
    delay?.look()
    guard probe != nil else { return }
    var info = siginfo_t()
    let isAsked = waitid(P_PID, id_t(launch.processID), &info, WEXITED | WNOHANG | WNOWAIT) == 0
    // Stops of an attached process are reported, too.
    if isAsked, info.si_signo == SIGCHLD, info.si_code != CLD_TRAPPED { probe?.lookAtEnd() }
  }

  /// The process may have executed another program, whose points have other addresses. It keeps running meanwhile. It
  /// could notice a stop now, because some system calls end early, and a stop before the loader is not possible.
  ///
  /// - Returns: false while the process executes a program.
  @discardableResult
  private func takeNextImage() -> Bool {
    guard let hasOtherProgram else { return false }
    if hasOtherProgram { addImage(Int64(lo_now()), isStopped: false) }
    return true
  }

  /// nil while the process executes a program.
  private var hasOtherProgram: Bool? {
    let vector = ProcessFiles.auxiliaryVector(of: launch.processID)
    return vector.isEmpty ? nil : vector != auxiliaryVector
  }

  /// The clock that tells of execve(2) belongs to the first thread, and another thread may have executed the program. Without
  /// perf events, nothing tells.
  private func lookForNextImage() {
    if let perf {
      // A program that starts has a name and mappings, which perf records.
      let count = perf.log.byteCount
      if count > lookedThrough, takeNextImage() { lookedThrough = count }
      return
    }
    guard !hasMissedProgram, let first = launch.images.last?.path, hasOtherProgram == true else { return }
    hasMissedProgram = true
    let next = linkTarget(ProcessFiles.folder(launch.processID) + "/exe").map { " (\(fileName($0)))" } ?? ""
    launch.addShortcoming(
      "\(fileName(first)) executed another program\(next), so the phases before main are those of \(fileName(first))")
  }

  /// Sets breakpoints where `dlopen` begins and returns, once the C library is mapped.
  ///
  /// This costs a running program some 0.1 ms, so the program has run a hundred times as long by then.
  private func watchOpening(at now: Int64) {
    guard let perf, let last = launch.images.indices.last, launch.images[last].means == .perf,
      launch.images[last].opening == nil, now - launch.images[last].time >= openingDelay,
      perf.log.byteCount < OpeningAddresses.mostBytes
    else { return }
    openingDelay *= 2
    var events = PerfEvents(perf.recorded())
    _ = launch.translatePaths(in: &events)
    let mappings = events.mappings.filter { $0.place.processID == launch.processID }
    guard let opening = OpeningAddresses(mappings, images: images) else { return }
    opening.set(by: perf)
    launch.images[last].opening = opening
  }

  /// The program has ended.
  func finish() -> ObservedLaunch {
    if let perf { launch.log = perf.finish() }
    probe?.end()
    launch.waits = probe?.findings ?? []
    launch.looks = probe?.looks ?? []
    launch.queueLooks = probe?.queueLooks ?? []
    launch.firstEnd = probe?.firstEnd
    if let refusal = probe?.refusal, let start = launch.images.last?.time {
      launch.addShortcoming(
        "\((refusal - start) / 1_000_000) ms after its start, the program forbade looks at it (PR_SET_DUMPABLE), so its later "
          + "waits are not known: record as root")
    }
    launch.threads = threads?.end() ?? []
    takeStacks()
    takeCalls()
    if watchesRuntime, launch.watchedRuntime == nil {
      if perf != nil { launch.watchedRuntime = runtime.watched }
      if launch.shortcomings.runtime.isEmpty { launch.shortcomings.runtime = runtime.shortcoming }
    }
    if let watched = launch.watchedRuntime, watched.copies > 0 { noteMissing(watched) }
    (perf, probe, threads) = (nil, nil, nil)
    return launch
  }
}
