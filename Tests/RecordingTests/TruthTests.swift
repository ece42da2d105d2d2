// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// Programs that are held up in known ways: each launch has the finding, with its place and size, and no other
/// finding. `ReverseTruthTests` does the same off the main thread, where it is not a finding.
struct TruthTests {
  private let truth: Truth
  private var launchprof: Launchprof { truth.launchprof }

  init() throws { truth = try Truth() }

  private let millisecond: Int64 = 1_000_000

  @Test func workOverBudgetIsNamedThreeCallsDeep() throws {
    let lines = try HeldUp.lines(of: "busy_function")
    try truth.expect(["busy"], finds: "main-thread-over-budget") { finding, check in
      check(finding.subject == "busy_function", finding.subject)
      check(finding.path.contains("main") && finding.path.suffix(2) == ["outer", "middle"], "\(finding.path)")
      check(finding.phase == "main", finding.phase ?? "no phase")
      check(finding.file?.hasSuffix("/held-up.c") == true, finding.file ?? "no file")
      check(lines.contains(finding.line ?? 0), "line \(finding.line ?? 0)")
      // A sampling period, and what no sample saw before and after.
      let error = finding.error ?? 0
      check(finding.expected == 16 * millisecond && error >= millisecond, "\(finding.expected) ± \(error)")
      // 40 ms of processor time. The time without a processor does not count.
      let truth = 37 * millisecond...55 * millisecond
      check(truth.overlaps(finding.actual - error...finding.actual + error), "\(finding.actual) ± \(error) ns")
      let ran = finding.piece("state") { $0.text == "running" }?.time ?? 0
      check(truth.overlaps(ran - error...ran + error), "ran for \(ran) ns")
      check(finding.piece("stack")?.text.contains("busy_function") == true, "no stack")
    }
  }

  @Test func aSleep() throws {
    try truth.expect(["sleep"], finds: "main-thread-waiting") { finding, check in
      check(finding.subject.hasSuffix("nanosleep"), finding.subject)
      check(finding.expected == 16 * millisecond, "\(finding.expected) expected")
      check((50 * millisecond...70 * millisecond).contains(finding.actual), "\(finding.actual) ns")
      check(finding.phase == "main", finding.phase ?? "no phase")
      check(finding.piece("system-call")?.text.hasSuffix("nanosleep") == true, "no system call")
      check(finding.advice.contains("slept"), finding.advice)
    }
  }

  /// For the kernel, it is the wait of an event loop.
  @Test func aLookUpOfAHostName() throws {
    try truth.expect(["lookup"], finds: "main-thread-waiting") { finding, check in
      check(finding.subject == "name server 127.0.0.9", finding.subject)
      check((50 * millisecond...70 * millisecond).contains(finding.actual), "\(finding.actual) ns")
      check(finding.piece("system-call")?.text.hasSuffix("poll") == true, "no system call")
      check(finding.advice.contains("looked up a host name"), finding.advice)
    }
  }

  @Test func aLockAndWhoHeldIt() throws {
    try truth.expect(["lock"], finds: "main-thread-waiting") { finding, check in
      check(finding.subject.hasPrefix("lock-holder ("), finding.subject)
      check((47 * millisecond...70 * millisecond).contains(finding.actual), "\(finding.actual) ns")
      check(finding.phase == "main", finding.phase ?? "no phase")
      check(finding.piece("thread")?.text.contains("held the lock") == true, "no holder")
      check(finding.piece("system-call")?.text == "futex", "no system call")
    }
  }

  /// The main thread waits for the end of a thread, which waits for a lock. Its holder works 40 ms and sleeps 20 ms.
  @Test func aWaitBehindAWait() throws {
    try truth.expect(["chain"], finds: "main-thread-waiting") { finding, check in
      check(finding.subject.hasPrefix("middle ("), finding.subject)
      check((57 * millisecond...200 * millisecond).contains(finding.actual), "\(finding.actual) ns")
      let threads = finding.evidence?.filter { $0.kind == "thread" } ?? []
      check(threads.count == 2 && threads[0].text.hasSuffix(") had to end"), "\(threads)")
      check(threads.last?.text.hasPrefix("lock-holder (") == true, "\(threads)")
      check(threads.last?.text.contains(" held the lock that middle (") == true, "\(threads)")
      check(threads.last?.text.hasSuffix(", in busy_function") == true, "\(threads)")
      check(threads.last?.time ?? 0 >= 55 * millisecond, "\(threads)")
    }
    let (run, trace) = try launchprof.record([HeldUp.program(), "chain"])
    #expect(run.succeeded)
    let table = try launchprof.run(["report", trace, "--by", "thread", "--format", "csv"]).text
    let holder = table.split(separator: "\r\n").first { $0.hasPrefix("thread,lock-holder (") } ?? ""
    // The last two columns: how long the launch was this thread's work, and how much of that is only likely.
    let numbers = holder.split(separator: ",", omittingEmptySubsequences: false).suffix(2).map { Int64($0) ?? -1 }
    #expect(numbers.first ?? 0 >= 55 * millisecond, "\(table)")
  }

  @Test func aColdFile() throws {
    let path = try truth.coldFile()
    try launchprof.directory.write(Array("milestones:\n  first-frame: 50ms\n".utf8), to: "budgets.yml")
    try truth.expect(
      ["read", path], options: ["--budgets", launchprof.directory.appending("budgets.yml")],
      finds: "main-thread-blocked-io", besides: ["launch-over-budget", "main-thread-in-kernel"]
    ) { finding, check in
      check(finding.subject == path, finding.subject)
      // 9 % of 50 ms.
      check(finding.expected == 4_500_000, "\(finding.expected) expected")
      // How long it did not run, by its own clocks. They count a switch as work, and it waits 480 times.
      let truth = finding.output ?? 0
      let most = truth + truth / 5 + 5 * millisecond
      check((truth * 3 / 4...most).contains(finding.actual), "\(finding.actual) ns of \(truth)")
      check(finding.phase == "main", finding.phase ?? "no phase")
      check(finding.piece("file")?.text == path, "no file")
    }
  }

  @Test func aProcessorSharedWithOwnChildren() throws {
    try truth.expect(
      ["share"], options: ["--follow"], finds: "cpu-contention",
      besides: ["main-thread-waiting", "main-thread-over-budget"]
    ) { finding, check in
      check(finding.subject.hasPrefix("spinner ("), finding.subject)
      check(finding.evidence?.count { $0.text.hasPrefix("spinner (") } == 2, "\(finding.evidence ?? [])")
      // Three processes share one processor until 40 ms of work are done.
      check((40 * millisecond...400 * millisecond).contains(finding.actual), "\(finding.actual) ns")
      let runnable = finding.launch?.finding("main-thread-runnable")
      check(runnable?.actual == finding.actual, "runnable for \(runnable?.actual ?? 0) ns")
      check(runnable?.phase == "main", "in \(runnable?.phase ?? "no phase")")
    }
  }

  @Test func theMainActorOnAnotherThread() throws {
    let program = try truth.asyncProgram()
    try truth.expect(program: program, ["actor"], finds: "main-thread-over-budget") { finding, check in
      check(finding.subject.contains("Model.loadEverything()"), finding.subject)
      check(finding.file?.hasSuffix("/actor.swift") == true, finding.file ?? "no file")
      check((5...8).contains(finding.line ?? 0), "line \(finding.line ?? 0)")
      check((36 * millisecond...60 * millisecond).contains(finding.actual), "\(finding.actual) ns")
    }
  }

  /// The launch ends with the program, or with its line.
  @Test(arguments: [[], ["--ready", "7"]])
  func aSleepBehindAnAsyncMain(options: [String]) throws {
    let program = try truth.asyncProgram()
    try truth.expect(program: program, ["sleep"], options: options, finds: "launch-waiting") { finding, check in
      check(finding.subject == "clock_nanosleep", finding.subject)
      check(finding.expected == 16 * millisecond, "\(finding.expected)")
      check((58 * millisecond...75 * millisecond).contains(finding.actual), "\(finding.actual) ns")
      check(finding.piece("thread")?.text.hasSuffix(" waited") == true, "no thread")
      check(finding.phase == "main", finding.phase ?? "no phase")
    }
  }

  @Test func setUpThatRepeats() throws {
    let series = launchprof.directory.appending("series/")
    let run = try launchprof.run(["record", "-q", "-n", "3", "-o", series, "--", Launchprof.instrumented, "setup"])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    let repeated = try FoundReport(launchprof, series).launches.map { $0.findings.filter { $0.id == Self.setup } }
    #expect(repeated.map(\.count) == [0, 1, 1])
    for finding in repeated.flatMap(\.self) {
      #expect(finding.subject == "one-time-setup")
      #expect(finding.phase == "one-time-setup")
      // 2 ms of processor time.
      #expect((2 * millisecond...100 * millisecond).contains(finding.actual), "\(finding.actual)")
      #expect(finding.expected == 0)
      #expect(finding.piece("note") != nil)
    }
  }

  static let setup = "one-time-setup-repeated"

  @Test func whoseTimeItWas() throws {
    let (run, trace) = try launchprof.record([HeldUp.program(), "busy"])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    func table(_ aspect: String) throws -> String {
      let report = try launchprof.run(["report", trace, "--by", aspect, "--format", "csv"])
      #expect(report.outcome == .exited(0))
      return report.text
    }
    let symbol = try table("symbol").split(separator: "\r\n").first { $0.hasPrefix("symbol,busy_function,ns,") }
    let numbers = (symbol ?? "").split(separator: ",").compactMap { Int64($0) }
    #expect(numbers.count >= 2 && numbers[0] >= 30 * millisecond, "\(symbol ?? "no such row")")
    #expect(try table("library").contains("\r\nlibrary,held-up,ns,"))
    #expect(try table("phase").contains("\r\nphase,main,ns,"))
    #expect(try table("thread").contains("\r\nthread,main thread,ns,"))
    #expect(try table("state").contains("\r\nstate,running,ns,"))
    let merged = try launchprof.run(["report", trace, "--merge", "--width", "120"])
    #expect(merged.text.contains("~busy_function"))
    let unknown = try launchprof.run(["report", trace, "--by", "weather"])
    #expect(unknown.outcome == .exited(1) && unknown.errorText.contains("no launch has metadata of this name"))
  }
}
