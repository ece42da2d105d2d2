// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchAnalysis
import LaunchReport
import LaunchTrace
import TestSupport
import Testing

/// Folded stacks have no times: what looks like ns are counts, and each format says so.
struct CountedProfileTests {
  static func launches() throws -> LaunchSet {
    let stacks = "main;load;read 120\nmain;load;parse 40\nmain;idle 25\n"
    let trace = try Array(stacks.utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) }
    return LaunchSet([LaunchTimeline(trace: trace)], names: ["profiles/server.folded"])
  }

  private static func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func jsonSaysTheUnit() throws {
    let report = try Self.object(ReportFormat.json.string(Self.launches()))
    let launch = try #require((report["launches"] as? [[String: Any]])?.first)
    #expect(launch["unit"] as? String == "samples")
    #expect(launch["total"] as? Int == 185)
    let timed = try Self.object(
      ReportFormat.json.string(LaunchSet([LaunchTimeline(trace: SampleLaunch.held().trace())])))
    #expect((timed["launches"] as? [[String: Any]])?.first?["unit"] == nil)
  }

  @Test func csvHasNoTimes() throws {
    var options = ReportOptions()
    options.rows = .phases
    let rows = ReportFormat.csv.string(try Self.launches(), options: options).split(separator: "\r\n")
    let columns = rows[0].split(separator: ",", omittingEmptySubsequences: false)
    let fields = try #require(rows.dropFirst().first).split(separator: ",", omittingEmptySubsequences: false)
    for (column, field) in zip(columns, fields) where column.hasSuffix("_ns") { #expect(field.isEmpty, "\(column)") }
    options.rows = .statistics
    #expect(ReportFormat.csv.string(try Self.launches(), options: options).split(separator: "\r\n").count == 1)
  }

  @Test func noThreadLivedASample() throws {
    var options = ReportOptions()
    options.breakdown = .thread
    let text = ReportFormat.text.string(try Self.launches(), options: options)
    #expect(text.contains("total  self") && !text.contains("lived"), "\(text)")
  }

  @Test func theReportSaysThatNoMainThreadIsKnown() throws {
    var options = ReportOptions()
    options.mainThreadOnly = true
    let text = ReportFormat.text.string(try Self.launches(), options: options)
    #expect(text.contains("The trace does not say which thread is the main thread."), "\(text)")
  }

  @Test(arguments: [Breakdown.Aspect.symbol, .thread, .state]) func soDoesAReportByAnAspect(aspect: Breakdown.Aspect)
    throws
  {
    var options = ReportOptions()
    (options.mainThreadOnly, options.breakdown) = (true, aspect)
    let text = ReportFormat.text.string(try Self.launches(), options: options)
    #expect(text.contains("does not say which thread is the main thread"), "\(text)")
  }

  @Test func theSetIsCounted() throws {
    let one = try Self.launches().launches[0].timeline
    let set = LaunchSet([one, one, one])
    #expect(ReportFormat.text.string(set).contains("median 185 samples in all; the profiles have no times"))
    let summary = try #require(try Self.object(ReportFormat.json.string(set))["summary"] as? [String: Any])
    #expect(summary["unit"] as? String == "samples")
  }

  /// The weights of a call tree of Instruments are times, but nothing says when its samples were. Its total is that of
  /// all threads, not the time of a launch.
  @Test func aProfileOfTimesWithoutTimesIsNoLaunch() throws {
    let tree =
      "Weight\tSelf Weight\t\tSymbol Names\n3.00 ms  100.0%\t1.00 ms\t\tmain\n2.00 ms  66.6%\t2.00 ms\t\t load()\n"
    let trace = try Array(tree.utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) }
    let set = LaunchSet([LaunchTimeline(trace: trace)], names: ["tree.txt"])
    let text = ReportFormat.text.string(set)
    #expect(text.contains("ms in all; the profile has no times") && !text.contains("first event"), "\(text)")
    // Bars show shares. `load` is one sample, whose place in the profile says nothing.
    let bars = text.split(separator: "\n").filter { $0.contains("main") || $0.contains("load()") }
      .map { $0.split(separator: " ").first { $0.first == "█" }?.count { $0 == "█" } ?? 0 }
    #expect(bars.count == 2 && abs(bars[0] * 2 - bars[1] * 3) <= 3 && bars[1] > 10, "\(text)")
    let launch = try #require((try Self.object(ReportFormat.json.string(set))["launches"] as? [[String: Any]])?.first)
    #expect(launch["untimed"] as? Bool == true && launch["unit"] == nil && launch["total"] as? Int == 3_000_000)
    let timed = LaunchSet([LaunchTimeline(trace: SampleLaunch.held().trace())])
    #expect(!ReportFormat.json.string(timed).contains("\"untimed\""))
  }

  @Test func aReportForFirefoxKeepsTheCounts() throws {
    let set = try Self.launches()
    let profile = ReportFormat.firefox.string(set)
    #expect(try FirefoxCheck.violations(profile) == [])
    let trace = try Array(profile.utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) }
    #expect(!trace.hasTimes && trace.samples.weight == [120, 40, 25])
    let again = LaunchSet([LaunchTimeline(trace: trace)])
    #expect(ReportFormat.text.string(again).contains("185 samples in all; the profile has no times"))
  }

  @Test func countsAndTimesHaveNoCommonMedian() throws {
    let counted = try Self.launches().launches[0].timeline
    let timed = LaunchTimeline(trace: SampleLaunch.held().trace())
    #expect(LaunchSet([counted, counted]).unlikeUnits == nil && LaunchSet([timed, timed]).unlikeUnits == nil)
    let reason = LaunchSet([timed, counted], names: ["a.pftrace", "b.folded"]).unlikeUnits
    #expect(
      reason?.hasPrefix("a.pftrace has times, but b.folded counts samples and has no times;") == true,
      "\(reason ?? "")")
  }

  @Test func launchesThatEndDifferentlyHaveNoUsefulMedian() {
    func text(_ launches: [SampleLaunch]) -> String {
      ReportFormat.text.string(LaunchSet(launches.map { LaunchTimeline(trace: $0.trace()) }))
    }
    #expect(
      text([.launcherOnly(), .launcherOnly(), .held()]).inOneLine
        .contains("They do not end at the same point: 2 to exit, 1 to ready. So their medians mean little."))
    #expect(!text([.held(), .held()]).contains("medians mean little"))
  }

  /// The title had only the name of the first program.
  @Test func launchesOfSeveralProgramsNameThem() {
    let text = ReportFormat.text.string(
      LaunchSet(
        ["git", "python3", "git"].map { program in
          var launch = SampleLaunch(program: program)
          launch.interval("work", from: 1_000_000, to: 50_000_000)
          return LaunchTimeline(trace: launch.trace())
        }))
    #expect(text.hasPrefix("2 programs, 3 launches\n"), "\(text)")
    #expect(
      text.inOneLine
        .contains("These are launches of different programs: git, python3. So their medians mean little."), "\(text)")
  }

  /// The report said only how many failed.
  @Test func launchesThatFailedSayHow() {
    func launch(_ change: (inout SampleLaunch) -> Void) -> LaunchTimeline {
      var launch = SampleLaunch()
      change(&launch)
      return LaunchTimeline(trace: launch.trace())
    }
    let failed = launch { $0.launcher(exit: 9_000_000, status: 3, isInstrumented: false) }
    let killed = launch { $0.launcher(exit: 9_000_000, outcome: "signalled", signal: 11, isInstrumented: false) }
    let fine = launch { $0.launcher(exit: 9_000_000, isInstrumented: false) }
    func text(_ launches: [LaunchTimeline]) -> String {
      let names = launches.indices.map { "runs/\($0).pftrace" }
      return ReportFormat.text.string(LaunchSet(launches, names: names)).split(whereSeparator: \.isWhitespace)
        .joined(separator: " ")
    }
    #expect(
      text([fine, failed, fine, failed]).contains(
        "2 launches failed: they exited with 3; see launchprof report runs/1.pftrace"), "\(text([fine, failed]))")
    #expect(text([fine, failed, killed]).contains("2 launches failed: 1 exited with 3, 1 was killed by SIGSEGV; see"))
    #expect(!text([fine, fine]).contains("failed"))
  }

  @Test func thePageSaysTheUnitAndTheFile() throws {
    let page = ReportFormat.html.string(try Self.launches())
    #expect(page.contains("<title>server.folded</title>"))
    #expect(page.contains(#""unit":"samples","opened":1"#))
  }
}
