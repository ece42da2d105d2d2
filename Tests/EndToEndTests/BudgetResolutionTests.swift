// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Foundation
import LaunchAnalysis
import LaunchTelemetry
import LaunchTrace
import TestSupport
import Testing

/// The recorder, the callback's summary, the report and its findings resolve budgets from all sources alike.
final class BudgetResolutionTests: CommandSuite {
  private static let names: [BudgetRule.Kind: [String]] = [
    .interval: ["alpha", "beta", "gamma", "*"], .phase: ["one", "two", "three"],
    .milestone: ["ready", "first-frame", "custom"],
  ]

  /// An extended launch task. Only a budget by its name would apply to it.
  private static let task = "feed"

  /// Some budgets are always exceeded and some never, so the result does not depend on the machine's speed.
  private static func time(_ random: inout SeededGenerator) -> Int64 {
    let time = Int64.random(in: 1...900, using: &random)
    return Bool.random(using: &random) ? time : time * 3_600_000_000_000
  }

  private struct Case {
    var file = ""
    var script = ""
  }

  private static let labels = [["url", "timer"], ["userLaunch", "backgroundLaunch"], ["first", "warm"]]

  private func name(_ kind: BudgetRule.Kind, _ random: inout SeededGenerator) -> String {
    Self.names[kind]?.randomElement(using: &random) ?? ""
  }

  /// Reason, context and kind; empty for any.
  private func conditions(_ random: inout SeededGenerator) -> [String] {
    var result: [String] = []
    for values in Self.labels {
      result.append(Bool.random(using: &random) ? "" : values.randomElement(using: &random) ?? "")
    }
    return result
  }

  private func randomCase(_ random: inout SeededGenerator) -> Case {
    var result = Case()
    for (author, most) in [("host", 3), ("program", 5)] {
      for _ in 0..<Int.random(in: 0...most, using: &random) {
        let kind = BudgetRule.Kind.allCases.randomElement(using: &random) ?? .phase
        let when = Bool.random(using: &random) ? "\t" + conditions(&random).joined(separator: "\t") : ""
        result.script += "\(author)\t\(kind.rawValue)\t\(name(kind, &random))\t\(Self.time(&random))\(when)\n"
      }
    }
    for (key, values) in zip(["reason", "context", "kind"], Self.labels) where Int.random(in: 0...3, using: &random) > 0
    {
      result.script += "label\t\(key)\t\(values.randomElement(using: &random) ?? "")\n"
    }
    for kind in [BudgetRule.Kind.interval, .phase] {
      for name in Self.names[kind] ?? [] where name != "*" {
        result.script += "\(Bool.random(using: &random) ? "main" : "elsewhere")\t\(kind.rawValue)\t\(name)\n"
      }
    }
    if Bool.random(using: &random) { result.script += "task\t\(Self.task)\n" }
    for mark in ["ready", "first-frame", "custom"].shuffled(using: &random).prefix(2) {
      result.script += "mark\t\(mark)\n"
    }
    result.file = file(&random)
    return result
  }

  private func file(_ random: inout SeededGenerator) -> String {
    var lines: [String] = []
    for kind in BudgetRule.Kind.allCases where Bool.random(using: &random) {
      let name = name(kind, &random)
      lines.append(
        name == "*" ? "interval: \(Self.time(&random))ns" : "\(kind.rawValue)s: {\(name): \(Self.time(&random))ns}")
    }
    var when: [String] = []
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let asked = zip(["reason", "context", "kind"], conditions(&random)).filter { !$0.1.isEmpty }
      guard !asked.isEmpty else { continue }
      let launch = asked.map { "\($0.0): \($0.1)" }.joined(separator: ", ")
      when.append("  - {\(launch), phases: {\(name(.phase, &random)): \(Self.time(&random))ns}}")
    }
    if !when.isEmpty { lines += ["when:"] + when }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The answer of one of them: budgets by kind and name, ns, and what exceeded its budget.
  private struct Word: Equatable {
    var budgets: [String: Int64] = [:]
    var over: Set<String> = []
  }

  @Test func allResolveTheSameBudgets() throws {
    var random = SeededGenerator()
    for number in 0..<40 {
      let test = randomCase(&random)
      try launchprof.directory.write(test.file, to: "launch-budgets.yml")
      // With a directory the kind of the launch is `first`, whatever the program says.
      let first = Bool.random(using: &random) ? ["--first-launch", launchprof.directory.appending("homes")] : []
      let (run, trace) = try launchprof.record(
        [Launchprof.asynchronous, "budgets", test.script], options: ["--no-observation"] + first,
        to: "\(number).pftrace")
      #expect(run.outcome == .exited(0), "\(run.errorText)")
      let summary = try JSONDecoder().decode(LaunchSummary.self, from: Data(run.output))
      let timeline = LaunchTimeline(trace: try TraceReader().read(path: trace))
      let comment = Comment(rawValue: "\(test.script)\n\(test.file)\n\(first)")
      let (callback, report) = (word(summary), word(timeline))
      #expect(callback == report, comment)
      #expect(recorded(timeline) == report.over, comment)
      // The report's findings agree with its budgets.
      let raised = timeline.findings.filter { $0.id.hasSuffix("over-budget") && !$0.id.hasPrefix("launch") }.map(
        \.subject)
      let late = timeline.budget.map { timeline.total > $0 } == true ? [timeline.endMilestone] : []
      #expect(Set(raised + late) == Set(report.over.map { String($0.split(separator: "/")[1]) }), comment)
    }
  }

  private func word(_ summary: LaunchSummary) -> Word {
    var word = Word()
    for phase in summary.phases where Self.names[.phase]?.contains(phase.id) == true {
      word.budgets["phase/\(phase.id)"] = phase.budget.map(nanoseconds)
    }
    for interval in summary.intervals { word.budgets["interval/\(interval.name)"] = interval.budget.map(nanoseconds) }
    for milestone in summary.milestones where Self.names[.milestone]?.contains(milestone.id) == true {
      word.budgets["milestone/\(milestone.id)"] = milestone.budget.map(nanoseconds)
    }
    word.over = Set(summary.overBudget.map { "\($0.kind.rawValue)/\($0.name)" })
    return word
  }

  private func nanoseconds(_ duration: Duration) -> Int64 {
    duration.components.seconds * 1_000_000_000 + duration.components.attoseconds / 1_000_000_000
  }

  private func word(_ timeline: LaunchTimeline) -> Word {
    var word = Word()
    func add(_ phases: [Phase]) {
      for phase in phases {
        if Self.names[.phase]?.contains(phase.id) == true {
          word.budgets["phase/\(phase.id)"] = phase.budget
          if phase.overBudget > 0 { word.over.insert("phase/\(phase.id)") }
        }
        add(phase.children)
      }
    }
    add(timeline.phases)
    add(timeline.parallelPhases)
    let (trace, spans) = (timeline.trace, timeline.spans)
    for row in 0..<spans.count {
      let name = trace.strings[StringID(rawValue: trace.slices.name[row])]
      guard Self.names[.interval]?.contains(name) == true || name == Self.task else { continue }
      word.budgets["interval/\(name)"] = spans.budget(of: row, in: trace, by: timeline.budgets)
      if spans.flags[row].contains(.overBudget) { word.over.insert("interval/\(name)") }
    }
    for milestone in timeline.milestones where Self.names[.milestone]?.contains(milestone.id) == true {
      word.budgets["milestone/\(milestone.id)"] = milestone.budget
      if let budget = milestone.budget, milestone.time - timeline.start > budget {
        word.over.insert("milestone/\(milestone.id)")
      }
    }
    return word
  }

  /// What the recorder flagged during the launch.
  private func recorded(_ timeline: LaunchTimeline) -> Set<String> {
    let trace = timeline.trace
    func text(_ row: UInt32, _ key: String) -> String? {
      guard let id = trace.strings.id(of: key), case .string(let value)? = trace.annotations.value(row: row, key: id)
      else { return nil }
      return value
    }
    var flagged: Set<String> = []
    for row in 0..<trace.instants.count
    where trace.strings[StringID(rawValue: trace.instants.name[row])] == "over-budget" {
      let annotation = trace.instants.annotation[row]
      flagged.insert("\(text(annotation, "kind") ?? "")/\(text(annotation, "interval") ?? "")")
    }
    return flagged
  }
}
