// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// One row for each phase of each launch.
struct CSVPhases {
  static let header =
    "launch,phase,path,start_ns,duration_ns,cpu_ns,minor_faults,major_faults,voluntary_switches,"
    + "involuntary_switches,read_bytes,budget_ns,over_budget_ns,flags,source,program,version,build,kind,reason,"
    + "context,outcome,total_ns,end,left_out,file,"
    + ThreadState.allCases.map { $0.name.replacing("-", with: "_") + "_ns" }.joined(separator: ",") + CSVField.lineEnd

  private let launch: LaunchSet.Launch
  /// The fields that are the same in every row.
  private let tail: String

  init(_ launch: LaunchSet.Launch) {
    self.launch = launch
    let timeline = launch.timeline
    let labels = timeline.labels
    tail =
      [
        timeline.program, labels.version ?? "", labels.build ?? "", labels.kind ?? "", labels.reason ?? "",
        labels.context ?? "", timeline.outcome.name, String(timeline.total), timeline.endMilestone,
        launch.leftOut?.rawValue ?? "", launch.name,
      ].map(CSVField.text).joined(separator: ",")
  }

  func write(to output: inout OutputBuffer) {
    for phase in launch.timeline.phases { write(phase, below: [], isParallel: false, to: &output) }
    for phase in launch.timeline.parallelPhases { write(phase, below: [], isParallel: true, to: &output) }
  }

  private func write(_ phase: Phase, below outer: [String], isParallel: Bool, to output: inout OutputBuffer) {
    let path = outer + [phase.id]
    output.append(Int64(launch.number))
    for field in [CSVField.text(phase.id), CSVField.path(path)] { output.append("," + field) }
    let costs = phase.costs
    let numbers: [Int64?] = [
      phase.start - launch.timeline.start, phase.duration, costs?.cpu, costs?.minorFaults, costs?.majorFaults,
      costs?.voluntarySwitches, costs?.involuntarySwitches, costs?.readBytes, phase.budget,
      phase.budget == nil ? nil : phase.overBudget,
    ]
    for number in numbers {
      output.append(UInt8(ascii: ","))
      if let number { output.append(number) }
    }
    var flags: [String] = []
    if phase.overBudget > 0 { flags.append("over-budget") }
    if phase.isUnfinished { flags.append("unfinished") }
    if !outer.isEmpty { flags.append("nested") }
    if isParallel { flags.append("parallel") }
    if phase.slice == nil { flags.append("derived") }
    output.append("," + flags.joined(separator: " ") + "," + phase.source.rawValue + "," + tail)
    writeStates(of: phase, isParallel: isParallel, to: &output)
    for child in phase.children { write(child, below: path, isParallel: isParallel, to: &output) }
  }

  /// The states of the main thread; empty if they are not known.
  private func writeStates(of phase: Phase, isParallel: Bool, to output: inout OutputBuffer) {
    let isKnown = !isParallel && launch.timeline.states.isKnown
    let totals = isKnown ? launch.timeline.states.totals(from: phase.start, to: phase.end) : StateTotals()
    for state in ThreadState.allCases {
      output.append(UInt8(ascii: ","))
      if isKnown { output.append(totals[state]) }
    }
    output.append(CSVField.lineEnd)
  }
}
