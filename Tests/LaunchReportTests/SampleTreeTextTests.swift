// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchReport
import LaunchTrace
import TestSupport
import Testing

/// What a report leaves out of the tree of samples.
struct SampleTreeTextTests {
  private func text(_ launch: SampleLaunch, _ change: (inout ReportOptions) -> Void = { _ in }) -> String {
    var options = ReportOptions()
    options.width = 120
    change(&options)
    return ReportFormat.text.string(LaunchSet([LaunchTimeline(trace: launch.trace())]), options: options)
  }

  private func launch() -> SampleLaunch { SampleLaunch(exit: 200_000_000) }

  private func library(_ function: String) -> SampleLaunch.Frame { .init(function, image: "/usr/lib/libjson.so.1") }

  @Test func functionsOfLibrariesThatOnlyCallEachOtherAreCounted() {
    var launch = launch()
    let calls = ["parse", "parse value", "parse object", "parse member"].map(library)
    launch.samples(["main", "loadSettings"] + calls + ["Setting.init", library("copy")], from: 0, to: 40_000_000)
    let report = text(launch)
    #expect(report.contains("… 4 functions of libraries"), "\(report)")
    for name in ["main", "loadSettings", "Setting.init", "copy"] {
      #expect(report.contains("└ \(name)\n"), "\(report)")
    }
    #expect(!report.contains("parse"))
    #expect(report.contains("--depth 999 shows them") && !report.contains("paths below"))
    let all = text(launch) { $0.depth = 999 }
    #expect(all.contains("└ parse member\n") && !all.contains("functions of libraries"), "\(all)")
  }

  /// Rows with less room had another name of it.
  @Test func aFunctionHasOneNameInTheTree() {
    var launch = launch()
    let deep = (0..<30).map { SampleLaunch.Frame("app.step\($0)(Double) -> Int") }
    let spin = SampleLaunch.Frame("app.spin(Double, of: [String]) -> Int")
    launch.samples(["main", spin], from: 0, to: 20_000_000)
    launch.samples(["main"] + deep + [spin], from: 20_000_000, to: 40_000_000)
    let report = text(launch)
    #expect(report.split(separator: "\n").count { $0.hasSuffix("app.spin(_:of:)") } == 2, "\(report)")
    let tree = report.split(separator: "Samples (ms)").last ?? ""
    #expect(!tree.contains("Double"), "\(report)")
  }

  /// The tree looked as if threads began in `walk`, and `load` had hardly run.
  @Test func stacksWithoutTheirOuterFunctionsAreCounted() {
    var launch = SampleLaunch()
    launch.launcher(exit: 200_000_000, [("observer", .string("perf")), ("sample_rate", .uint(1000))])
    launch.samples(["_start", "main", "load", "walk"], from: 0, to: 10_000_000)
    launch.samples(["walk", "walk"], from: 10_000_000, to: 40_000_000)
    let report = text(launch)
    #expect(report.contains("30 of 40 stacks lack their outer functions"), "\(report)")
    #expect(report.contains("--stack-bytes"), "\(report)")
    // 40 copies of the largest size have 2 MiB.
    #expect(!report.contains("64 MiB"), "\(report)")
    // Only copies without perf events have that limit.
    for (means, isLimited) in [("perf", false), ("ptrace", true)] {
      var long = SampleLaunch()
      long.launcher(exit: 200_000_000, [("observer", .string(means)), ("sample_rate", .uint(1000))])
      long.samples(["_start", "main", "load", "walk"], from: 0, to: 10_000_000)
      long.samples(["walk", "walk"], from: 10_000_000, to: 200_000_000, every: 100_000)
      let report = text(long).inOneLine
      #expect(report.contains("all copies together reached 64 MiB") == isLimited, "\(report)")
    }
    launch.samples(["_start", "main", "load", "walk"], from: 40_000_000, to: 200_000_000, every: 100_000)
    #expect(!text(launch).contains("lack their outer functions"))
  }

  /// The report named all causes that there are, also those that the launcher knew to be none.
  @Test(arguments: [
    ("perf", ["no-tables"], "code has no unwind tables\n"),
    ("perf", ["no-copy"], "they were not copied (--stack-bytes)\n"),
    ("ptrace", ["no-copy"], "all copies together reached 64 MiB (--sample-rate)\n"),
    (
      "perf", ["short-copy", "no-tables", "?"],
      "their copies were too short (--stack-bytes), or code has no unwind tables\n"
    ),
  ])
  func whyStacksAreCutIsRecorded(means: String, causes: [String], text: String) {
    var launch = SampleLaunch()
    launch.launcher(
      exit: 200_000_000,
      [
        ("observer", .string(means)), ("sample_rate", .uint(1000)),
        ("stacks_cut_by", .array(causes.map { .string($0) })),
      ])
    launch.samples(["_start", "main", "load", "walk"], from: 0, to: 10_000_000)
    // With enough samples to fill 64 MiB, if there is such a limit.
    launch.samples(["walk", "walk"], from: 10_000_000, to: 160_000_000, every: 100_000)
    let report = self.text(launch) { $0.width = 200 }
    #expect(report.contains("1500 of 1510 stacks lack their outer functions: \(text)"), "\(report)")
  }

  /// The first sample of a profiler may weigh much more than the others.
  @Test func theFirstSampleDoesNotSayHowFarTheyAreApart() {
    var launch = launch()
    launch.samples(["main", "start"], from: 0, to: 60_000_000, every: 60_000_000)
    launch.samples(["main", "run"], from: 60_000_000, to: 160_000_000)
    launch.samples(["main", "end"], from: 160_000_000, to: 165_000_000)
    let report = text(launch)
    #expect(report.contains("samples are 1.000 ms apart") && report.contains(" end\n"), "\(report)")
  }

  /// Two samples of a launch that waits: the report said "Nothing to show", and not of what.
  @Test func samplesThatAreTooFewToShowAreNamed() {
    var launch = SampleLaunch(exit: 900_000_000)
    launch.mark("main", at: 1_000_000)
    launch.samples(["main", "parse"], from: 2_000_000, to: 4_000_000)
    let report = text(launch)
    #expect(report.contains("\n  Samples: nothing takes 0.5 % of the launch.\n"), "\(report)")
    #expect(report.contains("paths below 0.5 % not shown") && !report.contains("Nothing to show"))
  }

  /// The launcher's samples have user code only. Of the rest of the running time, a reader learned nothing.
  @Test(arguments: [(20, "90 % \u{b1} 4"), (195, nil)] as [(Int64, String?)])
  func theTimeInTheKernelIsSaid(samples: Int64, share: String?) {
    var launch = SampleLaunch()
    launch.pause(from: 1_000_000, to: 2_000_000)
    launch.samples(["main"], from: 5_000_000, to: 5_000_000 + samples * 1_000_000)
    launch.launcher(exit: 200_000_000, [("observer", .string("perf")), ("sample_rate", .uint(1000))])
    let words = share.map { "\($0) of it in the kernel" }
    let report = text(launch)
    let note = "they show user code only; the main thread ran for 199.00 ms, \(words ?? "")"
    #expect(report.contains(note) == (share != nil), "\(report)")
    // The list of states, which Markdown has, too.
    #expect(report.contains(" 99.5  \(words ?? "90 %")") == (share != nil), "\(report)")
    let brief = text(launch) { $0.isBrief = true }
    #expect(brief.contains("running (\(words ?? "")") == (share != nil), "\(brief)")
  }

  /// A thread that only runs code of libraries: the branches are those of a tree.
  @Test func aThreadMayBeginInALibrary() {
    var launch = launch()
    let worker = launch.thread(4720, name: "worker")
    launch.samples(["start_thread", "run", "drain", "copy"].map(library), from: 0, to: 40_000_000, on: worker)
    let report = text(launch)
    let lines = report.split(separator: "\n").filter { $0.contains("└ … ") || $0.hasSuffix("└ copy") }
    #expect(lines.count == 2, "\(report)")
    #expect(lines.first?.hasSuffix(" └ … 3 functions of libraries") == true, "\(report)")
    #expect(lines.last?.hasSuffix("   └ copy") == true, "\(report)")
  }

  /// Two would take as much room as their sum; one that branches, or has time of its own, is where time goes.
  @Test func functionsThatDoMoreAreShown() {
    var launch = launch()
    let calls = ["read", "read all"].map(library)
    launch.samples(["main"] + calls + [library("copy")], from: 0, to: 20_000_000)
    launch.samples(["main"] + calls + [library("convert")], from: 20_000_000, to: 40_000_000)
    let report = text(launch)
    #expect(report.contains("└ read all\n") && !report.contains("functions of libraries"), "\(report)")
  }

  @Test func whatTwoSamplesSawIsSummedUpWhereThereAreMany() {
    var launch = launch()
    launch.samples(["main", "busy"], from: 0, to: 100_000_000)
    launch.samples(["main", "seen twice"], from: 100_000_000, to: 102_000_000)
    let report = text(launch)
    #expect(report.contains("├ busy\n") || report.contains("└ busy\n"), "\(report)")
    #expect(!report.contains("seen twice") && report.contains("1 path below 1.5 % not shown"), "\(report)")
    #expect(text(launch) { ($0.minPercent, $0.showsRareFunctions) = (0.1, true) }.contains("seen twice"))

    var short = self.launch()
    short.samples(["main", "busy"], from: 0, to: 4_000_000)
    short.samples(["main", "seen once"], from: 4_000_000, to: 5_000_000)
    #expect(text(short).contains("seen once"))
  }
}
