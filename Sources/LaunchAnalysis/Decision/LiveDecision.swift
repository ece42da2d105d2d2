// SPDX-License-Identifier: Apache-2.0

/// The result of a running comparison so far.
///
/// The wall time decides. If it is inconclusive, CPU time may decide, because it shows the same change with a third
/// of the rounds. It may do so only in the direction of the wall time's estimate, and of that of the on-core time if it is
/// known, because work may have moved to another thread (D314). Both share the allowed error (`SharedError`).
///
/// If neither decides, the launch did not get slower if both its CPU time and its on-core time did not: the rest is
/// waiting for a processor, which other programs had (D213). Both must say so, because threads of the program itself
/// would show in its CPU time.
package struct LiveDecision: Sendable, Equatable {
  package var verdict: Verdict
  /// `total`, `cpu` or `onCore`.
  package var decidedBy: Metric

  /// - Parameters:
  ///   - cpu: nil when the CPU times are not known.
  ///   - cpuThresholds: nil for those of `ofCPU`.
  package init(
    wall: Shift, cpu: Shift?, onCore: Shift? = nil, thresholds: Thresholds, cpuThresholds: Thresholds? = nil
  ) {
    (verdict, decidedBy) = (Verdict(wall, thresholds), .total)
    guard verdict.isInconclusive, let cpu else { return }
    let ofCPU = Verdict(cpu, cpuThresholds ?? .ofCPU(cpu, relative: thresholds.relative))
    // On a busy machine, the estimate of the wall time may have either sign.
    let estimates = [wall, onCore].compactMap { $0?.estimate.absolute }
    switch ofCPU {
    case .regressed where estimates.allSatisfy { $0 > 0 }, .improved where estimates.allSatisfy { $0 < 0 }:
      (verdict, decidedBy) = (ofCPU, .cpu)
    // Sessions may have waited for longer than the rest of their launches.
    case .noChange
    where onCore?.design == .rounds && onCore.map { Verdict($0, thresholds) } == .noChange
      && wall.lower.absolute <= 0:
      (verdict, decidedBy) = (.noChange, .onCore)
    default: break
    }
  }
}

extension Thresholds {
  /// Of CPU time, which scatters less than wall time: the relative one, and an absolute one only if the user sets it.
  static func ofCPU(_ cpu: Shift, relative: Double, absolute: Double? = nil) -> Thresholds {
    Thresholds(relative: relative, absolute: absolute ?? relative * cpu.base)
  }
}
