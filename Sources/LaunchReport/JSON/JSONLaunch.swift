// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// One launch as a JSON object.
struct JSONLaunch {
  let launch: LaunchSet.Launch
  let options: ReportOptions
  private var timeline: LaunchTimeline { launch.timeline }

  func write(to json: inout JSONWriter) {
    writeHead(to: &json)
    if options.findingsOnly {
      writeFindings(to: &json)
      return writeLosses(to: &json)
    }
    writeBody(to: &json)
    JSONEvents(timeline: timeline, mainThreadOnly: options.mainThreadOnly).write(to: &json)
    json.array("flame") { write(options.merge ? timeline.mergedFlame : timeline.flame, to: &$0) }
    if !options.merge, let samples = timeline.sampleFlame {
      json.value("samplesUnit", samples.unit)
      json.array("samples") { write(samples, to: &$0) }
    }
    json.value("spansAfterLaunch", timeline.largeFlame.slicesAfter)
    writeLosses(to: &json)
  }

  /// What the reader left out.
  private func writeLosses(to json: inout JSONWriter) {
    let statistics = timeline.trace.statistics
    if timeline.launchesInTrace > 1 { json.value("launchesInFile", timeline.launchesInTrace) }
    if !statistics.ignored.isEmpty {
      json.objects("ignoredEvents", statistics.ignoredByCount) { json, kind in
        json.values(["count": kind.value, "reason": kind.key])
      }
    }
    if statistics.unsound > 0 { json.value("unsoundEvents", statistics.unsound) }
    if statistics.untracked > 0 { json.value("untrackedEvents", statistics.untracked) }
    if statistics.cutStacks > 0 { json.value("cutStacks", statistics.cutStacks) }
  }

  /// Everything except the flame trees, and except what the page has in columns, or does not show.
  func writeFacts(to json: inout JSONWriter) {
    writeHead(to: &json)
    writeBody(isForPage: true, to: &json)
  }

  private func writeBody(isForPage: Bool = false, to json: inout JSONWriter) {
    writeSurroundings(to: &json)
    json.objects("milestones", timeline.milestones) { json, milestone in
      json.values([
        "id": milestone.id, "time": milestone.time - timeline.start, "source": milestone.source.rawValue,
        "error": milestone.error > 0 ? milestone.error : nil, "budget": milestone.budget,
        "detail": milestone.detail.isEmpty ? nil : milestone.detail,
      ])
    }
    json.objects("phases", timeline.phases) { write($1, isParallel: false, to: &$0) }
    json.objects("parallelPhases", timeline.parallelPhases(mainThreadOnly: options.mainThreadOnly)) {
      write($1, isParallel: true, to: &$0)
    }
    if timeline.states.isKnown {
      let states = JSONStates(timeline: timeline)
      states.writeTotals(to: &json)
      if !isForPage { states.writeWaits(to: &json) }
    }
    json.write(timeline.libraries)
    if !isForPage { json.write(timeline.libraries.openings, start: timeline.start) }
    json.write(timeline.lazyGlobals, start: timeline.start)
    json.write(timeline.lookups, start: timeline.start)
    json.write(timeline.observation?.calls ?? [])
    writeFindings(to: &json)
    json.write(Savings([timeline]))
    JSONWork(timeline: timeline).write(to: &json)
  }

  private func writeHead(to json: inout JSONWriter) {
    json.values([
      "number": launch.number, "file": launch.name.isEmpty ? nil : launch.name, "leftOut": launch.leftOut?.rawValue,
      "unit": timeline.countedUnit, "untimed": timeline.isUntimed ? true : nil, "program": timeline.program,
    ])
    json.texts("commandLine", timeline.commandLine)
    json.value("processID", timeline.processID)
    json.object("start") { json in
      json.values([
        "clock": timeline.start, "source": timeline.startSource.rawValue, "error": timeline.startError,
      ])
    }
    json.values([
      "end": timeline.endMilestone, "total": timeline.total, "budget": timeline.budget,
      "complete": timeline.isComplete,
    ])
    json.object("readyRule", timeline.readyRule) { $0.values(["name": $1.name, "default": $1.isDefault]) }
    json.object("outcome") { json in
      json.value("kind", timeline.outcome.name)
      switch timeline.outcome {
      case .exited(let status), .succeeded(let status): json.value("status", status)
      case .signalled(let signal): json.value("signal", signal)
      case .failedToStart(let reason): json.value("reason", reason)
      case .unknown, .timedOut, .deadlinePassed, .ended: break
      }
    }
  }

  private func writeSurroundings(to json: inout JSONWriter) {
    json.object("labels") { json in
      let labels = timeline.labels
      json.values([
        "reason": labels.reason, "context": labels.context, "kind": labels.kind, "version": labels.version,
        "build": labels.build,
      ])
      json.object("other") { json in
        for (key, value) in labels.other.sorted(by: { $0.key < $1.key }) { json.value(key, value) }
      }
    }
    json.object("run", timeline.run) { json, run in
      json.values(["number": run.number, "count": run.count, "warmUp": run.isWarmUp])
    }
    json.object("process", timeline.process) { json, process in
      json.values([
        "userCPU": process.userCPU, "systemCPU": process.systemCPU, "maxResidentBytes": process.maxResidentBytes,
        "minorFaults": process.minorFaults, "majorFaults": process.majorFaults,
        "voluntarySwitches": process.voluntarySwitches, "involuntarySwitches": process.involuntarySwitches,
        "readBytes": process.readBytes,
      ])
    }
    json.object("eviction", timeline.eviction) { json, eviction in
      json.values([
        "files": eviction.files, "bytes": eviction.bytes, "unknown": eviction.unknown, "missed": eviction.missed,
      ])
      json.objects("kept", eviction.kept) { json, file in
        json.values([
          "path": file.path, "bytes": file.bytes, "residentBytes": file.residentBytes, "reason": file.reason,
        ])
      }
    }
    json.object("machine", timeline.machine) { json, machine in
      json.values([
        "host": machine.host, "kernel": machine.kernel, "cpuModel": machine.cpuModel, "cpus": machine.cpus,
        "usableCpus": machine.usableCPUs < machine.cpus ? machine.usableCPUs : nil,
      ])
    }
    json.object("observation", timeline.observation) { json, observation in
      func counted<Number: BinaryInteger>(_ number: Number) -> Number? { number > 0 ? number : nil }
      json.values([
        "means": observation.means, "shortcoming": observation.shortcoming.isEmpty ? nil : observation.shortcoming,
        "waitStates": observation.waitStates?.rawValue, "stopped": observation.stopped, "heldUp": observation.heldUp,
        "heldUpThreads": counted(observation.heldUpThreads),
        "lostRecords": observation.lostRecords, "lostSamples": observation.lostSamples,
        "sampleRate": observation.sampleRate, "until": observation.until.map { $0 - timeline.start },
        "untimedLibraries": counted(observation.untimedLibraries),
        "lostAgentRecords": counted(observation.lostAgentRecords),
      ])
    }
    json.object("recorder", timeline.recorder) { json, recorder in
      json.values([
        "version": recorder.libraryVersion, "events": recorder.events, "eventCost": recorder.eventCost,
        "startupCost": recorder.startupCost, "cost": recorder.total, "dropped": recorder.dropped,
        "untimedInitializers": recorder.untimedInitializers,
      ])
    }
  }

  private func write(_ phase: Phase, isParallel: Bool, to json: inout JSONWriter) {
    json.values([
      "id": phase.id, "start": phase.start - timeline.start, "duration": phase.duration,
      "source": phase.source.rawValue, "budget": phase.budget,
      "overBudget": phase.budget == nil ? nil : phase.overBudget, "unfinished": phase.isUnfinished ? true : nil,
      "goesOn": phase.goesOn ? true : nil,
    ])
    if let costs = phase.costs {
      json.values([
        "cpu": costs.cpu, "minorFaults": costs.minorFaults, "majorFaults": costs.majorFaults,
        "voluntarySwitches": costs.voluntarySwitches, "involuntarySwitches": costs.involuntarySwitches,
        "readBytes": costs.readBytes,
      ])
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
    let title = ShortName.of(finding.subject)
    json.values([
      "id": finding.id, "unit": finding.unit.rawValue, "expected": finding.expected, "actual": finding.actual,
      "subject": finding.subject, "title": title == finding.subject ? nil : title,
    ])
    json.texts("path", finding.path)
    json.values([
      "start": finding.start - timeline.start, "phase": finding.phase, "occurrences": finding.occurrences,
      "others": finding.others > 0 ? finding.others : nil, "sum": finding.sum?.rawValue,
      "advice": finding.advice, "inferred": finding.error == nil ? nil : true, "error": finding.error,
      "file": finding.file, "line": finding.line,
    ])
    guard !finding.evidence.isEmpty else { return }
    json.objects("evidence", finding.evidence) { json, evidence in
      json.values(["kind": evidence.kind.rawValue, "text": evidence.text, "time": evidence.time])
    }
  }

  /// A flat list, because a trace may nest deeper than JSON readers allow.
  private func write(_ flame: FlameTree, to json: inout JSONWriter) {
    let isOfMainThread = options.mainThreadOnly ? flame.isOfMainThread : []
    for node in 0..<flame.count {
      if options.mainThreadOnly, !isOfMainThread[node] { continue }
      let flags = flame.flags[node]
      json.object { json in
        json.value("id", node)
        if flame.parent[node] >= 0 { json.value("parent", flame.parent[node]) }
        json.value("name", flame.name(of: node))
        json.value("start", flame.start[node] - timeline.start)
        json.value("total", flame.total[node])
        json.value("self", flame.selfTime(of: node))
        json.value("calls", flame.calls[node])
        if flags.contains(.mainThread) { json.value("mainThread", true) }
        if flags.contains(.unfinished) { json.value("unfinished", true) }
        if flags.contains(.derivedPhase) { json.value("derived", true) }
        if flags.contains(.inferred) { json.value("inferred", true) }
        guard let over = flame.overBudget[node] else { return }
        json.object("overBudget") {
          $0.values(["occurrences": over.occurrences, "excess": over.excess, "budget": over.budget])
        }
      }
    }
  }
}
