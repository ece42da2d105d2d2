// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Foundation
import LaunchAnalysis
import LaunchTelemetry
import LaunchTrace
import TestSupport
import Testing

/// Work that the launch waits for belongs to the launch, on whichever thread it runs.
final class AsyncProgramTests: CommandSuite {
  private func timeline(_ trace: String) throws -> LaunchTimeline {
    LaunchTimeline(trace: try TraceReader().read(path: trace))
  }

  /// With the recorder alone, and with the launcher's observation.
  @Test(arguments: [["--no-observation"], []])
  func anIntervalThatTheLaunchAwaitsIsAFinding(options: [String]) throws {
    // Only a launcher that looks at the wait while it lasts knows that it is for events.
    let unseen = try LaunchSeries.unseen {
      let (run, trace) = try launchprof.record([Launchprof.asynchronous, "query"], options: options)
      #expect(run.outcome == .exited(0), "\(run.errorText)")
      let timeline = try timeline(trace)
      guard let finding = timeline.findings.first(where: { $0.subject == "query" }) else {
        return timeline.findings.map { "\($0.id) \($0.subject)" }
      }
      #expect(finding.id == FindingName.intervalOverBudget)
      #expect(finding.expected == 16_000_000)
      #expect(finding.actual >= 70_000_000)
      #expect(finding.advice.contains("waits for it"))
      let note = try #require(finding.evidence.first { $0.kind == .note })
      if timeline.states.isKnown {
        #expect(try #require(note.time) > 16_000_000)
      } else {
        #expect(note.text.contains("waiting for events"))
      }
      return []
    }
    #expect(unseen.isEmpty, "\(unseen)")
  }

  /// The same after the main actor has moved to a worker thread, which idles meanwhile.
  @Test func theLaunchAwaitsItAlsoIfTheMainActorHasMoved() throws {
    let (run, trace) = try launchprof.record([Launchprof.asynchronous, "hop"])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    let findings = try timeline(trace).findings
    #expect(findings.contains { $0.id == FindingName.intervalOverBudget && $0.subject == "decode" })
    #expect(!findings.contains { $0.id == FindingName.mainThreadWaiting }, "\(findings)")
  }

  /// The main actor is on a worker thread. Its first thread waits for events the whole time, but the launch does not
  /// wait for work of other threads while the main actor itself works.
  @Test func workBesideTheMainActorIsNotAwaited() throws {
    let run = try TestProcess.run(Launchprof.asynchronous, ["beside"])
    let summary = try JSONDecoder().decode(LaunchSummary.self, from: Data(run.output))
    #expect(summary.intervals.map(\.name) == ["beside", "awaited"])
    #expect(summary.intervals.map(\.isAwaited) == [false, true])
    #expect(summary.overBudget.filter { $0.kind == .interval }.map(\.name) == ["awaited"])
  }

  @Test func budgetsByNameHoldOnEveryThread() throws {
    try launchprof.directory.write(
      "intervals: {query: 5ms, fetch: 30ms}\nphases: {load-catalogue: 7ms}\n", to: "launch-budgets.yml")
    let unseenQuery = try LaunchSeries.unseen {
      let (_, query) = try launchprof.record([Launchprof.asynchronous, "query"])
      let findings = try timeline(query).findings
      guard let finding = findings.first(where: { $0.subject == "query" }) else {
        return findings.map { "\($0.id) \($0.subject)" }
      }
      #expect(finding.expected == 5_000_000)
      return []
    }
    #expect(unseenQuery.isEmpty, "\(unseenQuery)")
    let unseenFetch = try LaunchSeries.unseen {
      let (_, phase) = try launchprof.record([Launchprof.asynchronous, "phase"], to: "phase.pftrace")
      let findings = try timeline(phase).findings
      #expect(findings.contains { $0.id == FindingName.phaseOverBudget && $0.subject == "load-catalogue" })
      // The phase may have a finding of this subject, too.
      let fetch = findings.first { $0.id == FindingName.intervalOverBudget && $0.subject == "fetch" }
      guard let fetch else { return findings.map { "\($0.id) \($0.subject)" } }
      #expect(fetch.expected == 30_000_000)
      return []
    }
    #expect(unseenFetch.isEmpty, "\(unseenFetch)")
  }

  @Test func theGateKnowsThem() throws {
    for mode in ["query", "phase"] {
      let directory = launchprof.directory.appending(mode) + "/"
      _ = try launchprof.run(["record", "-q", "-n", "2", "-o", directory, "--", Launchprof.asynchronous, mode])
    }
    func gate(_ metric: String, _ mode: String) throws -> TestProcess {
      try launchprof.directory.write("gate:\n  budgets:\n    \(metric): {p50: 1ms}\n", to: "launch-budgets.yml")
      return try launchprof.run(["gate", "--inconclusive", "pass", mode])
    }
    for (metric, mode) in [("interval/query", "query"), ("interval/fetch", "phase"), ("phase/load-catalogue", "phase")]
    {
      let run = try gate(metric, mode)
      // Two launches do not prove it. The test only checks that they are measured.
      #expect(run.outcome == .exited(0) || run.outcome == .exited(2), "\(metric): \(run.errorText)")
      #expect(run.text.contains(metric.replacing("/", with: " ")), "\(run.text)")
    }
    #expect(try gate("interval/nothing", "query").outcome == .exited(1))
  }

  /// The program is never ready, so the callback comes when the deadline has passed.
  @Test func aLaunchThatIsNeverReadyIsToldOf() throws {
    let run = try TestProcess.run(Launchprof.asynchronous, ["overdue"])
    #expect(run.outcome == .exited(0))
    let summary = try JSONDecoder().decode(LaunchSummary.self, from: Data(run.output))
    #expect(!summary.isComplete)
    #expect(summary.endMilestone == nil)
    #expect(summary.version == "7.1")
    #expect(summary.total >= .seconds(3))
    #expect(summary.intervals.map(\.name) == ["before the deadline"])
    #expect(summary.intervals.first?.isOnMainThread == true)
    #expect(summary.phases.map(\.id).contains("load"))
    // By the machine's clock it began before now, and not long ago.
    let age = Duration.seconds(Date().timeIntervalSince1970) - summary.wallClockStart
    #expect(age > .zero && age < .seconds(3600))
    // The keys are readable for people.
    #expect(run.text.contains("\"durationNanoseconds\":"))
  }
}
