// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchRecord
import LaunchTrace
import TestSupport
import Testing

/// Files can be concatenated. The last launch counts, and takes nothing from the others.
struct SeveralLaunchesTests {
  private static let millisecond: Int64 = 1_000_000

  /// A launch of 50 ms, and perhaps one of another program before it.
  private func timeline(hasOther: Bool, isSampled: Bool = true) -> LaunchTimeline {
    var launch = SampleLaunch()
    func at(_ time: Int64) -> Int64 { time * Self.millisecond }
    if hasOther {
      let process = launch.builder.process(99, name: "first")
      let main = launch.builder.thread(99, ofProcess: 99, name: "first")
      let worker = launch.builder.thread(100, ofProcess: 99, name: "worker")
      launch.instant(
        "recorder", at: at(-190), category: "launchprof.recorder", on: main,
        [("preinit_ns", .uint(UInt64(launch.origin + at(-190)))), ("debug_build", .bool(true))])
      launch.phase("open", from: at(-180), to: at(-170), on: main)
      launch.interval("query", from: at(-160), to: at(-100), on: worker)
      launch.interval("draw", from: at(-160), to: at(-100), on: worker, [("main_actor", .bool(true))])
      launch.global("first.all", from: at(-150), to: at(-130), on: main, token: 1)
      launch.lookup("first.Note", nil, from: at(-120), to: at(-110), on: main)
      launch.interval("later", from: at(-90), to: at(-80), on: main, category: "launchprof.deferred")
      if isSampled { launch.samples(["first.main"], from: at(-150), to: at(-100), on: main) }
      launch.instant(
        "launcher", at: at(-20), category: "launchprof.launcher", on: process,
        [("pid", .uint(99)), ("program", .string("/usr/bin/first")), ("architecture", .string("riscv64"))])
    }
    launch.recorder(preinit: at(1))
    launch.global("app.all", from: at(10), to: at(20), token: 2)
    launch.lookup("app.Note", nil, from: at(20), to: at(21))
    if isSampled { launch.samples(["main"], from: at(10), to: at(20)) }
    launch.mark("ready", at: at(50))
    launch.launcher(
      exit: at(60), budgets: "interval\tquery\t5000000",
      [
        ("observer", .string("perf")), ("globals", .string("uprobes")), ("lookups", .string("uprobes")),
        ("architecture", .string("x86_64")),
      ])
    return LaunchTimeline(trace: launch.trace())
  }

  @Test func theFirstLaunchIsNotInTheReport() {
    let (alone, both) = (timeline(hasOther: false), timeline(hasOther: true))
    #expect(both.launchesInTrace == 2 && both.total == 50 * Self.millisecond)
    #expect(both.parallelPhases.isEmpty && both.phases.map(\.id) == alone.phases.map(\.id))
    #expect(both.lazyGlobals.globals.map(\.name) == ["app.all"] && both.lookups.lookups.map(\.type) == ["app.Note"])
    #expect(both.findings == alone.findings)
    #expect(both.recorder?.events == alone.recorder?.events)
    #expect(both.deferredWork.isEmpty)
    #expect(both.flame.roots.map(both.flame.name) == alone.flame.roots.map(alone.flame.name))
    #expect(both.provenance.fields == alone.provenance.fields)
    #expect(Measurement.all(LaunchSet([both]))[0].values == Measurement.all(LaunchSet([alone]))[0].values)
  }

  /// It had the build and the architecture of the first launch.
  @Test func theRecordIsThatOfTheLastLaunch() {
    #expect(timeline(hasOther: true).record().text(.arch) == "x86_64")
    let (alone, both) = (timeline(hasOther: false).record(), timeline(hasOther: true).record())
    for key in [RecordKey.program, .arch, .total, .recorder] { #expect(both[key] == alone[key], "\(key)") }
  }

  /// So are those of a program that started the launched one.
  @Test(arguments: [Breakdown.Aspect.symbol, .module, .library]) func whatWasBeforeTheLaunchDoesNotCount(
    aspect: Breakdown.Aspect
  ) {
    for isSampled in [true, false] {
      let alone = timeline(hasOther: false, isSampled: isSampled).breakdown(by: aspect)
      let both = timeline(hasOther: true, isSampled: isSampled).breakdown(by: aspect)
      #expect(both.rows == alone.rows, "\(isSampled)")
    }
  }
}
