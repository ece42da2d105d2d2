internal import CLaunchObserver
import Glibc

/// Launches programs and waits for them, so that terminal, signals and exit status behave as if each had been started
/// directly: the program runs in the launcher's own process group, on its terminal, with its descriptors.
///
/// Use it from the main thread: the program gets the caller's signal mask. Only one can exist in a process at a time.
public struct ProgramLauncher: ~Copyable {
  private let signals: SignalWatch
  private let environment = LaunchEnvironment()

  /// Starts watching signals.
  ///
  /// - Throws: `LaunchError` with `cannotLaunch`.
  public init() throws(LaunchError) {
    signals = try SignalWatch()
  }

  /// The signal by which somebody asked the launcher to stop since the last launch.
  func pendingInterruption() -> Int32? { signals.arrivals().last(where: \.isInterruption)?.signal }

  /// Launches a program and returns when it has ended.
  ///
  /// - Throws: `LaunchError` when it cannot be executed: `notFound`, `notExecutable`, `cannotLaunch`.
  public func launch(_ request: LaunchRequest) throws(LaunchError) -> LaunchResult {
    let search = ProgramSearch(request.program, path: environment["PATH"])
    let terminal = ControllingTerminal()
    if let reason = request.refusal {
      throw LaunchError(.cannotLaunch, path: request.program, message: reason)
    }
    // Orphans come to us only when a time-out may have to end them: otherwise a program that becomes a daemon finds
    // init as its parent, as it does without us.
    let descendants = request.timeout == nil ? nil : Descendants()
    if descendants != nil { _ = lo_set_subreaper(true) }
    defer { if descendants != nil { _ = lo_set_subreaper(false) } }

    let floor = ownPeakResidentBytes()
    let launched = try spawn(request, search)
    var supervision = Supervision(launched: launched, request: request, descendants: descendants)
    var (ending, status) = try supervision.waitForEnd(signals: signals, hasTerminal: terminal != nil)
    if launched.pidfd >= 0 { close(launched.pidfd) }
    if case .exited = ending {} else { terminal?.restore() }
    if status.max_rss_bytes <= floor { status.max_rss_bytes = 0 }
    return LaunchResult(
      processID: launched.pid, path: search.candidates[Int(launched.candidate)], execTime: Int64(launched.exec_ns),
      exitTime: Int64(status.exit_ns), ending: ending, usage: ResourceUsage(status),
      interruption: supervision.interruption)
  }

  private func spawn(_ request: LaunchRequest, _ search: ProgramSearch) throws(LaunchError) -> lo_launched {
    let stampName = Array("\(LaunchVariable.start)=".utf8)
    let stamp = stampName + [UInt8](repeating: UInt8(ascii: " "), count: Int(LO_STAMP_SIZE))
    let candidates = CStringList(search.candidates.map { Array($0.utf8) })
    let arguments = CStringList([Array(request.program.utf8)] + request.arguments)
    let strings = CStringList([stamp] + environment.entries(with: request.environment))
    var launched = lo_launched()
    var native = lo_request(
      candidates: candidates.pointer, arguments: arguments.pointer, environment: strings.pointer,
      stamp: strings.pointer[0].map { $0 + stampName.count })
    lo_launch(&native, &launched)
    // The lists must outlive the call; nothing else tells the compiler so.
    withExtendedLifetime((candidates, arguments, strings)) {}
    guard launched.error == 0 else {
      if launched.candidate >= 0 { throw search.explain(launched.error, at: Int(launched.candidate)) }
      throw LaunchError(
        .cannotLaunch, path: request.program,
        message: "no process could be made for it: \(describe(launched.error))", errno: launched.error)
    }
    return launched
  }
}

extension LaunchRequest {
  /// Why no system call could even be tried.
  fileprivate var refusal: String? {
    ([Array(program.utf8)] + arguments).contains { $0.contains(0) }
      ? "a zero byte cannot stand in a name or argument" : nil
  }
}

extension ResourceUsage {
  fileprivate init(_ status: lo_status) {
    userTime = status.user_ns
    systemTime = status.system_ns
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
