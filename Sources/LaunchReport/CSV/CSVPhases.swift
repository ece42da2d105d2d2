// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

extension CSVTable {
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
}
