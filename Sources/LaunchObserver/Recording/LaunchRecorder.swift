// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
internal import CLaunchSchema
import Glibc
internal import LaunchSystem
package import LaunchTrace

/// Records launches: each one runs with the recorder enabled, and results in one trace.
package struct LaunchRecorder: RunExecutor, ~Copyable {
  private let launcher: ProgramLauncher
  private var spool: TraceSpool
  private var request: LaunchRequest
  private var place: TracePlace
  private var context: RecordingContext
  private let version: String
  private var observation: ObservationOptions
  private let environment: LaunchEnvironment
  private let host: HostFacts
  /// In flat form.
  private let budgets: String?
  private var preparation: LaunchPreparation
  private let agent: LoaderAgent?
  /// Those whose program records itself and does not mark the end of its launch. The launcher waits for that once.
  private var sidesWithoutEnd: Set<String>
  private let complete: Completion
  package typealias Completion = (_ trace: Trace, _ path: String, _ files: [String: String]) -> [UInt8]
  /// The scenario of a gate that the launches belong to; nil for none.
  package var scenario: String? {
    get { context.scenario }
    set { context.scenario = newValue }
  }
  /// The traces so far, without warm-ups.
  package private(set) var launches: [RecordedLaunch]

  /// - Parameters:
  ///   - budgets: in flat form, for the program and the trace.
  ///   - conditions: the conditions for each launch, including warm-ups.
  ///   - version: the command's version.
  ///   - observation: how much to observe from outside.
  ///   - context: what the launches belong to.
  ///   - agent: the agent to load into the program; nil for none.
  ///   - complete: gets the whole trace of a launch, the path that it will be written to, and where files of images are that are
  ///     not at their paths; returns what to append to the trace.
  /// - Throws: `LaunchError` if no temporary file can be created, signals cannot be watched, or the name in the URL of `--ready` is not
  ///   known.
  package init(
    _ request: LaunchRequest, to place: TracePlace, budgets: String? = nil,
    conditions: LaunchConditions = LaunchConditions(), version: String,
    observation: ObservationOptions = ObservationOptions(),
    context: RecordingContext = RecordingContext(), agent: LoaderAgent? = nil,
    complete: @escaping Completion = { _, _, _ in [] }
  ) throws(LaunchError) {
    // While a name server does not answer, a signal must end this process. The launcher takes signals over.
    if case .answer(let address) = request.ready { _ = try WebPlace.all(of: address) }
    // The properties are set when nothing can throw any more. Otherwise, Swift 6.2 would destroy some of them twice.
    let environment = LaunchEnvironment()
    let spool = try TraceSpool(environment: environment)
    var request = request
    let counterRate = lo_counter_rate()
    if counterRate > 0 { request.environment[LaunchVariable.clock] = String(counterRate) }
    if let text = Self.budgetsFile(budgets, kind: conditions.kind) {
      request.environment[LaunchVariable.budgets] = try spool.add("budgets", text: text)
    }
    let launcher = try ProgramLauncher()
    if observation.runtime.contains(where: \.isFrequent) { launcher.rings.makeLarge() }
    if !observation.isOff { _ = launcher.rings.open() }
    if observation.asksScheduler { _ = launcher.rings.tracepoints() }
    self.environment = environment
    self.launcher = launcher
    host = HostFacts.current()
    launches = []
    sidesWithoutEnd = []
    self.spool = spool
    self.request = request
    self.place = place
    self.version = version
    self.observation = observation
    self.context = context
    self.budgets = budgets
    preparation = LaunchPreparation(conditions)
    self.agent = agent
    self.complete = complete
  }

  /// The budgets for the recorder in the program; nil for none. Some depend on the launch's kind.
  private static func budgetsFile(_ budgets: String?, kind: String?) -> String? {
    guard let kind else { return budgets }
    return (budgets ?? "\(LS_KEY_FORMAT)\t\(LS_BUDGETS_FORMAT)\n") + "launch\tkind\t\(kind)\n"
  }

  /// Launches once and writes the trace; a warm-up's trace is deleted.
  ///
  /// - Throws: `LaunchError` if the program cannot be launched or its trace cannot be written. In the latter case it
  ///   says where the program's own trace still is.
  package mutating func execute(_ run: PlannedRun) throws(LaunchError) -> LaunchResult {
    var result = run.isWarmup ? try warmUp() : try record(run)
    // If Ctrl-C came while the trace was written, the next program must not start.
    result.interruption = result.interruption ?? launcher.pendingInterruption()
    return result
  }

  /// Asks for the last signal since the last launch that asked the launcher to stop, as long as the recorder lives.
  package var askForSignal: () -> Int32? { launcher.interruption }

  /// From now on, launches another program or writes to another place: in a live comparison, the sides alternate.
  package mutating func turn(
    to program: String, arguments: [[UInt8]], place: TracePlace, side: String?, directory: String? = nil,
    delay: Int64 = 0
  ) {
    request.directory = directory
    request.delay = delay
    request.program = program
    request.arguments = arguments
    self.place = place
    context.side = side
  }

  /// Watches Swift's runtime in all launches from now on. Probes slow down all of them, also those that are not recorded.
  package mutating func watch(_ details: Set<RuntimeDetail>) {
    observation.runtime = details
    if details.contains(where: \.isFrequent) { launcher.rings.makeLarge() }
  }

  private mutating func warmUp() throws(LaunchError) -> LaunchResult {
    var request = request
    request.environment[LaunchVariable.trace] = spool.beginLaunch()
    let eviction = try preparation.prepare(&request)
    let (result, _, _) = try launch(request, observing: nil)
    eviction?.finish()
    preparation.learn(from: eviction, openedBy: [result.processID])
    spool.endLaunch()
    return result
  }

  /// Launches with the trace of the process prepared, in the spool that expects the launch.
  private mutating func launch(
    _ request: LaunchRequest, observing observation: ObservationOptions?
  ) throws(LaunchError) -> (LaunchResult, ObservedLaunch?, [SpooledTrace]) {
    var request = request
    let prepared = spool.prepare(environment)
    request.environment[LaunchVariable.prepared] = prepared?.path
    request.preparedDescriptor = prepared?.descriptor ?? -1
    let side = context.side ?? ""
    if !sidesWithoutEnd.contains(side) { request.ownEnd = spool.ownEnd(beside: prepared) }
    do {
      let (result, observed) = try launcher.launch(request, observing: observation)
      if result.missedOwnEnd { sidesWithoutEnd.insert(side) }
      let own = prepared?.trace(of: result.processID)
      if own == nil { prepared?.remove() }
      return (result, observed, spool.traces() + [own].compactMap { $0 })
    } catch {
      prepared?.remove()
      throw error
    }
  }

  private mutating func record(_ run: PlannedRun) throws(LaunchError) -> LaunchResult {
    var output = try place.open(run: run.number, interruption: launcher.interruption)
    var request = request
    request.environment[LaunchVariable.trace] = spool.beginLaunch()
    let eviction = try preparation.prepare(&request)
    let inside = try agent.map { agent throws(LaunchError) in
      try AgentSession(agent, file: spool.agentFile(), environment: environment)
    }
    inside?.apply(to: &request)
    var (result, observed, traces) = try launch(request, observing: observation.isOff ? nil : observation)
    eviction?.finish()
    let evicted = eviction?.result(of: result.processID)
    let log = inside?.log(of: result, observed, images: launcher.images)
    let chosen = RecordedLaunch.choose(from: traces, processID: result.processID)
    let silence = chosen == nil ? explainSilence(of: observed) : ""
    if !silence.isEmpty { observed?.addShortcoming(silence) }
    do {
      var pieces = try [chosen?.bytes() ?? []]
      pieces += packets(behind: chosen, pieces[0], of: run, &result, observed, evicted, log)
      if let trace = Self.read(pieces) {
        pieces.append(complete(trace, output.path, launcher.images.kept))
        preparation.learn(from: trace)
        preparation.learn(from: eviction, openedBy: Set(trace.processes.map(\.processID) + [result.processID]))
      }
      try output.write(pieces)
    } catch {
      guard let chosen else { throw error }
      var error = error
      error.message += "; what the program recorded is kept as \(spool.keep(chosen))"
      throw error
    }
    let processID = chosen?.processID ?? result.processID
    var shortcomings =
      observed?.shortcomings(of: processID, followsChildren: observation.followsChildren) ?? RecordingShortcomings()
    shortcomings.loader = log?.shortcoming ?? ""
    shortcomings.recorder = silence
    shortcomings.ready = result.ready?.shortcoming ?? ""
    shortcomings.output = result.ready?.loss ?? ""
    shortcomings.cold = evicted?.failure ?? ""
    launches.append(
      RecordedLaunch(
        path: output.path, shortcomings: shortcomings,
        otherProcesses: Set(traces.map(\.processID)).subtracting([chosen?.processID ?? 0]).count))
    spool.endLaunch()
    return result
  }

  /// Why a program with the library recorded nothing; empty if the process executed a program without it last.
  private func explainSilence(of observed: ObservedLaunch?) -> String {
    guard let path = observed?.images.last?.path, launcher.images.image(path)?.isInstrumented == true else { return "" }
    return
      "\(fileName(path)) contains LaunchProfiler, but recorded nothing: a wrapper may have cleared its environment "
      + "(\(LaunchVariable.trace)), or it may not write the trace (another user, ulimit -f, a full disk)"
  }

  private func redacted(_ argument: String) -> String {
    request.environment[LaunchVariable.unredacted] == "1" ? argument : Redaction.argument(argument)
  }

  /// The packets with the launcher's facts and observations, to follow what the program recorded (`own`). Removes from
  /// `result` the time for which the launcher stopped the program.
  private func packets(
    behind trace: SpooledTrace?, _ own: [UInt8], of run: PlannedRun, _ result: inout LaunchResult,
    _ observed: ObservedLaunch?, _ eviction: FileEviction?, _ inside: AgentSession.Result?
  ) -> [[UInt8]] {
    // The loader answers in the meantime. A replaced file says nothing about the launch.
    let image = FileIdentity(result.path) == result.file ? context.describeImage(result.path) : { nil }
    let recorded = trace == nil ? nil : Self.read([own])
    let process = recorded?.processes.first { [id = result.processID] in $0.processID == id }
    var facts = LauncherEvent(
      command: [request.program] + request.arguments.map { redacted(String(decoding: $0, as: UTF8.self)) },
      directory: request.directory ?? currentDirectory(), run: run, result: result, host: host,
      isInstrumented: trace != nil,
      isReadyByItself: recorded.flatMap(RecordedLaunch.ownEnd) != nil, kind: preparation.conditions.kind,
      eviction: eviction, budgets: budgets, functions: recorded.map(NamedFunction.initializers) ?? [], version: version,
      context: context,
      recordedTrack: process?.uuid)
    var outside = observed.map {
      ObservedTrace(
        $0, options: observation, processID: trace?.processID ?? result.processID, recorded: recorded,
        processTrack: facts.track, images: launcher.images)
    }
    outside?.agent = agent?.path
    var packets: [[UInt8]] = []
    if var log = inside?.log {
      if let outside { log.move(outside.closed.moved) }
      var trace = AgentTrace(log, program: inside?.program ?? "", recorded: recorded, processTrack: facts.track)
      packets.append(trace.packets())
      // The first packets contain the clocks, which give the others their times.
      facts.functions += Self.read([facts.packets()] + packets).map(NamedFunction.initializers) ?? []
      facts.agent = log
      outside?.omitsLoadings = true
    }
    if var outside {
      result.execTime += outside.closed.time
      result.exitTime -= outside.closed.endTime
      // A script may be ready, or write, before it executes another program.
      result.ready?.move(outside.closed.moved)
      if let end = outside.lastEnd { result.ready?.limitOutput(to: end) }
      facts.result = result
      packets.append(outside.packets())
      facts.observation = outside.annotations()
      tellAboutDaemon(of: outside, result)
    }
    facts.image = image()
    // The program's own mark ends the launch, whatever was seen of its output.
    if facts.isReadyByItself { result.ready?.shortcoming = "" }
    if let ready = result.ready, !ready.isDefault, ready.rule != .exit, ready.ready == nil, !facts.isReadyByItself {
      let hasEndedWell = result.succeeded || result.ending == .timedOut || result.interruption != nil
      request.unmet?(ReadyGap(rule: ready.rule, evidence: ready.evidence, hasFailed: !hasEndedWell))
    }
    return [facts.packets()] + packets
  }

  /// A daemon becomes ready after its parent has ended, and only some rules wait for it.
  private func tellAboutDaemon(of outside: ObservedTrace, _ result: LaunchResult) {
    guard let tell = request.background, let ready = result.ready, ready.isDefault,
      [.exit, .output].contains(ready.rule), result.ending == .exited(status: 0)
    else { return }
    if outside.leftRunning.isEmpty { return }
    // The program may have ended them a moment ago.
    usleep(Self.lastMoment)
    let processes = outside.leftRunning
    if !processes.isEmpty { tell(.unwatched(processes)) }
  }

  /// µs.
  private static let lastMoment: UInt32 = 50_000

  /// A trace in memory; nil if it cannot be read.
  private static func read(_ pieces: [[UInt8]]) -> Trace? {
    let bytes = pieces.count == 1 ? pieces[0] : Array(pieces.joined())
    return bytes.withUnsafeBytes { try? TraceReader().read(bytes: $0) }
  }
}
