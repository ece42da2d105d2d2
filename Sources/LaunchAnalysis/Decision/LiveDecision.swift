/// What the rounds of a running comparison say so far.
///
/// Wall time decides. Where it does not yet know, the CPU time may: it sees the same change with a third of the rounds,
/// but only when the wall time's estimate points the same way, since work may have moved to another thread. Each of both
/// errs at most with half of what is allowed.
package struct LiveDecision: Sendable, Equatable {
  package enum Metric: String, Sendable { case wall, cpu }

  package var verdict: Verdict
  package var decidedBy: Metric
  package var wall: Shift
  /// nil when the CPU times are not known.
  package var cpu: Shift?

  package init(wall: Shift, cpu: Shift?, thresholds: Thresholds) {
    (self.wall, self.cpu) = (wall, cpu)
    (verdict, decidedBy) = (Verdict(wall, thresholds), .wall)
    guard verdict.isInconclusive, let cpu else { return }
    let ofCPU = Verdict(cpu, Thresholds(relative: thresholds.relative, absolute: thresholds.relative * cpu.base))
    switch ofCPU {
    case .regressed where wall.estimate.absolute > 0, .improved where wall.estimate.absolute < 0:
      (verdict, decidedBy) = (ofCPU, .cpu)
    default: break
    }
  }
}
