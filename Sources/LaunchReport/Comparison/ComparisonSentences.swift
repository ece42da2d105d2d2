// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis
internal import LaunchSystem

/// The sentences of a result. Every format for people uses the same ones.
package struct ComparisonSentences {
  let result: GateResult
  let numbers: ComparisonNumbers

  init(_ result: GateResult, ascii: Bool = false) {
    self.result = result
    numbers = ComparisonNumbers(result, ascii: ascii)
  }

  /// The status in one or two words.
  var headline: String {
    switch result.status {
    case .launchFailed: "launch failed"
    case .baselineMissing: "no baseline"
    case .incomparable: "incomparable"
    case .overBudget: "over budget"
    case .regressed: "regressed"
    case .inconclusive: "inconclusive"
    case .improved: "improved"
    case .passed where result.comparison == nil && result.budgets.isEmpty: "measured"
    case .passed where result.comparison == nil: "passed"
    case .passed where result.comparison?.tailGrowth != nil: Self.ofComparedAndPassed[0]
    case .passed: Self.ofComparedAndPassed[mayBeFaster == nil ? 2 : 1]
    }
  }

  /// The headlines of comparisons that passed. Each is also true of those after it.
  static let ofComparedAndPassed = ["no change of the median", "no regression", "no change"]

  /// How much faster a launch that did not get slower may have become; nil if that is too little to matter.
  private var mayBeFaster: Double? {
    guard let comparison = result.comparison, let total = comparison.total, total.verdict == .noChange,
      comparison.outcome == .decided(.noChange), comparison.sameness == nil,
      total.thresholds.mayBeImproved(total.shift)
    else { return nil }
    return min(-total.shift.lower.relative, 1)
  }

  static let interrupted = "stopped early: interrupted"

  /// The reasons for the headline.
  var reasons: [String] {
    // Different programs are different builds.
    let others = [otherPrograms ?? otherBuilds].compactMap(\.self)
    guard let comparison = result.comparison else { return besidesComparison + others }
    return besidesComparison + sentences(comparison.differences) + others + reasons(of: comparison)
  }

  /// Launches that failed or ended early, budgets, and what is wrong with the launches.
  private var besidesComparison: [String] {
    let failed = result.failed.isEmpty ? nil : FailedLaunches(result.failed).sentence
    let checked = result.budgets.isEmpty ? "nothing was checked" : "only budgets were checked"
    let problems = [
      failed ?? (result.status == .launchFailed ? "no launch counts" : nil), answeringStatus,
      failed.flatMap { _ in brokenBase },
      result.isInterrupted ? Self.interrupted : nil, result.stopped.map { "stopped early: \($0)" },
      result.allowedProblem.map { "\(checked): \(PlainName.escaped($0))" },
      result.baselineProblem.map { PlainName.escaped($0) },
    ]
    return problems.compactMap(\.self) + result.budgets.filter(isReason).map(sentence)
      + [busyMachine, whereTimeGoes, result.baseline?.doubt.map { PlainName.escaped($0) }, damaged].compactMap(\.self)
  }

  private func reasons(of comparison: LaunchComparison) -> [String] {
    var reasons: [String] = []
    if comparison.means.count > 1 {
      let missing = comparison.means.contains("perf") ? "perf events" : "breakpoints"
      reasons.append("some launches were observed without \(missing), so loading, main and libraries are not compared")
    }
    var counts =
      comparison.exact.filter(\.isRegression).map(sentence) + [result.instructions.map(sentence)].compactMap(\.self)
    // What decided comes first.
    if let decidingCount {
      counts.removeAll { $0 == decidingCount }
      let verb = result.status == .regressed ? "decided" : "regressed"
      reasons += ["\(verb) by a count, not by the time: \(decidingCount)"] + counts
      counts = []
    }
    if let total = comparison.total {
      reasons.append(hiddenVerdict + sentence(total) + (decidingCount != nil ? "; \(Self.alone(total.verdict))" : ""))
    }
    switch comparison.sameness {
    case .launches?: reasons.append("base and head are the same launches")
    case .program?:
      reasons.append(
        "base and head are the same program (by build ID) with the same libraries and arguments"
          + (comparison.outcome.isInconclusive ? ", but the files that the arguments name may have changed" : ""))
    case nil: if otherPrograms == nil, let otherArguments { reasons.append(otherArguments) }
    }
    return reasons + times(comparison) + counts + [likelyPlace].compactMap(\.self) + advice(comparison)
  }

  /// What the times say besides the total.
  private func times(_ comparison: LaunchComparison) -> [String] {
    let onCore = comparison.parts.first { $0.metric == .onCore }.map(sentence) ?? ""
    let cpu = comparison.cpu.map(sentence) ?? ""
    let waiting = ": the rest of the wall time is waiting for a processor"
    let parts = [
      comparison.isOnlyWaiting ? onCore + waiting : nil, comparison.tailGrowth.map(sentence),
      mayBeFaster.map { "it did not get slower, and may have got faster by up to \(numbers.unsigned($0))" },
      comparison.decidedBy == Metric.cpu.id ? cpu + "; the wall time alone is inconclusive" : nil,
      comparison.decidedBy == Metric.onCore.id ? onCore + " and " + cpu + waiting : nil, grownWaiting(comparison),
    ]
    return parts.compactMap(\.self)
  }

  /// The parts that certainly grew, and where in the flame tree; nil if there are none.
  var guilt: String? {
    guard let comparison = result.comparison, !comparison.guilty.isEmpty else { return nil }
    let renamed = comparison.renamed
    let grown = comparison.guilty.filter { part in !renamed.contains { $0.new.metric == part.metric } }
    var sentences: [String] = []
    if !grown.isEmpty { sentences.append("Grew: " + grown.prefix(5).map(describe).joined(separator: ", ")) }
    if let place = largestGrowth(comparison) { sentences.append(place.capitalized) }
    // What is certainly new and takes as long as what is gone.
    let names = renamed.filter { pair in comparison.guilty.contains { $0.metric == pair.new.metric } }.prefix(3)
      .map { Self.label($0.old.metric) + numbers.arrow + Self.label($0.new.metric) }
    if !names.isEmpty { sentences.append("Perhaps renamed: " + names.joined(separator: ", ")) }
    return sentences.joined(separator: ". ")
  }

  func describe(_ part: MetricComparison) -> String {
    let change = numbers.change(part.shift.estimate.absolute, part.metric.unit, hasUnit: true)
    let new = part.presence == .headOnly ? " (new)" : ""
    return "\(Self.label(part.metric)) \(change)\(new)"
  }

  /// `phase open-database`, `interval migrate`, `total`.
  package static func label(_ metric: Metric) -> String {
    let path = metric.path.map { PlainName.escaped($0) }.joined(separator: "/")
    switch metric.group {
    case .total, .resource: return path
    case .longest: return "longest interval \(path)"
    case .longestPhase: return "longest phase \(path)"
    case .state, .phase, .library, .interval, .milestone: return "\(metric.group.rawValue) \(path)"
    }
  }

  func sentence(_ part: MetricComparison) -> String {
    let (shift, unit) = (part.shift, part.metric.unit)
    return
      "\(Self.label(part.metric)) \(numbers.change(from: shift.base, to: shift.possibleHead(unit), unit)): "
      + "\(numbers.estimate(shift)) (\(numbers.interval(shift, unit)))"
  }

  /// `libraries 12`: the value of a count that is equal on both sides.
  func state(_ exact: ExactComparison) -> String { "\(exact.metric.rawValue) \(value(exact.head, exact.metric))" }

  private func value(_ value: Int64, _ metric: ExactCount) -> String {
    metric.isBytes ? ComparisonNumbers.bytes(Double(value)) : DecimalText.grouped(value)
  }

  /// `libraries 2 → 3`
  func change(_ exact: ExactComparison) -> String {
    let metric = exact.metric
    return "\(metric.rawValue) \(value(exact.base, metric))\(numbers.arrow)\(value(exact.head, metric))"
  }

  /// The change, with the names of what is on one side only.
  func sentence(_ exact: ExactComparison) -> String {
    var text = change(exact)
    let listed = listedElsewhere(exact.metric)
    for (what, names) in [("added", exact.added), ("gone", exact.removed)] {
      // A file asks for `libcurl.so.4`; what is mapped is `libcurl.so.4.8.0`.
      let others = names.filter { name in !listed.contains { name == $0 || name.hasPrefix($0 + ".") } }
      if !others.isEmpty { text += ", \(what): \(list(others, exact.times))" }
    }
    return text
  }

  func sentence(_ instructions: InstructionComparison) -> String {
    if let problem = instructions.problem { return "instructions decide nothing: \(PlainName.escaped(problem))" }
    let (base, head) = instructions.least
    let threads = instructions.threads.map { $0 > 1 ? ", \($0) threads" : "" } ?? ""
    return "instructions \(DecimalText.grouped(base))\(numbers.arrow)\(DecimalText.grouped(head)): "
      + "\(numbers.finePercent(instructions.change)) (\(instructions.means), \(instructions.base.count) launches of each side\(threads))"
  }

  /// Libraries that the files ask for, or that the program opens, are also mapped. Their names are listed once, at first.
  private func listedElsewhere(_ metric: ExactCount) -> [String] {
    func exact(_ metric: ExactCount) -> ExactComparison? {
      result.comparison?.exact.first { $0.metric == metric }
    }
    func names(_ exact: ExactComparison?) -> [String] { exact.map { $0.added + $0.removed } ?? [] }
    switch metric {
    case .libraries: return []
    case .openedLibraries:
      // The names are where the reader sees them first: only a regression is among the reasons of the verdict.
      let mapped = exact(.mappedLibraries)
      let isFirst = mapped?.isRegression == true || exact(metric)?.isRegression != true
      return names(exact(.libraries)) + (isFirst ? names(mapped) : [])
    default: return names(exact(.libraries))
    }
  }

  static let mostNames = 5

  /// The first names. Libraries that the program itself links come first.
  private func list(_ names: [String], _ times: [String: Int64]) -> String {
    names.lazy.map { name in
      PlainName.escaped(name) + (times[name].map { " (\(numbers.withUnit(Double($0), .nanoseconds)))" } ?? "")
    }.listed(Self.mostNames)
  }

  /// One for each, and how to compare anyway: all options at once, because a comparison needs all of them.
  func sentences(_ differences: [EnvironmentDifference]) -> [String] {
    let options = differences.filter { !$0.isAllowed }.map { "--allow \($0.field.rawValue)" }
    var sentences = differences.map(sentence)
    guard !options.isEmpty else { return sentences }
    let advice = "to compare anyway, add \(options.joined(separator: " "))"
    if sentences.count == 1 { sentences[0] += "; \(advice)" } else { sentences.append(advice) }
    return sentences
  }

  private func sentence(_ difference: EnvironmentDifference) -> String {
    func list(_ values: [String]) -> String { values.map { PlainName.escaped($0) }.joined(separator: ", ") }
    let sentence = "\(difference.field.rawValue): \(list(difference.base)) against \(list(difference.head))"
    if difference.isAllowed { return sentence + " (allowed)" }
    // `bench` and `gate` drop the output, which ends a launch of `record`.
    let hasExit = difference.field == .end && (difference.base + difference.head).contains(MilestoneName.exit)
    return sentence + (hasExit ? " (launch both with the same --ready)" : "")
  }

  /// What to do about an inconclusive comparison.
  private func advice(_ comparison: LaunchComparison) -> [String] {
    guard mayMoreDecide, case .decided(.inconclusive(let further)) = comparison.outcome else { return [] }
    let events =
      "perf events would show how much of the time is waiting for a processor; to allow them: "
      + "sudo sysctl kernel.perf_event_paranoid=2, or another seccomp profile of the container"
    return [advice(further, comparison)] + (lacksOnCoreTime(comparison) ? [events] : [])
  }

  private func advice(_ further: Verdict.Further, _ comparison: LaunchComparison) -> String {
    if comparison.isOnlyWaiting {
      return "other programs had the processor, or the program's threads wait for each other; "
        + "compare live (launchprof bench --vs), or on a quiet machine"
    }
    // Without an interval, more launches are what it lacks.
    let bounded = comparison.total.flatMap { $0.shift.isBounded ? $0.shift : nil }
    switch bounded.map({ ($0.design, Self.spread($0)) }) {
    case (.spread, let spread)?:
      return "two sessions may differ by \(spread) without a change; "
        + "compare live (launchprof bench --vs), or record seven sessions of each side"
    case (.history, let spread)?:
      return "by this history, two sessions may differ by \(spread) without a change; "
        + "smaller changes show in a live comparison (launchprof bench --vs)"
    default: break
    }
    let runs: Int
    switch further {
    case .runs(let number): runs = number
    case .useless: return "the difference equals the threshold, so more launches would not help"
    case .unknown: return "the launches do not say how many more would be enough"
    }
    let unit =
      switch comparison.total?.shift.design {
      case .rounds?: ("more round", "more rounds")
      case .sessions?: ("more session of each side", "more sessions of each side")
      default: ("more launch of each side", "more launches of each side")
      }
    return "\(DecimalText.counted(runs, unit.0, unit.1)) would probably be enough\(effort(runs))"
  }

  /// How the launches were compared.
  var method: [String] {
    guard let comparison = result.comparison, let total = comparison.total else {
      // Without a baseline, nothing may have been launched at all.
      return result.launches.isEmpty && result.baselineProblem != nil ? [] : [counted]
    }
    let (base, head) = comparison.counted
    let confidence = "\(DecimalText.percent(1 - 2 * comparison.options.tail)) confidence"
    let launches = "\(count(base.count, like: base + head)) against \(head.count)"
    switch total.shift.design {
    case .rounds: return [DecimalText.counted(total.shift.count, "round"), confidence]
    case .sessions:
      return ["\(total.shift.count) sessions of each side", launches, confidence, "seed \(comparison.options.seed)"]
    case .cohorts: return [launches, confidence, "like for like"]
    // Equal launches: the verdict does not rest on their times.
    case .spread where comparison.sameness == .launches, .history where comparison.sameness == .launches:
      return [launches, confidence]
    case .spread:
      return [launches, confidence, "from different sessions, so the interval is \(Self.spread(total.shift)) wider"]
    case .history:
      let commits = comparison.options.commitSpread?.measured(.total)?.commits ?? 1
      // A bound, not a difference that was seen.
      return [
        launches, confidence, "two sessions may differ by \(Self.spread(total.shift))",
        "by \(commits - 1) differences between commits of the history",
      ]
    }
  }

  private static func spread(_ shift: Shift) -> String {
    let spread = shift.sessionSpread ?? 0
    return shift.design == .history ? DecimalText.percent(measured: spread) : DecimalText.percent(spread)
  }

  /// The launches of both sides that do not count, by reason.
  var leftOut: [String] {
    let all = result.comparison.map { $0.base + $0.head } ?? result.launches
    return LaunchSet.LeftOut.counts(all.map(\.leftOut)).map { "left out: \($0.count) \($0.reason.rawValue)" }
  }

  /// `8 launches counted`
  var counted: String { "\(count(result.launches.count { $0.leftOut == nil }, like: result.launches)) counted" }

  /// `8 launches`, or `8 background launches` if all that count are such ones.
  private func count(_ number: Int, like launches: [Measurement]) -> String {
    let many = Measurement.population(launches)?.launches ?? "launches"
    return DecimalText.counted(number, String(many.dropLast(2)), many)
  }
}
