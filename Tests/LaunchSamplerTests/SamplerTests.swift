// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// Programs with no launcher around them, which sample themselves.
struct SamplerTests {
  /// A phase's default budget, ns.
  private let budget: Int64 = 16_000_000

  @Test(arguments: [[], ["complete"], ["running"]])
  func aPhaseOverBudgetHasItsStacks(options: [String]) throws {
    let sampled = try options.isEmpty ? SampledRun("phase") : SampledRun("phase", options[0])
    let trace = try sampled.trace()
    let phase = try #require(trace.ranges(ofSlices: "did-finish-launching").first)
    // 80 ms of CPU time, of which 16 are its budget; ticks are 4 ms apart, and a loaded machine misses some.
    let ticks = try trace.samples.count + sampled.count("missed")
    #expect(ticks >= (options == ["running"] ? 1 : 15) && trace.samples.count > 0, "\(sampled.run.text)")
    #expect(trace.samples.count == (try sampled.count("samples")))
    #expect(trace.sampleUnit == "ns")
    for row in 0..<trace.samples.count {
      let track = trace.tracks[Int(trace.samples.track[row])]
      #expect(track.isMainThread)
      #expect(trace.samples.time[row] >= phase.lowerBound + budget)
    }
    // Of SwiftPM's programs the build id is known, so that a report names their functions by itself.
    let folded = try sampled.foldedReport()
    let chain = ["main(milliseconds", "parseEverything(", "parseOne(", "burn("].dropFirst()
    #expect(
      folded.split(separator: "\n").contains { line in
        var rest = line
        return line.contains("did-finish-launching;")
          && chain.allSatisfy { name in
            guard let found = rest.firstRange(of: name) else { return false }
            rest = rest[found.upperBound...]
            return true
          }
      }, "\(folded)")
  }

  @Test func whatIsWithinItsBudgetIsNotSampled() throws {
    let sampled = try SampledRun("quick")
    let trace = try sampled.trace()
    let phases = trace.ranges(ofSlices: "did-finish-launching")
    #expect(phases.count == 40)
    // A loaded machine can put a phase of 2 ms over its budget; only then there is a stack, and that soon.
    for time in trace.samples.time {
      #expect(
        phases.contains { phase in
          phase.lowerBound + budget <= min(time, phase.upperBound) && time <= phase.upperBound + 100_000_000
        })
    }
  }

  @Test func aBusyThreadInNoPhaseHasItsStacks() throws {
    let sampled = try SampledRun("no-phase")
    // A wait for a lock of the runtime's would end what is one piece of work.
    #expect(try sampled.count("samples") > 10)
    #expect(try sampled.foldedReport().contains("burn("))
  }

  @Test func waitingIsSampledInAPhaseOnly() throws {
    let asleep = try SampledRun("asleep")
    #expect(try asleep.count("samples") > 10)
    #expect(try asleep.foldedReport().contains("waitForEver"))
    // A loaded machine can make what comes before the wait a piece of work of 16 ms; 80 ms of waiting would be 80 stacks.
    #expect(try SampledRun("idle").count("samples") < 20)
    // No signal, no stack, no EINTR: the thread used no CPU time.
    #expect(try SampledRun("asleep", "running").count("samples") <= 1)
  }

  /// After an async `main` suspended, the main actor's work runs on whichever thread serves the main queue.
  @Test func theMainActorIsFollowedToItsThread() throws {
    let sampled = try SampledRun.undisturbed("actor")
    let trace = try sampled.trace()
    let name = try #require(trace.strings.id(of: "did-finish-launching")?.rawValue)
    let phase = try #require(trace.slices.name.firstIndex(of: name))
    #expect(trace.samples.count > 15, "\(sampled.run.text)")
    #expect(trace.samples.track.allSatisfy { $0 == trace.slices.track[phase] })
    #expect(try sampled.foldedReport().contains("burn("))
  }

  /// A phase that may suspend has no thread: what the main actor runs in it does, on whichever one.
  @Test(arguments: ["", "profiling-signal"])
  func aPhaseThatSuspendsIsFollowedToItsThread(option: String) throws {
    let sampled = try SampledRun.withoutPause(budget, "async", "sleep", option)
    let trace = try sampled.trace()
    let phase = try #require(trace.ranges(ofSlices: "did-finish-launching").first)
    // A loaded machine can make what comes before the phase a piece of work of 16 ms.
    let samples = trace.samples.time.indices.filter { trace.samples.time[$0] >= phase.lowerBound }
    // An idle machine gives 16 to 20 stacks, a loaded one gave 11.
    #expect(samples.count > 7, "\(sampled.run.text)")
    #expect(Set(samples.map { trace.samples.track[$0] }).count == 1)
    #expect(samples.allSatisfy { !trace.tracks[Int(trace.samples.track[$0])].isMainThread })
    // It ends with 80 ms in which no thread runs it: 20 stacks, if that were sampled. A loaded machine can hold up what
    // runs just before the phase or at its end, which are one stack each.
    let sampledPart = phase.lowerBound + budget...phase.upperBound - 60_000_000
    #expect(samples.count { !sampledPart.contains(trace.samples.time[$0]) } <= 2)
    let finding = try #require(
      LaunchTimeline(trace: trace).findings.first {
        $0.id == FindingName.mainThreadOverBudget && $0.phase == "did-finish-launching"
      })
    #expect(finding.error == 1_000_000)
    let report = try sampled.report("--findings").filter { $0 != "\n" }
    #expect(report.contains("burn(") && report.contains("SampledProgram.swift:"), "\(report)")
  }

  @Test func whatRunsInAPhaseThatMaySuspendIsSampled() throws {
    let sampled = try SampledRun.undisturbed("async-first")
    #expect(try sampled.count("samples") > 15)
    let trace = try sampled.trace()
    #expect(trace.samples.track.allSatisfy { trace.tracks[Int($0)].isMainThread })
  }

  @Test func aBusyMainActorInNoPhaseHasItsStacks() throws {
    let sampled = try SampledRun("actor-no-phase")
    #expect(try sampled.count("samples") > 10)
    #expect(try sampled.foldedReport().contains("burn("))
  }

  @Test func itEndsWithTheLaunch() throws {
    let sampled = try SampledRun("phase", "launch")
    let trace = try sampled.trace()
    let ready = try #require(
      trace.instants.name.indices.first { trace.strings[StringID(rawValue: trace.instants.name[$0])] == "ready" })
    let (end, count) = (trace.instants.time[ready], trace.samples.count)
    let later = trace.samples.time.count { $0 > end }
    #expect(count > later)
    // The program goes on for 60 ms. One stack may be on its way, and another one taken before the end is noticed.
    #expect(later <= 2)
  }

  @Test func itIsBounded() throws {
    let count = try SampledRun("phase", "limit").count("samples")
    #expect(count >= 1 && count <= 10)
  }

  @Test func aStopBeforeTheStartEndsNothing() throws {
    #expect(try SampledRun("phase", "stopped").count("samples") > 0)
  }

  @Test func whatCannotBeIsSaid() throws {
    let handled = try SampledRun("phase", "handled")
    #expect(handled.run.outcome == .exited(3))
    #expect(handled.run.text.contains("handles the sampler's signal itself"))
    #expect(try SampledRun("twice").run.text.contains("was called before"))
    #expect(try SampledRun("phase", "invalid").run.text.contains("Options.signal is not"))
    #expect(try SampledRun("phase", "unrecorded").run.text.contains("watched false"))
  }

  /// The launcher takes stacks itself; taken twice, they would count twice.
  @Test func underALauncherItIsAsked() throws {
    let directory = try TemporaryDirectory(keepsTraces: true)
    func text(_ words: String...) throws -> String {
      let program = try BuiltProgram.product("sampled-program")
      let arguments = ["record", "-q", "-o", "t.pftrace", "--", program, "unused.pftrace", "phase"] + words
      return try TestProcess.run(
        BuiltProgram.command, arguments, directory: directory.path
      ).text
    }
    #expect(try text().contains("watched false"))
    #expect(try text("beside").contains("watched true"))
  }

  @Test func tracesAreSoundForOthers() throws {
    let sampled = try SampledRun("phase", "launch")
    let path = sampled.tracePath
    try TraceSchema.check(paths: [path])
    #expect(try TraceProcessor.errorStatistics(path: path).isEmpty)
    let rows = try TraceProcessor.query(
      path: path, sql: "select count(*) from perf_sample where callsite_id is not null")
    #expect(rows[0][0] == "\(try sampled.count("samples"))")
  }
}
