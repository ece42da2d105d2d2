// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis
internal import LaunchRecord

/// Properties of every launch, from whatever trace. Returns the names of those that do not hold.
package struct LaunchInvariants {
  private let timeline: LaunchTimeline
  private var found: [String] = []

  private init(_ timeline: LaunchTimeline) { self.timeline = timeline }

  package static func violations(_ timeline: LaunchTimeline) -> [String] {
    var invariants = LaunchInvariants(timeline)
    invariants.checkPhases()
    invariants.checkStates()
    invariants.checkFindings()
    invariants.checkBreakdowns()
    invariants.checkRecord()
    return invariants.found
  }

  private mutating func check(_ holds: Bool, _ name: @autoclosure () -> String) {
    if !holds { found.append(name()) }
  }

  // MARK: Phases

  private mutating func checkPhases() {
    check(timeline.start <= timeline.end, "the launch ends before it starts")
    var time = timeline.start
    for phase in timeline.phases {
      check(phase.start == time, "gap before phase \(phase.id)")
      time = phase.end
      checkInside(phase)
    }
    let parts = timeline.phases.filter { $0.start < timeline.end }
    check(parts.reduce(0) { $0 + $1.duration } == timeline.total, "the phases do not add up to the launch")
    check(time == timeline.extendedEnd, "the phases end elsewhere than the report")
    for phase in timeline.parallelPhases {
      check(timeline.window.contains(phase.start) && timeline.window.contains(phase.end), "parallel phase \(phase.id)")
      checkInside(phase)
    }
  }

  private mutating func checkInside(_ phase: Phase) {
    check(phase.duration >= 0, "phase \(phase.id) has a negative time")
    check(phase.overBudget >= 0 && phase.overBudget <= phase.duration, "phase \(phase.id) over budget")
    var last = phase.start
    for child in phase.children {
      check(child.start >= last && child.end <= phase.end, "phase \(child.id) is not inside of \(phase.id)")
      last = child.start
      checkInside(child)
    }
  }

  // MARK: States

  private mutating func checkStates() {
    let total = timeline.total
    let totals = timeline.states.totals(from: timeline.start, to: timeline.end)
    check(totals.sum == total || timeline.states.count == 0, "the states do not add up to the launch")
    check(ThreadState.allCases.allSatisfy { totals[$0] >= 0 }, "a state has a negative time")
    let summaries = timeline.stateSummaries
    check(summaries.isEmpty || summaries.reduce(0) { $0 + $1.total } == total, "the summaries do not add up")
    for summary in summaries {
      check(summary.longest <= summary.total && summary.count > 0, "summary of \(summary.state.name)")
      for cause in timeline.waitCauses(summary.state) {
        check(cause.total >= 0 && cause.total <= summary.total, "cause of \(summary.state.name)")
        check(cause.chain.allSatisfy { $0.time >= 0 }, "chain of \(summary.state.name)")
      }
    }
    checkWaits()
    let steps = Array(timeline.criticalPath.steps)
    check(steps.allSatisfy { $0.duration > 0 }, "a step has no time")
    check(zip(steps, steps.dropFirst()).allSatisfy { $0.end == $1.start }, "the critical path has a gap")
    check(steps.isEmpty || steps.reduce(0) { $0 + $1.duration } == total, "the critical path is not the launch")
    if let kernel = timeline.kernelTime {
      check(kernel.time >= 0 && kernel.error >= 0 && kernel.time <= totals[.running], "the kernel time")
    }
  }

  private mutating func checkWaits() {
    let waits = timeline.states.waits
    check(waits.allSatisfy { $0.duration >= 0 }, "a wait has a negative time")
    check(waits.allSatisfy { timeline.window.contains($0.start) }, "a wait begins outside of the launch")
    check(zip(waits, waits.dropFirst()).allSatisfy { $0.start <= $1.start }, "the order of waits")
  }

  // MARK: Findings

  private mutating func checkFindings() {
    for finding in LaunchSet([timeline]).launches.flatMap(\.findings) {
      let id = finding.id
      check(finding.expected >= 0, "\(id) expects a negative number")
      check(
        finding.actual > finding.expected || finding.unit == .count, "\(id): \(finding.actual) of \(finding.expected)")
      // It counts the recorders: one is expected.
      let lacksOne = id == FindingName.notInstrumented
      check(finding.actual >= finding.expected || lacksOne, "\(id) is not over what is expected")
      check(finding.occurrences >= 1 && (0..<finding.occurrences).contains(finding.others), "\(id) occurrences")
      check(finding.error.map { $0 >= 0 } ?? true, "\(id) has a negative error")
      check(finding.evidence.allSatisfy { $0.time.map { $0 >= 0 } ?? true }, "\(id) has negative evidence")
      check(!finding.advice.isEmpty && !finding.advice.contains("\n"), "\(id) has no line of advice")
      check(timeline.window.contains(finding.start), "\(id) is not in the launch")
    }
  }

  // MARK: Breakdowns and the record

  private mutating func checkBreakdowns() {
    for aspect in Breakdown.Aspect.allCases {
      guard let parts = LaunchSet([timeline]).breakdown(by: aspect) else { continue }
      let name = "breakdown by \(aspect.rawValue)"
      check(parts.whole >= 0, "\(name) of a negative time")
      for row in parts.rows {
        let times = [row.total, row.selfTime, row.running ?? 0, row.waiting ?? 0, row.critical ?? 0, row.likely ?? 0]
        check(times.allSatisfy { $0 >= 0 } && row.count >= 0, "\(name): \(row.name) has a negative number")
        check((row.likely ?? 0) <= (row.critical ?? 0), "\(name): \(row.name) is likelier than it is critical")
        if aspect != .thread { check(row.selfTime <= row.total, "\(name): \(row.name) has more own time than time") }
      }
      let sum = parts.rows.reduce(0) { $0 + $1.selfTime }
      if aspect == .state { check(sum == parts.whole || parts.rows.isEmpty, "\(name) is not the launch") }
      let critical = parts.rows.compactMap(\.critical)
      if !critical.isEmpty, aspect == .thread {
        check(critical.reduce(0, +) == timeline.total, "\(name): the critical times are not the launch")
      }
    }
  }

  private mutating func checkRecord() {
    let record = timeline.record(metadata: ["tier"])
    if let total = record.number(.total) { check(total == timeline.total, "the record has another total") }
    for field in record.fields {
      guard case .number(let number) = field.value else { continue }
      check(number >= 0, "the record's \(field.key) is \(number)")
    }
    check(record == timeline.record(metadata: ["tier"]), "the record changes")
  }
}
