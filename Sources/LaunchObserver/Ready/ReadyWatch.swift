// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem
internal import LaunchTrace
import Synchronization

/// Watches a launch from outside, on its own thread, for signals that the program is ready.
///
/// One watch per launch. Create it before the launch, call `begin` when the program runs, and `end` when it has ended.
final class ReadyWatch: @unchecked Sendable {
  let rule: ReadyRule
  /// Variables for the program.
  private(set) var environment: [String: String] = [:]
  /// The program's standard output and standard error; -1 leaves them as they are.
  private(set) var output: Int32 = -1
  private(set) var error: Int32 = -1
  /// Why the standard output could not be watched; nil if it was, or if it is closed.
  private(set) var outputObstacle: OutputWatch.Obstacle?
  /// Becomes readable when the rule of `--ready` is met, or `lingering` is called.
  let awaited: Int32
  /// Becomes readable at the end of the thread.
  private let finished: Int32
  // After the thread starts, only the thread uses them.
  private var sources: [any ReadySource] = []
  private let control: Int32
  private var thread = pthread_t()
  /// When the program began, CLOCK_MONOTONIC ns; nil until the thread knows it.
  private var launch: Int64?
  /// The thread's own file `schedstat`.
  private var counts: Int32 = -1
  /// `delay` before the thread last waited for something to see.
  private var delayBefore: Int64 = 0
  private var early = EarlyEvents()
  private let lingering: (@Sendable (ReadySignal) -> Void)?
  private let unmet: (@Sendable (ReadyGap) -> Void)?
  private let state = Mutex(State())
  /// The thread has ended, or goes on alone.
  private var isEnded = false

  private struct State {
    var program: lo_launched?
    var isOver = false
    var signals: [ReadySignal] = []
    var evidence: ReadyGap.Evidence?
    var lostOutput: Int32 = 0
    var lingering: (signal: ReadySignal, time: Int64)?
  }

  /// How long a program must run after a window or a listening socket to be reported as one that keeps running, ns.
  static let lingeringTime: Int64 = 2_000_000_000
  /// Between two looks at whether it does, ns.
  private static let lingeringPause: Int64 = 500_000_000
  /// After this time, `unmet` is called, ns.
  private static let quietPatience: Int64 = 10_000_000_000

  /// - Parameters:
  ///   - descendants: those of the launch, with orphans; nil if the launcher does not get orphans.
  ///   - lingering: called, from another thread, if a program without a rule keeps running.
  ///   - unmet: called once, from another thread, if a program runs for long and does not meet its rule.
  /// - Throws: `LaunchError.cannotLaunch` if something that the rule needs is not available.
  init(
    _ rule: ReadyRule, environment: LaunchEnvironment, descendants: Descendants?,
    lingering: (@Sendable (ReadySignal) -> Void)?, unmet: (@Sendable (ReadyGap) -> Void)? = nil
  ) throws(LaunchError) {
    self.rule = rule
    self.unmet = rule == .automatic || rule == .exit ? nil : unmet
    self.lingering = lingering
    control = lo_wake_open()
    awaited = lo_wake_open()
    finished = lo_wake_open()
    let failed = min(control, awaited, finished)
    guard failed >= 0 else { throw Self.cannotWatch(-failed, "eventfd") }
    try open(environment, descendants)
    let failure = startThread(&thread) { self.run() }
    guard failure == 0 else { throw Self.cannotWatch(failure, "pthread_create (clone3)") }
  }

  private static func cannotWatch(_ error: Int32, _ call: String) -> LaunchError {
    LaunchError(
      .cannotLaunch, path: "",
      message: "cannot watch the program: \(call): \(ResourceLimit.explain(error, makesThread: true))", errno: error)
  }

  deinit {
    for descriptor in [control, awaited, finished] where descriptor >= 0 { close(descriptor) }
  }

  private func open(_ variables: LaunchEnvironment, _ descendants: Descendants?) throws(LaunchError) {
    switch rule {
    case .automatic:
      // A remote display may take long to answer.
      let display = variables["DISPLAY"].flatMap { $0.hasPrefix(":") || $0.hasPrefix("unix:") ? $0 : nil }
      try? watchWindows(display: display, variables, descendants)
      sources.append(ListenWatch(nil, isAsked: false, descendants: descendants))
      if let output = OutputWatch(stream: STDOUT_FILENO, obstacle: &outputObstacle) { sources.append(output) }
    case .output:
      var obstacle: OutputWatch.Obstacle?
      let watch = OutputWatch(stream: STDOUT_FILENO, obstacle: &obstacle)
      if let watch { sources.append(watch) } else { try relay(pattern: nil) }
    case .match(let pattern): try relay(pattern: pattern)
    case .notification:
      let watch = try NotifyWatch(environment: variables)
      environment["NOTIFY_SOCKET"] = watch.path
      sources.append(watch)
    case .listening(let address):
      sources.append(ListenWatch(address, isAsked: true, descendants: descendants))
    case .window: try watchWindows(display: variables["DISPLAY"], variables, descendants)
    case .answer(let address): sources.append(try AnswerWatch(address))
    case .exit: break
    }
  }

  /// Watches the displays of both kinds, because the program chooses one of them.
  ///
  /// - Throws: `LaunchError.cannotLaunch` if neither can be watched.
  private func watchWindows(
    display: String?, _ variables: LaunchEnvironment, _ descendants: Descendants?
  ) throws(LaunchError) {
    var failure: LaunchError?
    if let display, !display.isEmpty {
      do throws(LaunchError) {
        sources.append(try WindowWatch(display: display, isAsked: rule == .window, descendants: descendants))
      } catch {
        failure = error
      }
    }
    if let path = WaylandWatch.display(of: variables) {
      do throws(LaunchError) {
        let wayland = try WaylandWatch(display: path, temporary: variables["TMPDIR"])
        environment["WAYLAND_DISPLAY"] = wayland.path
        sources.append(wayland)
      } catch { failure = error }
    }
    guard sources.isEmpty else { return }
    let absence = WaylandWatch.absence(in: variables) ?? "there is no display; set DISPLAY or WAYLAND_DISPLAY"
    throw failure ?? LaunchError(.cannotLaunch, path: "--ready window", message: absence)
  }

  private func relay(pattern: String?) throws(LaunchError) {
    let relay = try OutputRelay(OutputSearch(pattern: pattern))
    (output, error) = (relay.output, relay.error)
    sources.append(relay)
  }

  // MARK: For the launcher

  /// Call it when the program runs. Its pidfd must stay open until `end`.
  func begin(_ program: lo_launched) {
    state.withLock { $0.program = program }
    lo_wake(control)
  }

  /// Call it after the launch, however it ended, even if no program was launched. Returns the signals that were seen,
  /// after all output of the program has been passed on.
  ///
  /// - Parameter isGivenUp: asked ten times a second while the reader of our output takes nothing. After true, the thread
  ///   goes on alone.
  @discardableResult
  func end(isGivenUp: () -> Bool = { false }) -> [ReadySignal] {
    state.withLock { $0.isOver = true }
    if !isEnded {
      lo_wake(control)
      var finish = [pollfd(fd: finished, events: Int16(POLLIN), revents: 0)]
      while lo_poll(&finish, 1, 100_000_000) <= 0, !isGivenUp() {}
      _ = finish[0].revents == 0 ? pthread_detach(thread) : pthread_join(thread, nil)
      isEnded = true
    }
    return state.withLock { $0.signals }
  }

  /// What the sources saw if the rule was not met. Call it after `end`.
  var evidence: ReadyGap.Evidence? { state.withLock { $0.evidence } }

  /// Why some output could not be passed on, errno; 0 if all was. Call it after `end`.
  var lostOutput: Int32 { state.withLock { $0.lostOutput } }

  /// What met the rule of `--ready`.
  var awaitedSignal: ReadySignal? { rule == .automatic ? nil : state.withLock { $0.signals.first } }

  /// When the rule of `--ready` was met, CLOCK_MONOTONIC ns.
  var awaitedTime: Int64? { awaitedSignal?.time }

  /// What a program without a rule showed before it kept running, and when `lingering` was called, CLOCK_MONOTONIC ns.
  var lingers: (signal: ReadySignal, time: Int64)? { state.withLock { $0.lingering } }

  // MARK: The thread

  private func run() {
    counts = openToRead("/proc/thread-self/schedstat")
    defer { close(counts) }
    while true {
      wait()
      let (begun, isOver) = state.withLock { ($0.program, $0.isOver) }
      if launch == nil, let begun {
        launch = Int64(begun.exec_ns)
        for source in sources { source.begin(begun) }
      }
      if isOver { break }
      if launch != nil {
        look { $0.look() }
        early = EarlyEvents()
      }
      tellLingering()
      tellUnmet()
    }
    look { $0.finish() }
    let evidence = sources.lazy.compactMap(\.evidence).first
    let lostOutput = sources.compactMap { ($0 as? OutputRelay)?.refusal }.max() ?? 0
    state.withLock {
      $0.evidence = $0.signals.isEmpty ? evidence : nil
      $0.lostOutput = lostOutput
    }
    sources = []
    lo_wake(finished)
  }

  private func look(_ ask: (any ReadySource) -> ReadySignal?) {
    for (index, source) in sources.enumerated().reversed() {
      // What was to see before the program began was not its output.
      let event = early.first(of: source, since: launch ?? .max)
      let forgotten = source.forgets ? event.map { ReadySignal(kind: .output, time: $0.time) } : nil
      guard var signal = ask(source) ?? forgotten else { continue }
      if signal.isOutput { signal.error = max(0, delay - delayBefore) }
      if signal.kind == .output, let event { (signal.time, signal.error) = (event.time, event.delay) }
      state.withLock { state in
        let known = state.signals.firstIndex { $0.kind == signal.kind }
        guard let known else { return state.signals.append(signal) }
        // The socket that was seen before is closed.
        if signal.kind == .listening { state.signals[known] = signal }
      }
      if rule != .automatic { lo_wake(awaited) }
      if !source.goesOn { sources.remove(at: index) }
    }
  }

  /// Waits until a source has something to see, or until the next look is due.
  private func wait() {
    let watched = sources.filter { launch != nil || $0.forgets || !early.has($0) }
    var polled = [pollfd(fd: control, events: Int16(POLLIN), revents: 0)] + watched.flatMap(\.polled)
    var pauses: [Int64] = []
    if let launch {
      let elapsed = Int64(lo_now()) - launch
      pauses = sources.compactMap { $0.pause(after: elapsed) }
      if lingering != nil { pauses.append(Self.lingeringPause) }
      if unmet != nil, !isUnmetTold, elapsed < Self.quietPatience { pauses.append(Self.quietPatience - elapsed) }
    }
    delayBefore = delay
    _ = lo_poll(&polled, UInt(polled.count), pauses.min() ?? -1)
    if launch == nil { noteEarly(watched, polled.dropFirst()) }
    lo_wake_clear(control)
  }

  /// - Parameter polled: the descriptors of the sources, in turn.
  private func noteEarly(_ watched: [any ReadySource], _ polled: ArraySlice<pollfd>) {
    let event = EarlyEvents.Event(time: Int64(lo_now()), delay: max(0, delay - delayBefore))
    var rest = polled
    for source in watched {
      let own = rest.prefix(source.polled.count)
      rest = rest.dropFirst(own.count)
      guard own.contains(where: { $0.revents != 0 }) else { continue }
      early.add(event, of: source)
      source.forget()
    }
  }

  /// How long the thread has waited for a processor, ns. What it sees after such a wait is so much older.
  private var delay: Int64 { SchedulerCounts(counts)?.runnable ?? 0 }

  /// ns between two looks. The longer a launch takes, the less exact its time must be.
  static func interval(after elapsed: Int64, isAsked: Bool) -> Int64 {
    switch elapsed {
    case ..<1_000_000_000: isAsked ? 1_000_000 : 4_000_000
    case ..<10_000_000_000: isAsked ? 5_000_000 : 20_000_000
    default: isAsked ? 25_000_000 : 100_000_000
    }
  }

  private var isUnmetTold = false
  private func tellUnmet() {
    guard let unmet, let launch, !isUnmetTold, awaitedTime == nil else { return }
    let elapsed = Int64(lo_now()) - launch
    guard elapsed >= Self.quietPatience else { return }
    // What was seen before the message is the program's.
    look { $0.look() }
    guard awaitedTime == nil else { return }
    isUnmetTold = true
    unmet(ReadyGap(rule: rule, evidence: sources.lazy.compactMap(\.evidence).first, running: elapsed))
    forgetMessage()
  }

  private var isLingeringTold: Bool = false
  private func tellLingering() {
    guard let lingering, !isLingeringTold else { return }
    let now = Int64(lo_now())
    let signals = state.withLock { $0.signals }.filter { now - $0.time > Self.lingeringTime }
    let stillListens = sources.contains { ($0 as? ListenWatch)?.hasStayed == true }
    guard let signal = signals.first(where: { $0.kind == .window || $0.kind == .listening && stillListens }) else {
      return
    }
    look { $0.look() }
    isLingeringTold = true
    lingering(signal)
    forgetMessage()
    state.withLock { $0.lingering = (signal, Int64(lo_now())) }
    lo_wake(awaited)
  }

  /// The launcher has written a message, perhaps to the file that the program writes to.
  private func forgetMessage() { for source in sources { source.forget() } }
}
