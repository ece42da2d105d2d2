// SPDX-License-Identifier: Apache-2.0

package import LaunchTrace

/// A launch put together by hand, as the recorder and the launcher write it. Times are nanoseconds after its start.
package struct SampleLaunch {
  package typealias Annotations = [(key: String, value: AnnotationValue)]

  private struct Span {
    var track: TrackID
    var start: Int64
    /// nil for one that never ends.
    var end: Int64?
    var name: String
    var category: String
    var annotations: Annotations
    var threads: (begin: TrackID, end: TrackID?)?
  }

  private struct Instant {
    var track: TrackID
    var time: Int64
    var name: String
    var category: String
    var annotations: Annotations
  }

  /// Where the launch starts on the trace's clock.
  package let origin: Int64 = 1_000_000_000
  package let processID: Int32
  package let process: TrackID
  package let main: TrackID
  package var builder = TraceBuilder(format: .perfetto)
  private var spans: [Span] = []
  private var instants: [Instant] = []
  private var switches: [Switch] = []
  private var wakeups: [(time: Int64, track: TrackID, waker: TrackID?)] = []

  package init(processID: Int32 = 4711, program: String = "notes-server") {
    self.processID = processID
    process = builder.process(processID, name: program)
    builder.describe(processID: processID, commandLine: ["/usr/bin/" + program, "--port", "8080"])
    main = builder.thread(processID, ofProcess: processID, name: program)
  }

  /// A launch that the launcher watched, and nothing else yet.
  package init(exit: Int64, isInstrumented: Bool = true) {
    self.init()
    launcher(exit: exit, isInstrumented: isInstrumented)
  }

  /// A launch that the program recorded, and nothing else yet.
  package init(preinit: Int64) {
    self.init()
    recorder(preinit: preinit)
  }

  package mutating func thread(_ id: Int32, name: String) -> TrackID {
    builder.thread(id, ofProcess: processID, name: name)
  }

  package mutating func lane(_ name: String = "async") -> TrackID {
    builder.addTrack(
      Track(kind: .async, name: builder.string(name), processID: processID, parent: process))
  }

  // MARK: What is recorded

  /// Adds an interval; `to` nil leaves it open.
  package mutating func interval(
    _ name: String, from start: Int64, to end: Int64?, on track: TrackID? = nil, category: String = "app/startup",
    _ annotations: Annotations = []
  ) {
    spans.append(
      Span(
        track: track ?? main, start: start, end: end, name: name, category: category, annotations: annotations,
        threads: nil))
  }

  package mutating func phase(
    _ id: String, from start: Int64, to end: Int64?, on track: TrackID? = nil, cpu: Int64? = nil,
    _ annotations: Annotations = []
  ) {
    var annotations = annotations
    if let cpu {
      annotations += [
        ("cpu_ns", .uint(UInt64(cpu))), ("minor_faults", .uint(420)), ("major_faults", .uint(3)),
        ("voluntary_switches", .uint(12)), ("involuntary_switches", .uint(1)), ("read_bytes", .uint(65_536)),
      ]
    }
    interval(id, from: start, to: end, on: track, category: "launchprof.phase", annotations)
  }

  package mutating func initializer(_ name: String, image: String, from start: Int64, to end: Int64?) {
    interval(
      name, from: start, to: end, category: "launchprof.initializer",
      [("image", .string(image)), ("address", .pointer(0x5555_0000_1000)), ("offset", .uint(0x1000))])
  }

  package mutating func async(
    _ name: String, from start: Int64, to end: Int64?, lane: TrackID, began: TrackID, ended: TrackID?,
    category: String = "app/startup", _ annotations: Annotations = []
  ) {
    spans.append(
      Span(
        track: lane, start: start, end: end, name: name, category: category, annotations: annotations,
        threads: (began, ended)))
  }

  package mutating func instant(
    _ name: String, at time: Int64, category: String, on track: TrackID? = nil, _ annotations: Annotations = []
  ) {
    instants.append(
      Instant(track: track ?? main, time: time, name: name, category: category, annotations: annotations))
  }

  package mutating func mark(_ id: String, at time: Int64, on track: TrackID? = nil) {
    instant(id, at: time, category: "launchprof.mark", on: track)
  }

  package mutating func metadata(_ entries: Annotations) {
    instant("metadata", at: 0, category: "launchprof.metadata", entries)
  }

  package mutating func recorder(
    preinit: Int64, startError: Int64 = 6000, source: String = "launcher", dropped: Int = 0, untimed: Int = 0,
    isDebug: Bool = false, startupCost: Double = 92_000
  ) {
    instant(
      "recorder", at: preinit, category: "launchprof.recorder",
      [
        ("format", .uint(1)), ("library_version", .string("0.1.0")), ("process_start_ns", .uint(UInt64(origin))),
        ("process_start_error_ns", .uint(UInt64(startError))), ("process_start_source", .string(source)),
        ("preinit_ns", .uint(UInt64(origin + preinit))), ("clock", .string("tsc")),
        ("startup_cost_ns", .double(startupCost)), ("event_cost_ns", .double(18.5)),
        ("events_dropped", .double(Double(dropped))), ("initializers_untimed", .uint(UInt64(untimed))),
        ("link_mode", .string("dynamic")), ("debug_build", .bool(isDebug)),
      ])
  }

  package mutating func launcher(
    exit: Int64, outcome: String = "exited", status: Int = 0, signal: Int = 0, run: Int = 1, runs: Int = 1,
    isWarmUp: Bool = false, isInstrumented: Bool = true, budgets: String? = nil, maxResidentBytes: UInt64? = 46_243_840,
    _ more: Annotations = []
  ) {
    var annotations: Annotations = [
      ("format", .uint(1)), ("program", .string("/usr/bin/notes-server")),
      ("arguments", .array([.string("--port"), .string("8080")])), ("directory", .string("/srv")),
      ("exec_ns", .uint(UInt64(origin))), ("exit_ns", .uint(UInt64(origin + exit))), ("outcome", .string(outcome)),
      ("exit_status", .uint(UInt64(status))), ("signal", .uint(UInt64(signal))), ("pid", .uint(UInt64(processID))),
      ("run", .uint(UInt64(run))), ("runs", .uint(UInt64(runs))), ("warmup", .bool(isWarmUp)),
      ("user_cpu_ns", .uint(389_100_000)), ("system_cpu_ns", .uint(31_200_000)),
      ("minor_faults", .uint(3412)), ("major_faults", .uint(2)), ("voluntary_switches", .uint(311)),
      ("involuntary_switches", .uint(17)), ("read_bytes", .uint(1_048_576)), ("host", .string("build-7")),
      ("kernel", .string("6.18.0")), ("cpus", .uint(8)), ("cpu_model", .string("EPYC")),
      ("instrumented", .bool(isInstrumented)), ("launchprof_version", .string("0.1.0")),
    ]
    if let budgets { annotations.append(("budgets", .string(budgets))) }
    if let maxResidentBytes { annotations.append(("max_rss_bytes", .uint(maxResidentBytes))) }
    // What is given by name stands in place of the usual.
    annotations = annotations.filter { row in !more.contains { $0.key == row.key } } + more
    instant("launcher", at: exit, category: "launchprof.launcher", on: process, annotations)
  }

  // MARK: What the kernel saw

  /// A thread leaves its processor for a time; it has it before and after.
  package mutating func pause(
    from start: Int64, to end: Int64, _ kind: SwitchKind = .sleeping, on track: TrackID? = nil, cpu: Int = 0
  ) {
    switched(.init(kind, at: start, on: track ?? main, cpu: cpu))
    switched(.init(.switchedIn, at: end, on: track ?? main, cpu: cpu))
  }

  /// A thread has a processor for a time; it has none before and after.
  package mutating func turn(from start: Int64, to end: Int64, on track: TrackID, cpu: Int = 1) {
    switched(.init(.switchedIn, at: start, on: track, cpu: cpu))
    switched(.init(.sleeping, at: end, on: track, cpu: cpu))
  }

  package mutating func switched(_ change: Switch) { switches.append(change) }

  package struct Switch {
    var kind: SwitchKind
    var time: Int64
    var track: TrackID
    var cpu: Int

    package init(_ kind: SwitchKind, at time: Int64, on track: TrackID, cpu: Int = 0) {
      self.kind = kind
      self.time = time
      self.track = track
      self.cpu = cpu
    }
  }

  package mutating func wakeup(at time: Int64, of track: TrackID? = nil, by waker: TrackID?) {
    wakeups.append((time, track ?? main, waker))
  }

  /// What the observer saw a waiting thread in.
  package mutating func look(
    _ systemCall: String, at time: Int64, state: String = "S", path: String? = nil, owner: Int32? = nil,
    awaited: Int32? = nil, isTimed: Bool? = nil, remaining: Int64? = nil, on track: TrackID? = nil
  ) {
    var annotations: Annotations = [("state", .string(state))]
    if let isTimed { annotations.append(("timed", .bool(isTimed))) }
    if let remaining { annotations.append(("remaining_ns", .int(remaining))) }
    if let path { annotations.append(("path", .string(path))) }
    if let owner { annotations.append(("futex_owner_tid", .int(Int64(owner)))) }
    if let awaited { annotations.append(("awaited_tid", .int(Int64(awaited)))) }
    instant(systemCall, at: time, category: "launchprof.wait", on: track, annotations)
  }

  /// Samples of one stack, a period apart, the first one half a period after `start`; frames are outermost first.
  package mutating func samples(
    _ stack: [Frame], from start: Int64, to end: Int64, every period: Int64 = 1_000_000, on track: TrackID? = nil
  ) {
    builder.trace.sampleUnit = "ns"
    let row = row(of: stack)
    for time in stride(from: start + period / 2, to: end, by: Int64.Stride(period)) {
      builder.sample(track: track ?? main, time: origin + time, stack: row, weight: period)
    }
  }

  /// The stack of a thread that leaves its processor to wait; frames are outermost first.
  package mutating func waitStack(_ stack: [Frame], at time: Int64, on track: TrackID? = nil) {
    builder.waitStack(track: track ?? main, time: origin + time, stack: row(of: stack))
  }

  private mutating func row(of stack: [Frame]) -> Int32 {
    stack.reduce(-1) { caller, frame in
      builder.frame(
        caller: caller,
        StackTable.Frame(
          function: builder.string(frame.function), image: builder.string(frame.image), address: frame.address,
          file: builder.string(frame.file), line: UInt32(frame.line)))
    }
  }

  /// A counter with a new value at the start of each period, ns.
  package mutating func counter(_ name: String, unit: String = "count", every period: Int64, _ values: [Double]) {
    let track = builder.addTrack(
      Track(
        kind: .counter, name: builder.string(name), processID: processID, parent: process, unit: builder.string(unit)))
    for (place, value) in values.enumerated() {
      builder.counter(track: track, time: origin + Int64(place) * period, value: value)
    }
  }

  /// A function of a stack; of the program itself unless an image is named.
  package struct Frame: ExpressibleByStringLiteral {
    var function: String
    var image: String
    var address: UInt64
    var file: String
    var line: Int

    package init(
      _ function: String, image: String = "/usr/bin/notes-server", address: UInt64 = 0, file: String = "", line: Int = 0
    ) {
      self.function = function
      self.image = image
      self.address = address
      self.file = file
      self.line = line
    }

    package init(stringLiteral function: String) { self.init(function) }
  }

  package mutating func fault(at time: Int64, path: String) {
    instant("major-fault", at: time, category: "launchprof.fault", [("path", .string(path))])
  }

  // MARK: The trace

  /// The events in the order of time, as a reader meets them.
  package consuming func trace() -> Trace {
    for span in spans.sorted(by: { ($0.start, -($0.end ?? .max)) < ($1.start, -($1.end ?? .max)) }) {
      let row = builder.begin(
        track: span.track, time: origin + span.start,
        duration: span.threads == nil
          ? span.end.map { $0 - span.start } ?? SliceTable.unfinished : SliceTable.unfinished,
        name: builder.string(span.name), category: builder.string(span.category), thread: span.threads?.begin,
        annotation: annotate(span.annotations))
      if row != nil, let threads = span.threads, let end = span.end {
        builder.end(track: span.track, time: origin + end, thread: threads.end)
      }
    }
    for instant in instants.sorted(by: { $0.time < $1.time }) {
      builder.instant(
        track: instant.track, time: origin + instant.time, name: builder.string(instant.name),
        category: builder.string(instant.category), annotation: annotate(instant.annotations))
    }
    for change in switches.sorted(by: { $0.time < $1.time }) {
      builder.switched(track: change.track, time: origin + change.time, kind: change.kind, cpu: change.cpu)
    }
    for wakeup in wakeups.sorted(by: { $0.time < $1.time }) {
      builder.wakeup(track: wakeup.track, time: origin + wakeup.time, by: wakeup.waker)
    }
    return builder.finish()
  }

  /// A row of annotations.
  private mutating func annotate(_ entries: Annotations) -> UInt32 {
    var list = AnnotationTable.List()
    for entry in entries { builder.trace.annotations.append(entry.value, key: builder.string(entry.key), to: &list) }
    return list.head
  }
}
