// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

/// A table with rows for each launch.
struct CSVTable: Sendable {
  /// The columns after the number of the launch.
  let columns: String
  /// Visits the rows one by one: a trace may have thousands of phases.
  let visit: @Sendable (LaunchSet.Launch, _ row: ([String]) -> Void) -> Void

  func write(_ launches: LaunchSet, to output: inout OutputBuffer) {
    output.append("launch," + columns + CSVField.lineEnd)
    for launch in launches.launches {
      visit(launch) { output.append(CSVField.row(["\(launch.number)"] + $0)) }
    }
  }
}

extension CSVTable {
  static let findings = CSVTable(
    columns:
      "id,unit,expected,actual,error,subject,phase,path,start_ns,occurrences,file,line,advice,evidence,others,sum"
  ) { launch, row in
    for finding in launch.findings {
      let evidence = finding.evidence.map { evidence in
        "\(evidence.kind.rawValue): \(evidence.text)" + (evidence.time.map { " \($0)" } ?? "")
      }
      row([
        finding.id, finding.unit.rawValue, "\(finding.expected)", "\(finding.actual)", CSVField.number(finding.error),
        CSVField.text(finding.subject), CSVField.text(finding.phase ?? ""), CSVField.path(finding.path),
        "\(finding.start - launch.timeline.start)", "\(finding.occurrences)", CSVField.text(finding.file ?? ""),
        CSVField.number(finding.line.map(Int64.init)), CSVField.text(finding.advice), CSVField.path(evidence),
        "\(finding.others)", finding.sum?.rawValue ?? "",
      ])
    }
  }

  static let libraries = CSVTable(
    columns:
      "library,path,size_bytes,loads,map_ns,relocation_ns,initialization_ns,initializers,total_ns,flags,held_up_ns"
  ) { launch, row in
    let table = launch.timeline.libraries
    for library in table.libraries {
      row([
        CSVField.text(library.name), CSVField.text(library.path), CSVField.number(library.size), "\(library.loads)",
        CSVField.number(library.map), CSVField.number(library.relocation), CSVField.number(library.initialization),
        CSVField.number(table.hasInitializers ? Int64(library.initializers) : nil), CSVField.number(library.knownTotal),
        library.isOpened ? "dlopen" : "", CSVField.number(library.heldUp),
      ])
    }
  }

  static let globals = CSVTable(
    columns: "global,module,owner,path,thread,main_thread,start_ns,total_ns,self_ns,asker,waiters,waited_ns,flags"
  ) { launch, row in
    for global in launch.timeline.lazyGlobals.globals {
      row([
        CSVField.text(global.name), CSVField.text(global.module ?? ""), global.owner.rawValue,
        CSVField.text(global.image), CSVField.text(global.thread), "\(global.isOnMainThread)",
        "\(global.start - launch.timeline.start)", "\(global.duration)", "\(global.selfTime)",
        CSVField.text(global.asker), "\(global.waiters.count)", "\(global.waiters.reduce(0) { $0 + $1.duration })",
        global.isUnfinished ? "unfinished" : "",
      ])
    }
  }

  /// One row for each first look-up.
  static let lookups = CSVTable(
    columns: "kind,type,protocol,cause,thread,main_thread,start_ns,total_ns,self_ns,repeats,asker"
  ) { launch, row in
    for lookup in launch.timeline.lookups.lookups {
      row([
        lookup.kind.rawValue, CSVField.text(lookup.type), CSVField.text(lookup.protocolName ?? ""),
        lookup.cause.rawValue, CSVField.text(lookup.thread), "\(lookup.isOnMainThread)",
        "\(lookup.start - launch.timeline.start)", "\(lookup.duration)", "\(lookup.selfTime)", "\(lookup.repeats)",
        CSVField.text(lookup.asker),
      ])
    }
  }

  static func phases(mainThreadOnly: Bool) -> CSVTable {
    CSVTable(
      columns: "phase,path,start_ns,duration_ns,cpu_ns,minor_faults,major_faults,voluntary_switches,"
        + "involuntary_switches,read_bytes,budget_ns,over_budget_ns,flags,source,program,version,build,kind,reason,"
        + "context,outcome,total_ns,end,left_out,file,"
        + ThreadState.allCases.map { $0.name.replacing("-", with: "_") + "_ns" }.joined(separator: ",")
    ) { launch, row in
      let (timeline, labels) = (launch.timeline, launch.timeline.labels)
      // A profile without times has counts instead.
      let isTimed = timeline.countedUnit == nil
      // The fields that are the same in every row.
      let common = [
        timeline.program, labels.version ?? "", labels.build ?? "", labels.kind ?? "", labels.reason ?? "",
        labels.context ?? "", timeline.outcome.name, CSVField.number(isTimed ? timeline.total : nil),
        timeline.endMilestone,
        launch.leftOut?.rawValue ?? "", launch.name,
      ].map(CSVField.text)
      func add(_ phases: [Phase], below outer: [String], isParallel: Bool) {
        for phase in phases {
          let path = outer + [phase.id]
          row(CSVTable.row(phase, path, isParallel: isParallel, timeline, common))
          add(phase.children, below: path, isParallel: isParallel)
        }
      }
      add(timeline.phases, below: [], isParallel: false)
      add(timeline.parallelPhases(mainThreadOnly: mainThreadOnly), below: [], isParallel: true)
    }
  }

  private static func row(
    _ phase: Phase, _ path: [String], isParallel: Bool, _ timeline: LaunchTimeline, _ common: [String]
  ) -> [String] {
    let (costs, isTimed) = (phase.costs, timeline.countedUnit == nil)
    let numbers: [Int64?] = [
      isTimed ? phase.start - timeline.start : nil, isTimed ? phase.duration : nil, costs?.cpu, costs?.minorFaults,
      costs?.majorFaults,
      costs?.voluntarySwitches, costs?.involuntarySwitches, costs?.readBytes, phase.budget,
      phase.budget == nil ? nil : phase.overBudget,
    ]
    let flags = [
      (phase.overBudget > 0, "over-budget"), (phase.isUnfinished, "unfinished"), (path.count > 1, "nested"),
      (isParallel, "parallel"), (phase.slice == nil, "derived"), (phase.goesOn, "goes-on"),
    ]
    // The states of the main thread are empty if they are not known.
    let totals = isParallel || !timeline.states.isKnown ? nil : timeline.states.totals(from: phase.start, to: phase.end)
    return [CSVField.text(phase.id), CSVField.path(path)] + numbers.map(CSVField.number)
      + [flags.filter(\.0).map(\.1).joined(separator: " "), phase.source.rawValue] + common
      + ThreadState.allCases.map { state in CSVField.number(totals?[state]) }
  }

  /// One row for each event that the program recorded.
  static func events(mainThreadOnly: Bool) -> CSVTable {
    CSVTable(columns: "name,category,thread,main_thread,start_ns,message") { launch, row in
      let events = ProgramEvents(launch.timeline, mainThreadOnly: mainThreadOnly)
      for place in events.rows {
        let event = events[place]
        row([
          CSVField.text(event.name), CSVField.text(event.category), CSVField.text(event.thread),
          "\(event.isOnMainThread)", "\(event.time)", CSVField.text(event.message ?? ""),
        ])
      }
    }
  }

  /// One row for each value of a counter.
  static let counters = CSVTable(columns: "counter,unit,start_ns,value") { launch, row in
    let (timeline, trace) = (launch.timeline, launch.timeline.trace)
    let table = trace.counters
    var names: [Int32: [String]] = [:]
    for place in 0..<table.count where table.time[place] <= timeline.window.upperBound {
      let track = table.track[place]
      let head =
        names[track]
        ?? [trace.title(ofTrack: track, isMain: false), trace.strings[trace.tracks[Int(track)].unit]].map(CSVField.text)
      names[track] = head
      row(head + ["\(table.time[place] - timeline.start)", number(table.value[place])])
    }
  }

  /// Empty for what is not a number.
  private static func number(_ value: Double) -> String {
    if let whole = Int64(exactly: value) { return "\(whole)" }
    return value.isFinite ? "\(value)" : ""
  }
}
