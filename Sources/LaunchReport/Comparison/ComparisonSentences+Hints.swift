// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchSystem

/// What a reader must know beside the numbers: other programs, a tail, the likely place, the budgets in one line, and what
/// decided.
extension ComparisonSentences {
  /// Characters of a list of arguments.
  private static let longestArguments = 80

  /// The count by which the launch regressed, though its times do not show it: of libraries and the like, or of instructions. nil
  /// if the times decided.
  var decidingCount: String? {
    guard [.regressed, .overBudget, .launchFailed].contains(result.status), let comparison = result.comparison else {
      return nil
    }
    guard comparison.outcome == .decided(.regressed) else {
      return result.instructionsRegressed ? result.instructions.map(sentence) : nil
    }
    return comparison.exact.first { $0.metric.rawValue == comparison.decidedBy }.map(sentence)
  }

  /// What the comparison says, if the status is something graver: `regressed: `. Empty otherwise.
  var hiddenVerdict: String {
    guard [.overBudget, .launchFailed].contains(result.status), decidingCount == nil,
      case .decided(let verdict) = result.comparison?.outcome
    else { return "" }
    return verdict.name.replacing("-", with: " ") + ": "
  }

  /// What the time says if it did not decide.
  static func alone(_ verdict: Verdict) -> String {
    switch verdict {
    case .inconclusive: "the time alone is inconclusive"
    case .noChange: "by the time alone, the launch did not get slower"
    case .improved: "by the time alone, the launch improved"
    case .regressed: "the time alone regressed"
    }
  }

  /// What to do if only the base failed; nil otherwise.
  var brokenBase: String? {
    guard let comparison = result.comparison, comparison.onlyBaseFailed else { return nil }
    return comparison.isBaseBroken
      ? "no launch of the head failed; if the head mends this, gate --allow-missing-baseline checks its budgets alone"
      : "no launch of the head failed, and not all of the base: compare again, or mend the base"
  }

  /// What shows where the time of launches over budget goes: with a base, the result itself does. nil if they are in no directory.
  var whereTimeGoes: String? {
    guard result.status == .overBudget, result.comparison == nil else { return nil }
    let names = result.launches.filter { $0.leftOut == nil }.map(\.name)
    let directories = Set(names.map { $0.dropLast(fileName($0).count) })
    guard directories.count == 1, let directory = directories.first, !directory.isEmpty else { return nil }
    return "where the time goes: " + CommandText.line(["launchprof", "report", String(directory)])
  }

  /// What to do about a status of the program that may not be a failure; nil if the launches were recorded before, or failed otherwise.
  var answeringStatus: String? {
    let statuses = Set(
      result.failed.map { launch -> Int32? in
        guard case .exited(let status)? = launch.failure?.outcome, launch.failure?.missed == nil else { return nil }
        // Shells use the others for commands that they cannot execute, and for signals.
        return (1...125).contains(status) ? status : nil
      })
    guard result.pace != nil, statuses.count == 1, case let status?? = statuses.first else { return nil }
    return "if \(status) is an answer, and no failure, add --success \(status)"
  }

  /// Says that parts of traces could not be read: then what they had seems new on the other side, or gone. nil if all could.
  var damaged: String? {
    let counted = (result.comparison.map { $0.base + $0.head } ?? result.launches).filter { $0.leftOut == nil }
    let names = counted.filter(\.isDamaged).map { PlainName.escaped(fileName($0.name)) }
    if names.isEmpty { return nil }
    let shown = names.listed(Self.mostNames, rest: "others")
    return names.count == 1
      ? "the trace \(shown) is damaged: what it lacks may look like a change"
      : "\(names.count) traces are damaged: what they lack may look like a change: \(shown)"
  }

  /// Says that the launches are of programs with different names, of one side or of both; nil if they are not. That may be
  /// what the user wants, or the wrong traces.
  var otherPrograms: String? {
    func names(_ launches: [Measurement]) -> [String] {
      Set(launches.map(\.provenance.program)).subtracting([""]).sorted()
    }
    func list(_ names: [String]) -> String {
      names.lazy.map { PlainName.escaped($0) }.listed(Self.mostNames, rest: "others")
    }
    guard let comparison = result.comparison else {
      let all = names(result.launches)
      return all.count > 1 ? "these are launches of different programs: \(list(all))" : nil
    }
    let (base, head) = (names(comparison.base), names(comparison.head))
    guard !base.isEmpty, !head.isEmpty else { return nil }
    if base == head { return head.count > 1 ? "each side has launches of different programs: \(list(head))" : nil }
    return "base and head are launches of different programs: \(list(base)) against \(list(head))"
  }

  /// Says that the program was launched with other arguments than before; nil if it was not, or if that is not known. For a
  /// live comparison, the user has just written both command lines.
  var otherArguments: String? {
    guard let comparison = result.comparison, comparison.total?.shift.design != .rounds else { return nil }
    func all(_ launches: [Measurement]) -> Set<[String]>? {
      let arguments = launches.filter { $0.leftOut == nil }.map(\.provenance.arguments)
      return arguments.contains(nil) ? nil : Set(arguments.compactMap(\.self))
    }
    func list(_ sets: Set<[String]>) -> String {
      guard sets.count == 1, let words = sets.first else { return "\(sets.count) different ones" }
      let text = PlainName.escaped(words.joined(separator: " "))
      return words.isEmpty ? "none" : PlainName.cut(text, to: Self.longestArguments)
    }
    guard let base = all(comparison.base), let head = all(comparison.head), !base.isEmpty, !head.isEmpty, base != head
    else { return nil }
    return "base and head were launched with different arguments: \(list(base)) against \(list(head))"
  }

  /// Says that launches of one side are of several builds; nil if they are not. A directory may have traces of before.
  var otherBuilds: String? {
    func count(_ launches: [Measurement]) -> Int {
      Set(launches.filter { $0.leftOut == nil }.compactMap { $0.provenance.image?.buildID }.filter { !$0.isEmpty })
        .count
    }
    guard let comparison = result.comparison else {
      let builds = count(result.launches)
      return builds > 1 ? "these are launches of \(builds) builds" : nil
    }
    let sides = [("base", count(comparison.base)), ("head", count(comparison.head))].filter { $0.1 > 1 }
    let texts = sides.map { "the \($0.0) has launches of \($0.1) builds" }
    return texts.isEmpty ? nil : texts.joined(separator: ", and ")
  }

  /// Whether more launches may change the status. A failed launch, a broken budget and a regression stay what they are.
  var mayMoreDecide: Bool { result.status == .inconclusive }

  /// `: launch again with --runs 1669 --max-time 30min, which takes about 20 min`; empty for recorded launches.
  ///
  /// - Parameter further: how many more rounds or launches would probably be enough.
  func effort(_ further: Int) -> String {
    guard let pace = result.pace, let own = pace.time(of: pace.made + further) else { return "" }
    let count = pace.made + further
    // The option holds for all scenarios.
    let time = own * Double(pace.sharers)
    var options = count > pace.most ? " \(pace.option) \(count)" : ""
    // The pace varies.
    let longest = time * 1.5
    if longest > Double(pace.mostTime) * Double(pace.sharers) {
      options += " --max-time \(Int((longest / 60e9).rounded(.up)))min"
    }
    return ": launch again" + (options.isEmpty ? "" : " with" + options) + ", which takes about \(Self.duration(time))"
  }

  /// `40 s`, `20 min`, `3 h`.
  ///
  /// - Parameter time: ns.
  static func duration(_ time: Double) -> String {
    let seconds = time / 1e9
    let (value, unit) = seconds < 90 ? (seconds, "s") : seconds < 7200 ? (seconds / 60, "min") : (seconds / 3600, "h")
    return "\(max(1, Int(value.rounded()))) \(unit)"
  }

  /// Where in the flame trees the largest part of the growth is; nil if no path grew.
  func largestGrowth(_ comparison: LaunchComparison) -> String? {
    guard let growth = comparison.flame.largestGrowth, growth.path.count > 1 else { return nil }
    let names = growth.path.dropFirst().map { PlainName.escaped($0) }
    let path = names.joined(separator: numbers.isASCII ? " > " : " › ")
    if growth.isMost, growth.isOwn { return "by the medians, most of the growth is in \(path)" }
    let time = numbers.withUnit(Double(growth.growth), .nanoseconds)
    guard growth.whole > 0 else { return "by the medians, the largest growth, \(time), is in \(path)" }
    let whole = numbers.withUnit(Double(growth.whole), .nanoseconds)
    let part = growth.isMost ? "most of the growth" : "the largest part of the growth"
    return "by the medians, \(part), \(time) of \(whole), is in \(growth.isOwn ? "" : "or below ")\(path)"
  }

  /// Where to look if the launch got slower, but no part of it certainly did: on a busy machine, CPU time decides, and parts
  /// have wall times only.
  var likelyPlace: String? {
    guard result.status == .regressed, decidingCount == nil, let comparison = result.comparison,
      comparison.outcome == .decided(.regressed), comparison.guilty.isEmpty, let place = largestGrowth(comparison)
    else { return nil }
    return "no part certainly grew; \(place)"
  }

  /// How much of a regression is waiting for a processor, by the estimates; nil if that is little.
  func grownWaiting(_ comparison: LaunchComparison) -> String? {
    guard comparison.outcome == .decided(.regressed), comparison.decidedBy == Metric.total.id,
      !comparison.isOnlyWaiting, let total = comparison.total,
      let onCore = comparison.parts.first(where: { $0.metric == .onCore })
    else { return nil }
    let growth = total.shift.estimate.absolute
    let waiting = min(growth, growth - onCore.shift.estimate.absolute)
    guard waiting > max(growth / 4, total.thresholds.absolute) else { return nil }
    let (all, part) = (numbers.withUnit(growth, .nanoseconds), numbers.withUnit(waiting, .nanoseconds))
    return "by the estimates, \(part) of the \(all) more are waiting for a processor"
  }

  /// Whether a live comparison could not tell work from waiting for a processor. With perf events, that decides most comparisons
  /// on a busy machine.
  func lacksOnCoreTime(_ comparison: LaunchComparison) -> Bool {
    let counted = comparison.counted
    return comparison.total?.shift.design == .rounds
      && !(counted.base + counted.head).contains { $0.values[.onCore] != nil }
  }

  func sentence(_ growth: TailGrowth) -> String {
    let (unit, label) = (growth.metric.unit, Self.label(growth.metric))
    let change = growth.base > 0 ? ": \(numbers.percent((growth.head - growth.base) / growth.base))" : ""
    let isChecked = result.budgets.contains { $0.metric == growth.metric && $0.budget.fraction >= TailGrowth.fraction }
    return "the slowest launches got slower: \(label) p90 \(numbers.value(growth.base, unit))\(numbers.arrow)"
      + "\(numbers.withUnit(growth.head, unit))\(change)"
      + (isChecked ? "" : "; to make the gate check this, set a budget for p90 of \(label)")
  }

  /// `of 3 budgets, 1 is broken: total p90, and 1 is undecided: total p50`, or `3 budgets kept`; nil without budgets.
  var budgetSummary: String? {
    let all = result.budgets
    guard !all.isEmpty else { return nil }
    func list(_ checks: [BudgetCheck], _ state: (String, String)) -> String? {
      guard !checks.isEmpty else { return nil }
      return "\(checks.count) \(checks.count == 1 ? state.0 : state.1): \(names(checks))"
    }
    let over = list(all.filter { $0.verdict == .over }, ("is broken", "are broken"))
    let open = list(all.filter { ![.over, .within].contains($0.verdict) }, ("is undecided", "are undecided"))
    let parts = [over, open].compactMap(\.self)
    let budgets = DecimalText.counted(all.count, "budget")
    return parts.isEmpty ? "\(budgets) kept" : "of \(budgets), " + parts.joined(separator: ", and ")
  }
}
