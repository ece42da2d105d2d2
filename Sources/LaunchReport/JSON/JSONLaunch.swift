// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// One launch as a JSON object.
struct JSONLaunch {
  private let launch: LaunchSet.Launch
  private let timeline: LaunchTimeline
  private let options: ReportOptions

  init(_ launch: LaunchSet.Launch, options: ReportOptions) {
    self.launch = launch
    timeline = launch.timeline
    self.options = options
  }

  func write(to json: inout JSONWriter) {
    writeHead(to: &json)
    if options.findingsOnly { return writeFindings(to: &json) }
    writeBody(to: &json)
    json.array("flame") { write(options.merge ? timeline.mergedFlame : timeline.flame, to: &$0) }
    if !options.merge, let samples = timeline.sampleFlame {
      json.value("samplesUnit", samples.unit)
      json.array("samples") { write(samples, to: &$0) }
    }
    json.value("spansAfterLaunch", timeline.largeFlame.slicesAfter)
    if timeline.trace.statistics.unsound > 0 { json.value("unsoundEvents", timeline.trace.statistics.unsound) }
  }

  /// Everything except the flame trees.
  func writeFacts(to json: inout JSONWriter) {
    writeHead(to: &json)
    writeBody(to: &json)
  }

  private func writeBody(to json: inout JSONWriter) {
    writeSurroundings(to: &json)
    json.objects("milestones", timeline.milestones) { json, milestone in
      json.value("id", milestone.id)
      json.value("time", milestone.time - timeline.start)
      json.value("source", milestone.source.rawValue)
      json.optional("budget", milestone.budget)
      if !milestone.detail.isEmpty { json.value("detail", milestone.detail) }
    }
    json.objects("phases", timeline.phases) { write($1, isParallel: false, to: &$0) }
    json.objects("parallelPhases", timeline.parallelPhases) { write($1, isParallel: true, to: &$0) }
    if timeline.states.isKnown { JSONStates(timeline: timeline).write(to: &json) }
    json.write(timeline.libraries, start: timeline.start)
    json.write(timeline.lazyGlobals, start: timeline.start)
    json.write(timeline.lookups, start: timeline.start)
    json.write(timeline.observation?.calls ?? [])
    writeFindings(to: &json)
    json.write(Savings([timeline]))
    JSONWork(timeline: timeline).write(to: &json)
  }

  private func writeHead(to json: inout JSONWriter) {
    json.value("number", launch.number)
    if !launch.name.isEmpty { json.value("file", launch.name) }
    json.optional("leftOut", launch.leftOut?.rawValue)
    json.value("program", timeline.program)
    json.texts("commandLine", timeline.commandLine)
    json.value("processID", Int64(timeline.processID))
    json.object("start") { json in
      json.value("clock", timeline.start)
      json.value("source", timeline.startSource.rawValue)
      json.value("error", timeline.startError)
    }
    json.value("end", timeline.endMilestone)
    json.value("total", timeline.total)
    json.optional("budget", timeline.budget)
    json.value("complete", timeline.isComplete)
    json.object("readyRule", timeline.readyRule) { json, rule in
      json.value("name", rule.name)
      json.value("default", rule.isDefault)
    }
    json.object("outcome") { json in
      json.value("kind", timeline.outcome.name)
      switch timeline.outcome {
      case .exited(let status): json.value("status", Int64(status))
      case .signalled(let signal): json.value("signal", Int64(signal))
      case .failedToStart(let reason): json.value("reason", reason)
      case .unknown, .timedOut, .ended: break
      }
    }
  }

  private func writeSurroundings(to json: inout JSONWriter) {
    json.object("labels") { json in
      let labels = timeline.labels
      json.optional("reason", labels.reason)
      json.optional("context", labels.context)
      json.optional("kind", labels.kind)
      json.optional("version", labels.version)
      json.optional("build", labels.build)
      json.object("other") { json in
        for (key, value) in labels.other.sorted(by: { $0.key < $1.key }) { json.value(key, value) }
      }
    }
    json.object("run", timeline.run) { json, run in
      json.value("number", run.number)
      json.value("count", run.count)
      json.value("warmUp", run.isWarmUp)
    }
    json.object("process", timeline.process) { json, process in
      json.value("userCPU", process.userCPU)
      json.value("systemCPU", process.systemCPU)
      json.optional("maxResidentBytes", process.maxResidentBytes)
      json.value("minorFaults", process.minorFaults)
      json.value("majorFaults", process.majorFaults)
      json.value("voluntarySwitches", process.voluntarySwitches)
      json.value("involuntarySwitches", process.involuntarySwitches)
      json.value("readBytes", process.readBytes)
    }
    json.object("eviction", timeline.eviction) { write($1, to: &$0) }
    json.object("machine", timeline.machine) { json, machine in
      json.value("host", machine.host)
      json.value("kernel", machine.kernel)
      json.value("cpuModel", machine.cpuModel)
      json.value("cpus", machine.cpus)
    }
    json.object("observation", timeline.observation) { json, observation in
      json.value("means", observation.means)
      if !observation.shortcoming.isEmpty { json.value("shortcoming", observation.shortcoming) }
      json.optional("waitStates", observation.waitStates)
      json.value("stopped", observation.stopped)
      json.value("heldUp", observation.heldUp)
      json.value("lostRecords", observation.lostRecords)
      json.value("lostSamples", observation.lostSamples)
      json.value("sampleRate", observation.sampleRate)
      json.optional("until", observation.until.map { $0 - timeline.start })
      if observation.untimedLibraries > 0 { json.value("untimedLibraries", observation.untimedLibraries) }
      if observation.lostAgentRecords > 0 { json.value("lostAgentRecords", observation.lostAgentRecords) }
    }
    json.object("recorder", timeline.recorder) { json, recorder in
      json.value("version", recorder.libraryVersion)
      json.value("events", recorder.events)
      json.value("eventCost", recorder.eventCost)
      json.value("startupCost", recorder.startupCost)
      json.value("cost", recorder.total)
      json.value("dropped", recorder.dropped)
      json.value("untimedInitializers", recorder.untimedInitializers)
    }
  }

  private func write(_ eviction: Eviction, to json: inout JSONWriter) {
    json.value("files", eviction.files)
    json.value("bytes", eviction.bytes)
    json.value("unknown", eviction.unknown)
    json.objects("kept", eviction.kept) { json, file in
      json.value("path", file.path)
      json.value("bytes", file.bytes)
      json.value("residentBytes", file.residentBytes)
      json.value("reason", file.reason)
    }
  }

  private func write(_ phase: Phase, isParallel: Bool, to json: inout JSONWriter) {
    json.value("id", phase.id)
    json.value("start", phase.start - timeline.start)
    json.value("duration", phase.duration)
    json.value("source", phase.source.rawValue)
    json.optional("budget", phase.budget)
    if phase.budget != nil { json.value("overBudget", phase.overBudget) }
    if phase.isUnfinished { json.value("unfinished", true) }
    if let costs = phase.costs {
      json.value("cpu", costs.cpu)
      json.value("minorFaults", costs.minorFaults)
      json.value("majorFaults", costs.majorFaults)
      json.value("voluntarySwitches", costs.voluntarySwitches)
      json.value("involuntarySwitches", costs.involuntarySwitches)
      json.value("readBytes", costs.readBytes)
    }
    if !isParallel, timeline.states.isKnown {
      JSONStates.write(timeline.states.totals(from: phase.start, to: phase.end), to: &json)
    }
    guard !phase.children.isEmpty else { return }
    json.objects("children", phase.children) { write($1, isParallel: isParallel, to: &$0) }
  }

  private func writeFindings(to json: inout JSONWriter) {
    json.objects("findings", launch.findings) { write($1, to: &$0) }
  }

  private func write(_ finding: Finding, to json: inout JSONWriter) {
    json.value("id", finding.id)
    json.value("unit", finding.unit.rawValue)
    json.value("expected", finding.expected)
    json.value("actual", finding.actual)
    json.value("subject", finding.subject)
    json.texts("path", finding.path)
    json.value("start", finding.start - timeline.start)
    json.optional("phase", finding.phase)
    json.value("occurrences", finding.occurrences)
    json.value("advice", finding.advice)
    if let error = finding.error {
      json.value("inferred", true)
      json.value("error", error)
    }
    json.optional("file", finding.file)
    json.optional("line", finding.line.map(Int64.init))
    guard !finding.evidence.isEmpty else { return }
    json.objects("evidence", finding.evidence) { json, evidence in
      json.value("kind", evidence.kind.rawValue)
      json.value("text", evidence.text)
      json.optional("time", evidence.time)
    }
  }

  /// A flat list, because a trace may nest deeper than JSON readers allow.
  private func write(_ flame: FlameTree, to json: inout JSONWriter) {
    for node in 0..<flame.count {
      let flags = flame.flags[node]
      if options.mainThreadOnly, !flags.contains(.mainThread) { continue }
      json.object { json in
        json.value("id", node)
        if flame.parent[node] >= 0 { json.value("parent", Int64(flame.parent[node])) }
        json.value("name", flame.name(of: node))
        json.value("start", flame.start[node] - timeline.start)
        json.value("total", flame.total[node])
        json.value("self", flame.selfTime(of: node))
        json.value("calls", Int64(flame.calls[node]))
        if flags.contains(.mainThread) { json.value("mainThread", true) }
        if flags.contains(.unfinished) { json.value("unfinished", true) }
        if flags.contains(.derivedPhase) { json.value("derived", true) }
        if flags.contains(.inferred) { json.value("inferred", true) }
        guard let over = flame.overBudget[node] else { return }
        json.object("overBudget") { json in
          json.value("occurrences", over.occurrences)
          json.value("excess", over.excess)
          json.value("budget", over.budget)
        }
      }
    }
  }
}
