// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// Samples reveal work that was not recorded. It raises the same findings as recorded work.
struct InferredWorkTests {
  let millisecond: Int64 = 1_000_000

  func launch(exit: Int64 = 200_000_000) -> SampleLaunch { SampleLaunch(exit: exit, isInstrumented: false) }

  func findings(_ launch: SampleLaunch) -> [Finding] {
    LaunchTimeline(trace: launch.trace()).findings.filter { $0.id == FindingName.mainThreadOverBudget }
  }

  /// Nobody knows whether the call had begun, or was over, while the kernel worked and no sample was taken.
  @Test func timeWithoutSamplesIsPartOfTheError() {
    var launch = launch()
    launch.samples(["main", "first"], from: 0, to: 5 * millisecond)
    launch.samples(["main", "busy"], from: 10 * millisecond, to: 50 * millisecond)
    launch.samples(["main", "other"], from: 80 * millisecond, to: 85 * millisecond)
    launch.pause(from: 52 * millisecond, to: 76 * millisecond)
    let finding = findings(launch).first
    #expect(finding?.actual == 40 * millisecond)
    // One period, 5 ms before, 2 and 4 ms after.
    #expect(finding?.error == 12 * millisecond)
  }

  /// The evidence is of the call over budget, not of the many short ones that did something else.
  @Test func otherCallsOfAFunctionAreNoEvidence() {
    var launch = launch(exit: 400 * millisecond)
    launch.samples(["main", "handle", "open"], from: 0, to: 15 * millisecond)
    launch.samples(["main", "handle", "read"], from: 15 * millisecond, to: 30 * millisecond)
    for call in 1...20 as ClosedRange<Int64> {
      let start = call * 16 * millisecond
      launch.samples(["main", "tick"], from: start + 14 * millisecond, to: start + 16 * millisecond)
      launch.samples(["main", "handle", "tock"], from: start + 16 * millisecond, to: start + 30 * millisecond)
    }
    let finding = findings(launch).first
    #expect(finding?.subject == "handle" && finding?.evidence.first?.text == "handle")
    #expect(finding?.evidence.first?.time == 30 * millisecond)
  }

  /// node: each step inwards had most of the step before, and the last one a fifth of the call.
  @Test func whatHasMostOfACallHasMostOfItsTime() throws {
    func call(_ functions: String...) -> [SampleLaunch.Frame] {
      ["main", "run"] + functions.map { SampleLaunch.Frame($0, image: "/usr/lib/x86_64-linux-gnu/libjson.so.5") }
    }
    var launch = launch()
    launch.samples(call("load"), from: 0, to: 6 * millisecond)
    launch.samples(call("parse"), from: 6 * millisecond, to: 10 * millisecond)
    launch.samples(call("parse", "decode"), from: 10 * millisecond, to: 25 * millisecond)
    launch.samples(call("parse", "decode", "scan"), from: 25 * millisecond, to: 41 * millisecond)
    let finding = try #require(findings(launch).first)
    #expect(finding.subject == "run" && finding.actual == 41 * millisecond)
    #expect(finding.evidence.first == Evidence(.stack, "run > parse > decode", time: 31 * millisecond))
    #expect(finding.advice.hasPrefix("Most of it is in decode. "), "\(finding.advice)")
  }

  /// While a phase of an async `main` is suspended, its thread has returned from all calls.
  @Test func callsEndWhenTheMainActorLeavesTheirThread() {
    var (launch, worker) = SampleLaunch.mainActorElsewhere()
    launch.phase(
      "load", from: 64 * millisecond, to: 78 * millisecond, on: worker, [("main_actor", .bool(true))])
    launch.samples(["pool", "parse"], from: 30 * millisecond, to: 60 * millisecond, on: worker)
    launch.samples(["pool", "parse"], from: 64 * millisecond, to: 78 * millisecond, on: worker)
    let findings = findings(launch)
    #expect(findings.filter { $0.subject == "parse" }.map(\.actual) == [30 * millisecond])
  }

  @Test func theSameWorkElsewhereIsNotFlagged() {
    var launch = launch()
    let worker = launch.thread(5000, name: "worker")
    launch.samples(["start_thread", "busy"], from: 0, to: 60 * millisecond, on: worker)
    launch.samples(["main", "short"], from: 0, to: 5 * millisecond)
    #expect(findings(launch).isEmpty)
  }

  /// The stack of an optimised async function may contain only that function. Its thread tells whose work it is.
  @Test(arguments: [("ot.default-qos.overcommit", 1), ("root.default-qos", 0)])
  func asyncFunctionsOnTheMainQueuesThreadAreTheMainActors(thread: String, found: Int) {
    var launch = launch()
    let worker = launch.thread(5000, name: thread)
    launch.samples(["main"], from: 0, to: 2 * millisecond)
    launch.samples(["app.Model.load() async -> ()"], from: 5 * millisecond, to: 45 * millisecond, on: worker)
    let findings = findings(launch)
    #expect(findings.count == found)
    #expect(findings.allSatisfy { $0.subject == "app.Model.load() async -> ()" && $0.actual == 40 * millisecond })
  }

  @Test func theErrorBoundIsInFavourOfTheProgram() {
    for (time, isFlagged) in [(16, false), (17, false), (18, true)] as [(Int64, Bool)] {
      var launch = launch()
      launch.samples(["main", "busy"], from: 0, to: time * millisecond)
      #expect(findings(launch).isEmpty != isFlagged, "\(time) ms")
    }
  }

  @Test func callsInSeveralIntervalsAreNotOne() {
    var launch = launch()
    for part in 0..<5 as Range<Int64> {
      launch.interval("step", from: part * 6 * millisecond, to: (part + 1) * 6 * millisecond)
      launch.samples(["main", "work"], from: part * 6 * millisecond, to: (part + 1) * 6 * millisecond)
    }
    launch.samples(["main", "other"], from: 30 * millisecond, to: 31 * millisecond)
    #expect(findings(launch).isEmpty)
  }

  @Test func anIntervalOverBudgetTellsItsFunctions() {
    var launch = launch()
    launch.interval("parse configuration", from: 10 * millisecond, to: 60 * millisecond)
    launch.samples(["main", "run", "prepare"], from: 5 * millisecond, to: 10 * millisecond)
    launch.samples(["main", "run", "decode", "scan"], from: 10 * millisecond, to: 60 * millisecond)
    let findings = findings(launch)
    #expect(findings.map(\.subject) == ["parse configuration"])
    #expect(findings.first?.error == nil)
    #expect(findings.first?.evidence.contains { $0.kind == .stack && $0.text.hasSuffix("decode > scan") } == true)
  }

  @Test func whatIntervalsSayIsNotSaidAgainOfTheirCaller() {
    var launch = launch()
    launch.phase("did-finish-launching", from: 4 * millisecond, to: 70 * millisecond)
    launch.interval("first", from: 5 * millisecond, to: 8 * millisecond)
    // The interval begins and ends between samples.
    launch.interval("index", from: 8 * millisecond + 300_000, to: 50 * millisecond + 300_000)
    launch.samples(["main", "run", "before"], from: 0, to: 4 * millisecond)
    launch.samples(["main", "run", "closure", "small"], from: 5 * millisecond, to: 8 * millisecond)
    launch.samples(["main", "run", "closure", "inner", "work"], from: 9 * millisecond, to: 50 * millisecond)
    #expect(findings(launch).map(\.subject) == ["index"])
  }

  /// The finding had the time of the interval as well, and came first, although only the rest made it a finding.
  @Test func aFindingLeavesOutTheIntervalsThatTheFunctionCalled() throws {
    var launch = launch()
    launch.interval("index", from: 30 * millisecond, to: 90 * millisecond)
    launch.samples(["main", "run", "before"], from: 0, to: 10 * millisecond)
    launch.samples(["main", "run"], from: 10 * millisecond, to: 30 * millisecond)
    launch.samples(["main", "run", "work"], from: 30 * millisecond, to: 90 * millisecond)
    launch.samples(["main", "run"], from: 90 * millisecond, to: 100 * millisecond)
    launch.pause(from: 40 * millisecond, to: 80 * millisecond)
    launch.look("wait4", at: 50 * millisecond)
    let findings = findings(launch)
    #expect(findings.map(\.subject) == ["index", "run"])
    let finding = try #require(findings.last)
    #expect(finding.actual == 40 * millisecond)
    #expect(finding.evidence.filter { $0.kind == .note }.map(\.time) == [60 * millisecond])
    #expect(finding.evidence.filter { $0.kind == .state }.map(\.text) == ["running"])
    // Most of the call was a wait, but not most of what is reported.
    #expect(finding.advice.hasPrefix("Make the program do less of it"))
  }

  @Test func theMainActorsWorkIsFoundOnOtherThreads() {
    var launch = SampleLaunch(preinit: millisecond)
    launch.mark("main", at: 2 * millisecond)
    let worker = launch.thread(5000, name: "pool")
    launch.phase(
      "scene-connect", from: 10 * millisecond, to: 60 * millisecond, on: worker, [("main_actor", .bool(true))])
    launch.mark("ready", at: 100 * millisecond)
    launch.samples(["start_thread", "make views"], from: 10 * millisecond, to: 50 * millisecond, on: worker)
    launch.samples(["start_thread", "elsewhere"], from: 61 * millisecond, to: 99 * millisecond, on: worker)
    #expect(findings(launch).map(\.subject) == ["make views"])
  }

  @Test func functionsStandBelowTheirIntervalInTheMergedTree() {
    var launch = SampleLaunch(preinit: millisecond)
    launch.mark("main", at: 2 * millisecond)
    launch.interval("parse", from: 10 * millisecond, to: 20 * millisecond)
    launch.mark("ready", at: 30 * millisecond)
    launch.samples(["main", "run"], from: 5 * millisecond, to: 10 * millisecond)
    launch.samples(["main", "run", "decode", "scan"], from: 10 * millisecond, to: 18 * millisecond)
    let worker = launch.thread(5000, name: "pool")
    launch.samples(["start_thread", "elsewhere"], from: 10 * millisecond, to: 12 * millisecond, on: worker)
    let timeline = LaunchTimeline(trace: launch.trace())
    let flame = timeline.mergedFlame
    let rows = (0..<flame.count).map {
      "\(flame.path(of: $0).joined(separator: ";")) \(flame.total[$0] / millisecond)"
    }
    #expect(
      rows.sorted() == [
        "main thread 30", "main thread;load 1", "main thread;main 28", "main thread;main;parse 10",
        "main thread;main;parse;decode 8", "main thread;main;parse;decode;scan 8", "main thread;main;run 5",
        "main thread;static-init 1", "pool (5000) 2",
        "pool (5000);start_thread 2", "pool (5000);start_thread;elsewhere 2",
      ])
    let inferred = flame.flags.map { $0.contains(.inferred) }
    #expect(inferred.count { $0 } == 5)
    #expect(timeline.sampleFlame?.total.first == 13 * millisecond)
  }

  /// Each is compared with all others.
  @Test func notAllOfManyFunctionsAreReported() {
    var launch = launch(exit: 100_000 * millisecond)
    for place in 0..<2500 as Range<Int64> {
      let start = place * 30 * millisecond
      launch.samples(
        ["main", .init(stringLiteral: "work\(place)")], from: start, to: start + (place < 10 ? 30 : 20) * millisecond)
    }
    let found = findings(launch)
    // 2000 were looked at; `main`, which all are in, is one of them.
    #expect(found.count == 1999)
    // The longest ones are reported.
    #expect(found.count { $0.actual == 30 * millisecond } == 10)
  }

  /// Each function calls the next one after a millisecond. To go through all levels for each of them would take minutes.
  @Test func deepStacksTakeFewSteps() throws {
    let functions = 1...6000
    let nodes = functions.map { "{\"id\":\($0),\"callFrame\":{\"functionName\":\"f\($0)\"},\"children\":[\($0 + 1)]}" }
    let samples = functions.map(String.init).joined(separator: ",")
    let deltas = functions.map { _ in "1000" }.joined(separator: ",")
    let text = "{\"nodes\":[\(nodes.joined(separator: ","))],\"samples\":[\(samples)],\"timeDeltas\":[\(deltas)]}"
    let trace = try Array(text.utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) }
    let found = LaunchTimeline(trace: trace).findings.filter { $0.id == FindingName.mainThreadOverBudget }
    #expect(found.count > 10)
  }
}
