// SPDX-License-Identifier: Apache-2.0

extension Findings {
  /// The finding of a launch that did not reach its end.
  func failed() -> Finding {
    let phases = timeline.phases.filter { $0.id != PhaseName.exit }
    let reached = phases.last { !$0.isUnattributed }?.id
    let word = phases.last?.isUnattributed == true ? "after" : "in"
    let open = openEvidence()
    func finding(_ subject: String, _ advice: String) -> Finding {
      Finding(
        id: FindingName.failedLaunch, unit: .count, expected: 0, actual: 1, subject: subject, start: timeline.end,
        evidence: [timeline.outcome.evidence] + open, advice: advice, phase: reached)
    }
    let place = reached.map { " \(word) \($0)" } ?? ""
    if timeline.lacksEnd {
      return finding(
        timeline.program,
        "The end of the file is missing, and with it that of the launch. Copy it again, or record again.")
    }
    if let rule = timeline.readyRule, !rule.isDefault, !timeline.outcome.isFailure {
      return finding(timeline.program, "It never \(rule.expectation). Choose another rule with --ready.")
    }
    let missed = timeline.readyRule.flatMap {
      $0.isDefault || !$0.isMissed(timeline.endMilestone) ? nil : $0.expectation
    }
    let advice =
      switch timeline.outcome {
      case .failedToStart: "Check the program's path, its permissions and its interpreter."
      case .timedOut where timeline.phases.last?.id == PhaseName.exit:
        "The process ended, and nothing that it left running was ready in time. Allow more with --timeout, or "
          + "choose another rule with --ready."
      case .timedOut where missed != nil:
        "It ran out of time\(place), and never \(missed ?? ""). Allow more with --timeout, or choose another rule with --ready."
      case .timedOut:
        "It ran out of time\(place). "
          + (open.isEmpty
            ? "Allow more with --timeout." : "Look at the intervals marked (open), or allow more with --timeout.")
      case .signalled(let signal): "A signal killed it\(place). " + Self.advice(forSignal: signal)
      case .unknown where (facts.recorder?.dropped ?? 0) > 0:
        "The trace is full. It ends\(place), and how the launch went on is not in it. \(moreRoom)"
      case .unknown:
        "The trace ends\(place), with work still open: the program ended or was killed there, or it still runs. "
          + "The trace does not say how long that took."
      case .exited, .ended: "It ended\(place), before the launch was over. Read its messages."
      }
    return finding(reached ?? timeline.program, advice)
  }

  /// Signals after which the kernel writes a core dump (signal(7), numbers of Linux): QUIT, ILL, TRAP, ABRT, BUS, FPE,
  /// SEGV, XCPU, XFSZ and SYS.
  private static let dumping: Set<Int32> = [3, 4, 5, 6, 7, 8, 11, 24, 25, 31]

  private static func advice(forSignal signal: Int32) -> String {
    switch signal {
    case _ where dumping.contains(signal): "Run it in a debugger, or read its core dump."
    case 9: "The kernel sends it when memory runs out. Otherwise another process sent it."
    case 13: "It wrote to a pipe that no process read any more."
    default: "Find out which process sent it."
    }
  }
}
