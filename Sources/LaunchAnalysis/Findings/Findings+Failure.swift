// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

extension Findings {
  /// The finding of a launch that did not reach its end.
  func failed() -> Finding {
    let phases = timeline.phases.filter { $0.id != PhaseName.exit }
    let reached = phases.last { !$0.isUnattributed }?.id
    let word = phases.last?.isUnattributed == true ? "after" : "in"
    let open = openEvidence()
    let lastSeen = lastSeen()
    func finding(_ subject: String, _ advice: String) -> Finding {
      var finding = Finding(
        id: FindingName.failedLaunch, unit: .count, expected: 0, actual: 1, subject: subject,
        start: phases.last?.end ?? timeline.end,
        evidence: [timeline.outcome.evidence] + open + (lastSeen.map { [evidence($0)] } ?? []), advice: advice,
        phase: reached)
      finding.setPlace(lastSeen)
      return finding
    }
    let place = reached.map { " \(word) \($0)" } ?? ""
    let function = lastSeen?.innermost.map { "The main thread's last sample was in \($0). " } ?? ""
    if timeline.lacksEnd {
      return finding(
        timeline.program,
        "The end of the file is missing, and with it that of the launch. Copy it again, or record again.")
    }
    if let rule = timeline.readyRule, !rule.isDefault, !timeline.outcome.isFailure {
      return finding(timeline.program, "It never \(rule.expectation). Choose another rule with --ready.")
    }
    let missed = timeline.missed
    let advice =
      switch timeline.outcome {
      case .failedToStart: "Check the program's path, its permissions and its interpreter."
      case .timedOut where timeline.phases.last?.id == PhaseName.exit:
        "The process ended, and nothing that it left running was ready in time. Allow more with --timeout, or "
          + "choose another rule with --ready."
      case .timedOut where missed != nil:
        "It ran out of time\(place), and never \(missed ?? ""). Allow more with --timeout, or choose another rule with --ready."
      case .timedOut:
        "It ran out of time\(place). \(function)"
          + (open.isEmpty
            ? "\(whenReady) Or allow more with --timeout."
            : "Look at the intervals marked (open), or allow more with --timeout.")
      case .deadlinePassed:
        "The program's deadline passed\(place), and the launch was not complete. Mark `ready` where it is, or allow more "
          + "with `deadline`."
      case .signalled(2) where missed != nil:
        "Ctrl-C or another process interrupted it\(place), and it never \(missed ?? ""). Choose another rule with --ready."
      case .signalled(2): "Ctrl-C or another process interrupted it\(place). \(function)\(whenReady)"
      case .signalled(let signal): "A signal killed it\(place). \(function)" + nextStep(afterSignal: signal)
      case .unknown where (facts.recorder?.dropped ?? 0) > 0:
        "The trace is full. It ends\(place), and how the launch went on is not in it. \(moreRoom)"
      case .unknown:
        "The trace ends\(place)\(open.isEmpty ? "" : ", with work still open"): the program ended or was killed there, "
          + "stopped the recording, or still runs. The trace does not say how long that took."
      case .exited(let status) where missed == nil && Self.answers.contains(status):
        "It ended\(place) with status \(status). Read its messages. If the program did its work: --success \(status)."
      case .exited(let status):
        "It exited with status \(status)\(place), before the launch was over. Read its messages. If it has none, its manual may "
          + "say what that status means."
      case .succeeded, .ended: "It ended\(place), before the launch was over. Read its messages."
      }
    return finding(reached ?? timeline.program, advice)
  }

  /// Shells give the others a meaning: not found, not executable, killed by a signal.
  private static let answers: Range<Int32> = 1..<126

  private var whenReady: String { "If the program goes on running, say when it is ready: --ready." }

  /// Where the last sample saw the main thread; nil if it may have gone on from there.
  private func lastSeen() -> WaitPlace? {
    let (trace, end) = (timeline.trace, timeline.end)
    guard trace.hasTimes, trace.sampleUnit == "ns",
      let track = timeline.context.mainPath.segments.last?.track,
      let phase = timeline.phases.last(where: { $0.id != PhaseName.exit && $0.start < end })
    else { return nil }
    let samples = trace.samples
    let after = samples.time.partitioningIndex { $0 > end }
    guard
      let row = (0..<after).reversed().prefix(Self.samplesSearched).first(where: {
        samples.track[$0] == track && samples.stack[$0] >= 0
      }), samples.time[row] >= phase.start
    else { return nil }
    switch timeline.outcome {
    // While the kernel writes the core dump, the thread only seems to go on.
    case .signalled(let signal) where Self.dumping.contains(signal): break
    case .signalled, .timedOut:
      // Without a sample, it can run for one period.
      guard timeOfItsOwn(from: samples.time[row]) <= 2 * samples.weight[row] else { return nil }
    case .exited, .succeeded, .ended, .deadlinePassed, .failedToStart, .unknown: return nil
    }
    return WaitPlace(trace, stack: samples.stack[row], owner: CodeOwner(program: timeline.executable))
  }

  private static let samplesSearched = 1000

  /// How long the main thread ran or waited until the launch ended, ns, without the time in which it had no processor.
  private func timeOfItsOwn(from time: Int64) -> Int64 {
    guard timeline.context.isWatched else { return timeline.end - time }
    // Unknown is the time from its end until the launcher learns of it.
    let totals = timeline.states.totals(from: time, to: timeline.end)
    return timeline.end - time - totals[.runnable] - totals[.stopped] - totals[.unknown]
  }

  /// Signals after which the kernel writes a core dump (signal(7), numbers of Linux): QUIT, ILL, TRAP, ABRT, BUS, FPE,
  /// SEGV, XCPU, XFSZ and SYS.
  private static let dumping: Set<Int32> = [3, 4, 5, 6, 7, 8, 11, 24, 25, 31]

  /// From when on Swift's runtime, which had caught the signal, waited for the process that prints a backtrace.
  var backtraceStart: Int64? {
    guard case .signalled(let signal) = timeline.outcome, Self.dumping.contains(signal) else { return nil }
    return timeline.states.waits.reversed().prefix(Self.samplesSearched).last(where: isForBacktrace)?.start
  }

  private func isForBacktrace(_ wait: Wait) -> Bool {
    let stack = timeline.context.histories.stack(of: wait.track, at: wait.start) ?? -1
    return timeline.trace.stacks.caller.chain(from: Int(stack)).contains {
      timeline.trace.name(ofFrame: $0).hasPrefix("_swift_spawnBacktracer")
    }
  }

  private func nextStep(afterSignal signal: Int32) -> String {
    if let backtraceStart {
      return
        "Swift's backtrace names the place. To print it took \(percent(timeline.end - backtraceStart)) % of the launch."
    }
    switch signal {
    case 24: return "It used all the CPU time that it may (ulimit -t)."
    case 25: return "It made a file longer than it may (ulimit -f)."
    case _ where Self.dumping.contains(signal): return "Run it in a debugger, or read its core dump."
    case 9:
      return
        "The kernel sends it when memory runs out, or the CPU time that is allowed (ulimit -t). Otherwise another process sent it."
    case 13: return "It wrote to a pipe that no process read any more."
    default: return "Find out which process sent it."
    }
  }
}
