// SPDX-License-Identifier: Apache-2.0

/// The finding about time in which the main thread ran in the kernel.
extension Findings {
  /// It raises a finding above this share of the launch's budget, and above the budget of an interval.
  static let kernelShare = 0.1
  private static let phasesShown = 3

  /// nil unless it is most of what the main thread did.
  func findingInKernel() -> Finding? {
    guard let kernel = timeline.kernelTime else { return nil }
    let allowed = max(share(Self.kernelShare, of: launchBudget), timeline.budgets.defaultInterval)
    guard kernel.time - kernel.error > allowed, kernel.time > kernel.running / 2 else { return nil }
    let phases = kernelPhases
    return Finding(
      id: FindingName.mainThreadInKernel, expected: allowed, actual: kernel.time, subject: "in the kernel",
      start: phases.first?.phase.start ?? timeline.start, error: kernel.error,
      evidence: phases.map { Evidence(.span, $0.phase.id, time: $0.time) }
        + [faults.map { Evidence(.note, "\($0) page faults of the process until its end") }].compactMap(\.self),
      advice: adviceForFaults(of: kernel.time) ?? Self.adviceForCalls)
  }

  private static let adviceForCalls =
    "Put strace -c -f before the command to list its system calls, and make fewer of them. As root, perf trace -s -F all "
    + "also counts page faults."

  /// What a page fault takes in a virtual machine, with the zeros for the page, ns: 0.7 to 1.9 µs were measured.
  private static let faultTime: Int64 = 1_250

  /// nil unless page faults of the main thread explain most of a time in the kernel. strace shows only system calls.
  private func adviceForFaults(of time: Int64) -> String? {
    // The kernel counts those of all threads, and of children that were waited for.
    guard let faults, faults > time / 2 / Self.faultTime, isAlone, let main = timeline.mainThread,
      !timeline.context.histories.waitedForChildren(of: main.rawValue)
    else { return nil }
    return
      "Probably, most of it is \(DecimalText.grouped(faults)) page faults: memory that was touched for the first time. "
      + "Touch less of it during the launch. perf record -e page-faults -g shows which functions do."
  }

  /// The phases with the most of it.
  private var kernelPhases: [(phase: Phase, time: Int64)] {
    let launch = timeline.start..<timeline.end
    let least = timeline.total / 100
    // They follow each other, so no more than a hundred are so long.
    let times = timeline.phases.filter { $0.duration > least }.map { phase in
      (phase, timeline.kernelTime(in: (phase.start..<max(phase.start, phase.end)).clamped(to: launch))?.time ?? 0)
    }
    return times.filter { $0.1 > least }
      .sorted { ($1.1, $0.0.start) < ($0.1, $1.0.start) }.prefix(Self.phasesShown).map { ($0.0, $0.1) }
  }

  /// Those of the process until its end; nil if it did more than the launch.
  private var faults: Int64? {
    guard timeline.isUsageOfLaunch else { return nil }
    return timeline.process.map { $0.minorFaults + $0.majorFaults }
  }
}
