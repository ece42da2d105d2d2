// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
internal import CLaunchSchema
import Glibc
internal import LaunchSystem
internal import LaunchTrace

/// Converts what was observed into packets of the trace: docs/trace-format.md, "From outside".
struct ObservedTrace {
  private(set) var launch: ObservedLaunch
  let events: PerfEvents
  /// Removes the launcher's stops from times that were read in the program.
  let closed: ClosedStops
  let history: ProcessHistory
  let points: LoadPoints
  let images: ImageCache
  let sampleRate: Int
  /// CPU time that each sample stands for, ns.
  private var samplePeriod: Int64?
  /// CPU time that each sample of a thread stands for, if it is known by thread, ns.
  private var threadPeriods: [Int32: Int64] = [:]
  /// The process that the launch is about.
  let processID: Int32
  let kept: Set<Int32>
  /// The difference CLOCK_BOOTTIME − CLOCK_MONOTONIC, ns.
  private let boot: Int64
  private let wakings: ThreadWakings
  let switches: ProcessorSwitches
  var tracks: ObservedTracks
  var writer = PerfettoTraceWriter()
  let calls: WatchedCalls
  let lookups: FirstLookups
  private let places: CodePlaces
  /// Those of `packets()`.
  private(set) var cutStacks = StackCutCounts()
  /// The path of the agent; nil without one.
  var agent: String?
  /// Whether the agent records each dlopen, with more details.
  var omitsLoadings = false

  /// Unique in a trace: recorders count their sequences from 1, and the launcher's is the next one.
  static let sequence: UInt32 = 0x7fff_fffd
  /// That of stacks with which waits began. A sequence has samples of one kind.
  static let waitSequence: UInt32 = 0x7fff_fffb
  /// The first of those with the samples of one thread each, if each thread has a sample period of its own.
  private static let firstThreadSequence: UInt32 = 0x7ffe_0000

  /// - Parameters:
  ///   - processID: the process that the launch is about: the launched process, or the descendant that recorded.
  ///   - recorded: what that process itself recorded.
  ///   - processTrack: the track of the launched process.
  init(
    _ launch: ObservedLaunch, options: ObservationOptions, processID: Int32, recorded: Trace?, processTrack: UInt64,
    images: ImageCache
  ) {
    self.images = images
    self.processID = processID
    sampleRate = options.sampleRate
    samplePeriod = options.samplePeriod
    var launch = launch
    let reported = Self.events(of: &launch, images)
    closed = ClosedStops(launch, reported)
    self.launch = closed.launch
    var events = closed.events
    if launch.means != .perf {
      let estimates = EstimatedThreads(closed.launch)
      samplePeriod = estimates.samplePeriod(of: events.samples) ?? samplePeriod
      threadPeriods = estimates.samplePeriods(of: events.samples)
      estimates.add(to: &events)
    } else if launch.log.scheduler == nil {
      let own = events.switches.filter { $0.place.threadID == launch.processID }
      events.wakings = QueueTimes.wakings(closed.launch.queueLooks, own, of: launch.processID)
    }
    self.events = events
    let untold = launch.means == .perf ? [] : closed.launch.images.map(\.time)
    history = ProcessHistory(events, executions: [launch.processID: untold])
    places = CodePlaces(history, images: images, since: closed.launch.images.first?.time ?? .max)
    points = LoadPoints(closed.launch, launch.means == .perf ? events : nil)
    if let program = points.unwatched.map(fileName) {
      self.launch.addShortcoming("\(program) began before launchprof watched it, so its static-init is part of main")
    }
    kept = options.followsChildren ? history.descendants(of: launch.processID) : [launch.processID, processID]
    calls = WatchedCalls(events.passages) { [kept] in kept.contains($0) }
    lookups = FirstLookups(calls)
    var (monotonic, boottime, realtime): (UInt64, UInt64, UInt64) = (0, 0, 0)
    lo_read_clocks(&monotonic, &boottime, &realtime)
    boot = Int64(boottime) - Int64(monotonic)
    wakings = ThreadWakings(events, history, boot: boot) { [kept] in kept.contains($0) }
    let stops =
      closed.launch.passages.map { (threadID: $0.place.threadID, time: $0.place.time) }
      + (closed.launch.hits.map(\.time) + closed.launch.signals).map { (threadID: launch.processID, time: $0) }
    switches = ProcessorSwitches(
      events, launched: launch.processID, waits: closed.launch.waits, stops: stops, pauses: closed.launch.pauses,
      boot: boot
    ) { [kept] in kept.contains($0) }
    tracks = ObservedTracks(recorded: recorded, launched: launch.processID, launchedTrack: processTrack)
  }

  /// What the kernel and the breakpoint instructions reported. Notes in `launch` which files have been replaced since.
  private static func events(of launch: inout ObservedLaunch, _ images: ImageCache) -> PerfEvents {
    var events = PerfEvents(launch.log)
    events.passages = (events.passages + launch.passages).sorted { $0.place.time < $1.place.time }
    if launch.means != .perf {
      events.mappings = (launch.mappings + launch.code).sorted { $0.place.time < $1.place.time }
      (events.samples, events.waits) = (launch.samples, launch.waitStacks)
    }
    let lost = launch.translatePaths(in: &events)
    var replaced = ReplacedFiles()
    let paths = replaced.mark(&events.mappings)
    // Programs replace files of data as part of their work, for example git its index. These need no names.
    _ = replaced.mark(&events.dataMappings, areData: true)
    let kept = images.keep(launch.images.compactMap(\.file), mappedBy: events.mappings)
    let gone = Set(events.mappings.filter { $0.isLoad && $0.isOfFile }.map(\.path)).filter { path in
      access(path, F_OK) != 0 && errno == ENOENT && !path.hasSuffix(ReplacedFiles.removalMark)
    }
    for (paths, reason) in [
      (lost, "in another mount namespace"), (paths, "replaced during the launch"), (gone, "removed during the launch"),
    ] {
      let paths = paths.subtracting(kept).sorted()
      if !paths.isEmpty { launch.addShortcoming("\(reason), so their code has no names: \(paths.listed(3))") }
    }
    return events
  }

  /// What the program started and still runs, for people: `python3 (4711)`. Only perf events tell.
  var leftRunning: [String] {
    let ended = Set(events.threads.filter(\.isEnd).map(\.place.threadID))
    let left = history.descendants(of: launch.processID).subtracting(ended).filter {
      kill($0, 0) == 0 && Descendants.Process(id: $0)?.isDead != true
    }
    return left.sorted().map { "\(history.names[$0] ?? "process") (\($0))" }
  }

  /// The packets to append.
  mutating func packets() -> [UInt8] {
    let main = tracks.thread(processID, of: processID)
    writer.startSequence(Self.sequence, track: main, samplePeriod: samplePeriod)
    describeTracks()
    writePoints()
    writeLibraries()
    writeCalls()
    writeFaults()
    writeWaits()
    writeSwitches()
    writeStacks()
    return writer.bytes
  }

  mutating func instant(
    _ name: String, _ category: String, _ time: Int64, _ track: UInt64,
    _ annotations: [(key: String, value: AnnotationValue)]
  ) {
    writer.instant(
      sequence: Self.sequence, time: time, track: track, name: name, category: category, annotations: annotations)
  }

  /// Describes the processes and threads that the packets mention and the trace does not have yet.
  private mutating func describeTracks() {
    let threads = history.processes.filter { kept.contains($0.value) }
    for process in kept.union([processID]).sorted() { describe(process, history.names[process] ?? "") }
    let all = threads.merging(kept.map { ($0, $0) }) { first, _ in first }
    for (thread, process) in all.sorted(by: { $0.key < $1.key }) where thread > 0 {
      describe(thread, of: process, history.names[thread] ?? "")
    }
    // Threads of other programs, which ended waits.
    for stranger in wakings.strangers.values.sorted(by: { $0.threadID < $1.threadID }) {
      describe(stranger.processID, stranger.processName)
      describe(stranger.threadID, of: stranger.processID, stranger.name)
    }
  }

  private mutating func describe(_ process: Int32, _ name: String) {
    guard let uuid = tracks.newProcess(process) else { return }
    writer.processTrack(uuid: uuid, processID: process, name: name, sequence: Self.sequence)
  }

  private mutating func describe(_ thread: Int32, of process: Int32, _ name: String) {
    guard let uuid = tracks.newThread(thread, of: process) else { return }
    writer.threadTrack(
      uuid: uuid, parent: tracks.process(process), processID: process, threadID: thread, name: name,
      sequence: Self.sequence)
  }

  private mutating func writeFaults() {
    for fault in events.faults where kept.contains(fault.place.processID) {
      var annotations: [(key: String, value: AnnotationValue)] = [(LS_KEY_ADDRESS, .pointer(fault.address))]
      if let path = history.mapping(of: fault.place, at: fault.address)?.path {
        annotations.append((LS_KEY_PATH, .string(path)))
      }
      instant(
        LS_EVENT_MAJOR_FAULT, LS_CATEGORY_FAULT, fault.place.time,
        tracks.thread(fault.place.threadID, of: fault.place.processID), annotations)
    }
  }

  private mutating func writeWaits() {
    for wait in looks where wait.threadID == launch.processID || history.processes[wait.threadID] != nil {
      var annotations: [(key: String, value: AnnotationValue)] = [(LS_KEY_STATE, .string(wait.state))]
      if !wait.path.isEmpty { annotations.append((LS_KEY_PATH, .string(wait.path))) }
      switch wait.awaited {
      case .owner(let thread)?: annotations.append((LS_KEY_FUTEX_OWNER_TID, .int(Int64(thread))))
      case .end(let thread)?: annotations.append((LS_KEY_AWAITED_TID, .int(Int64(thread))))
      case nil: break
      }
      if let isTimed = wait.isTimed { annotations.append((LS_KEY_TIMED, .bool(isTimed))) }
      if let deadline = wait.deadline { annotations.append((LS_KEY_REMAINING_NS, .int(deadline - wait.time))) }
      if let timeout = wait.timeout { annotations.append((LS_KEY_TIMEOUT_NS, .int(timeout))) }
      let track = tracks.thread(wait.threadID, of: launch.processID)
      instant(wait.systemCall, LS_CATEGORY_WAIT, wait.time, track, annotations)
    }
  }

  /// One look at each wait is enough, unless a later one saw something else.
  private var looks: [WaitProbe.Finding] {
    let times = Dictionary(grouping: events.switches.filter { !$0.isOut }, by: \.place.threadID)
      .mapValues { $0.map(\.place.time) }
    var last: [Int32: WaitProbe.Finding] = [:]
    return launch.waits.filter { wait in
      let before = last.updateValue(wait, forKey: wait.threadID)
      guard let before, before.hasSameReason(as: wait), let times = times[wait.threadID] else { return true }
      let next = times.partitioningIndex { $0 > before.time }
      return next < times.count && times[next] < wait.time
    }
  }

  private mutating func writeSwitches() {
    for (processor, changes) in switches.byProcessor.sorted(by: { $0.key < $1.key }) {
      writer.switches(sequence: Self.sequence, processor: processor, changes, names: history.names)
    }
    for (processor, wakings) in wakings.byProcessor.sorted(by: { $0.key < $1.key }) {
      writer.wakings(sequence: Self.sequence, processor: processor, wakings, names: history.names)
    }
  }

  /// Writes the stacks of threads that ran, and of those that waited. They complete each other.
  private mutating func writeStacks() {
    if !events.waits.isEmpty {
      writer.startSequence(Self.waitSequence, track: tracks.thread(processID, of: processID), samplesSwitches: true)
    }
    let sequences = startThreadSequences()
    let samples = events.samples.map { (sample: $0, sequence: sequences[$0.place.threadID] ?? Self.sequence) }
    let waits = LongWaits(events.switches).stacks(events.waits).map { (sample: $0, sequence: Self.waitSequence) }
    let all = (samples + waits).filter { kept.contains($0.sample.place.processID) }
      .sorted { $0.sample.place.time < $1.sample.place.time }
    for ((sample, sequence), found) in zip(all, StackUnwinder(places).stacks(of: all.map(\.sample))) {
      // Reports tell of samples, not of waits.
      if sequence != Self.waitSequence, let cause = found.cut { cutStacks.add(cause) }
      let place = sample.place
      let frames = stack(place, found.addresses)
      writer.sample(
        sequence: sequence, time: place.time, processID: place.processID, threadID: place.threadID,
        cpu: place.processor, frames: frames)
    }
  }

  /// The sequences of the threads with a sample period of their own: a sequence has one period.
  private mutating func startThreadSequences() -> [Int32: UInt32] {
    var sequences: [Int32: UInt32] = [:]
    for (thread, period) in threadPeriods.sorted(by: { $0.key < $1.key }) where period != samplePeriod {
      let sequence = Self.firstThreadSequence + UInt32(sequences.count)
      writer.startSequence(sequence, track: tracks.thread(thread, of: launch.processID), samplePeriod: period)
      sequences[thread] = sequence
    }
    return sequences
  }

  /// A stack, the outermost frame first. In code without frame pointers, the kernel reads arbitrary words as callers.
  /// So a caller outside of all images ends the stack.
  private func stack(_ place: PerfEvents.Occurrence, _ addresses: [UInt64]) -> [StackFrame] {
    var frames: [StackFrame] = []
    for (depth, address) in addresses.enumerated() where depth == 0 || address != launch.landing {
      // A return address lies after its call, possibly in the next function.
      let frame = frame(place, depth == 0 ? address : address &- 1)
      if frame.image.isEmpty, depth > 0 { break }
      frames.append(frame)
    }
    return frames.reversed()
  }

  func frame(_ place: PerfEvents.Occurrence, _ address: UInt64) -> StackFrame { places.frame(place, address) }
}
