// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import TestSupport
import Testing

@testable import LaunchAnalysis

struct LibraryTests {
  private static let category = "launchprof.library"

  /// A launch of 10 ms with two libraries, and optionally the agent's times.
  private func timeline(isTimed: Bool = true) -> LaunchTimeline {
    var launch = SampleLaunch(exit: 10_000_000)
    for (path, time, size) in [("/lib/libheavy.so.1.2", 500_000, 4096), ("/lib/libc.so.6", 900_000, 8192)] {
      launch.instant(
        "map", at: Int64(time), category: Self.category,
        [("path", .string(path)), ("size", .uint(UInt64(size)))])
    }
    if isTimed {
      launch.interval(
        "relocate", from: 1_000_000, to: 1_100_000, category: Self.category,
        [("path", .string("/lib/libc.so.6"))])
      // The loader names it by the link.
      launch.interval(
        "relocate", from: 1_100_000, to: 4_100_000, category: Self.category,
        [("path", .string("/lib/libheavy.so.1"))])
    }
    launch.initializer("libheavy.so.1 init", image: "/lib/libheavy.so.1", from: 4_200_000, to: 4_700_000)
    launch.interval(
      "dlopen", from: 5_000_000, to: 8_000_000, category: Self.category,
      [("path", .array([.string("/lib/libplugin.so")])), ("source", .string("audit"))])
    launch.initializer("libplugin.so init", image: "/lib/libplugin.so", from: 6_000_000, to: 7_500_000)
    return LaunchTimeline(trace: launch.trace())
  }

  /// They took 0 ns, and had 0 initialisers.
  @Test func whatWasNotTimedIsNotZero() {
    var launch = SampleLaunch(exit: 10_000_000, isInstrumented: false)
    launch.interval(
      "dlopen", from: 5_000_000, to: 8_000_000, category: Self.category,
      [("path", .array([.string("/lib/libplugin.so")])), ("source", .string("breakpoint"))])
    launch.instant("map", at: 6_000_000, category: Self.category, [("path", .string("/lib/libplugin.so"))])
    let table = LaunchTimeline(trace: launch.trace()).libraries
    #expect(table.libraries.map(\.path) == ["/lib/libplugin.so"])
    #expect(table.libraries.first?.knownTotal == table.libraries.first?.map && !table.hasInitializers)
    #expect(timeline().libraries.hasInitializers)
    var cost = LibraryCost(path: "/lib/a.so", loads: 1, initializers: 0, isOpened: true)
    #expect(cost.knownTotal == nil)
    cost.relocation = 0
    #expect(cost.knownTotal == 0)
  }

  @Test func whatEachLibraryCostsIsCollected() throws {
    let table = timeline().libraries
    #expect(table.hasRelocations)
    #expect(table.libraries.map(\.path) == ["/lib/libheavy.so.1.2", "/lib/libplugin.so", "/lib/libc.so.6"])
    let heavy = try #require(table.libraries.first)
    #expect(heavy.relocation == 3_000_000 && heavy.initialization == 500_000 && heavy.initializers == 1)
    #expect(heavy.size == 4096 && heavy.loads == 1 && !heavy.isOpened)
    #expect(table.libraries[1].initialization == 1_500_000)
    #expect(table.openings.map(\.duration) == [3_000_000])
    #expect(table.openings.first?.isOnMainThread == true && table.openings.first?.source == .audit)
  }

  /// `--follow` records child processes, and files can be concatenated.
  @Test func whatOtherProcessesLoadIsNotPartOfTheLaunch() {
    var launch = SampleLaunch(exit: 10_000_000)
    let other = launch.builder.thread(99, ofProcess: 99, name: "other")
    for track in [launch.main, other] {
      launch.instant("map", at: 500_000, category: Self.category, on: track, [("path", .string("/lib/libc.so.6"))])
      launch.interval(
        "relocate", from: 1_000_000, to: 1_100_000, on: track, category: Self.category,
        [("path", .string("/lib/libc.so.6"))])
    }
    launch.interval(
      "dlopen", from: 2_000_000, to: 3_000_000, on: other, category: Self.category,
      [("path", .array([.string("/lib/libplugin.so")]))])
    let table = LaunchTimeline(trace: launch.trace()).libraries
    #expect(table.libraries.map(\.loads) == [1] && table.libraries.map(\.relocation) == [100_000])
    #expect(table.openings.isEmpty)
  }

  /// Before the first library, the loader prepares itself. A negative time of the library made a report trap.
  @Test(arguments: [(100_000, 100_000), (0, 0), (-100_000, 0)] as [(Int64, Int64)])
  func theLoadersOwnStartIsOfNoLibrary(mapping: Int64, counted: Int64) throws {
    var launch = SampleLaunch(exit: 10_000_000, isInstrumented: false)
    for (point, time) in [
      ("exec", 100_000), ("loader-started", 200_000), ("relocated", 1_000_000), ("main", 1_100_000),
    ]
      as [(String, Int64)]
    {
      launch.instant(point, at: time, category: "launchprof.point")
    }
    launch.instant(
      "map", at: 700_000, category: Self.category, [("path", .string("/lib/liba.so")), ("duration_ns", .int(mapping))])
    launch.instant("map", at: 850_000, category: Self.category, [("path", .string("/lib/libc.so.6"))])
    let timeline = LaunchTimeline(trace: launch.trace())
    #expect(
      Set(timeline.libraries.libraries.map { "\($0.name) \($0.map ?? 0)" })
        == ["liba.so \(counted)", "libc.so.6 150000"])
    let load = try #require(timeline.phases.first { $0.id == "load" })
    #expect(load.duration == 650_000 && load.children.map(\.duration) == [counted, 150_000])
  }

  /// Its time is a part of the loading, under one name. It is none of the program's libraries, and nothing that is compared.
  @Test(arguments: [("/opt/launchprof-agent.so", nil), ("/opt/probe.so", true)] as [(String, Bool?)])
  func theAgentIsLaunchprofsOwn(path: String, mark: Bool?) throws {
    var launch = SampleLaunch(exit: 10_000_000, isInstrumented: false)
    for (point, time) in [
      ("exec", 100_000), ("loader-started", 200_000), ("relocated", 1_000_000), ("main", 1_100_000),
    ]
      as [(String, Int64)]
    {
      launch.instant(point, at: time, category: "launchprof.point")
    }
    for (path, time, mark) in [("/usr/bin/app", 150_000, nil), (path, 700_000, mark), ("/lib/libc.so.6", 850_000, nil)]
      as [(String, Int64, Bool?)]
    {
      launch.instant(
        "map", at: time, category: Self.category,
        [("path", .string(path))] + (mark.map { [("agent", .bool($0))] } ?? []))
    }
    let set = LaunchSet(samples: [launch])
    let timeline = set.launches[0].timeline
    #expect(timeline.libraries.libraries.map(\.name).sorted() == ["app", "libc.so.6"])
    #expect(timeline.libraries.libraries.first { $0.name == "libc.so.6" }?.map == 150_000)
    let load = try #require(timeline.phases.first { $0.id == "load" })
    #expect(load.children.map(\.id) == ["launchprof-agent.so", "libc.so.6"])
    let measured = Measurement.all(set)[0]
    #expect(measured.loaded?.mapped == ["libc.so.6"])
    let phases = measured.values.keys.map(\.id).filter { $0.hasPrefix("phase/load") }
    #expect(phases.sorted() == ["phase/load", "phase/load/libc.so.6"])
  }

  /// Their sum does not fit into 64 bits.
  @Test func theSizeOfCraftedLibrariesIsBounded() {
    var launch = SampleLaunch(exit: 10_000_000, isInstrumented: false)
    for place in 0..<2_100 as Range<Int64> {
      launch.instant(
        "map", at: 1000 + place, category: Self.category,
        [("path", .string("/lib/lib\(place).so")), ("size", .uint(1 << 52))])
    }
    let measured = Measurement.all(LaunchSet(samples: [launch]))[0]
    #expect(measured.loaded?.mapped.count == 2_099 && measured.loaded?.bytes == 1 << 52)
  }

  @Test func aHeavyLibraryIsAFindingWithItsShare() throws {
    let finding = try #require(timeline().findings.first { $0.id == FindingName.relocationHeavyLibrary })
    #expect(finding.subject == "libheavy.so.1.2" && finding.actual == 3_000_000)
    #expect(finding.advice.hasPrefix("Relocating libheavy.so.1.2 takes 3.0 ms of the launch's 10.0 ms (30 %)"))
    #expect(finding.start == timeline().start + 1_100_000)
    #expect(timeline().findings.count { $0.id == FindingName.relocationHeavyLibrary } == 1)
  }

  /// Reading a file, or waiting for a processor, is not a cost of symbols.
  @Test(arguments: [SwitchKind.uninterruptible, .sleeping, .preempted])
  func whatALaunchWaitedForIsNoRelocation(reason: SwitchKind) {
    func findings(waiting: Bool) -> [String] {
      var launch = SampleLaunch(exit: 10_000_000)
      launch.interval(
        "relocate", from: 1_000_000, to: 3_000_000, category: Self.category, [("path", .string("/lib/libheavy.so"))])
      if waiting { launch.pause(from: 1_500_000, to: 2_700_000, reason) }
      return LaunchTimeline(trace: launch.trace()).findings.map(\.id)
    }
    #expect(findings(waiting: false).contains(FindingName.relocationHeavyLibrary))
    #expect(!findings(waiting: true).contains(FindingName.relocationHeavyLibrary))
  }

  /// On a busy machine, the library that lost the processor was first.
  @Test func theTimeThatOtherProgramsHadDoesNotCountForTheOrder() {
    var launch = SampleLaunch(exit: 60_000_000)
    for (path, start) in [("/lib/libheavy.so", 1_000_000), ("/lib/libunlucky.so", 4_000_000)] as [(String, Int64)] {
      let end = start + (start == 1_000_000 ? 3_000_000 : 12_000_000)
      launch.interval("relocate", from: start, to: end, category: Self.category, [("path", .string(path))])
    }
    launch.pause(from: 5_000_000, to: 15_000_000, .preempted)
    let libraries = LaunchTimeline(trace: launch.trace()).libraries.libraries
    #expect(libraries.map(\.name) == ["libheavy.so", "libunlucky.so"])
    #expect(libraries.map(\.heldUp) == [0, 10_000_000] && libraries.map(\.total) == [3_000_000, 12_000_000])
    #expect(timeline().libraries.libraries.allSatisfy { $0.heldUp == nil })
  }

  /// A slow IFUNC resolver: to relocate less would not help.
  @Test(arguments: [8, 3]) func aFunctionThatTheLoaderCallsIsNamed(samples: Int64) throws {
    var launch = SampleLaunch(exit: 60_000_000)
    launch.interval(
      "relocate", from: 1_000_000, to: 11_000_000, category: Self.category, [("path", .string("/usr/bin/notes-server"))]
    )
    let loader = ["_dl_relocate_object", "elf_machine_rela"].map {
      SampleLaunch.Frame($0, image: "/lib64/ld-linux-x86-64.so.2")
    }
    let called = [SampleLaunch.Frame("resolver", image: "/app/libifu.so"), .init("cpuid", image: "/app/libcpu.so")]
    launch.samples(loader + called, from: 1_000_000, to: 1_000_000 + samples * 1_000_000)
    launch.samples(loader, from: 1_000_000 + samples * 1_000_000, to: 11_000_000)
    let finding = try #require(
      LaunchTimeline(trace: launch.trace()).findings.first { $0.id == FindingName.relocationHeavyLibrary })
    let isCalled = finding.advice.contains("Most of it is resolver in libifu.so: the loader calls it to choose")
    #expect(isCalled == (samples == 8), "\(finding.advice)")
    #expect(finding.advice.contains("-no-pie") != isCalled)
    #expect(finding.evidence.contains(Evidence(.stack, "resolver", time: 8_000_000)) == isCalled, "\(finding.evidence)")
  }

  /// Its page brings those of the next initialisers along. Without it, another one waits.
  @Test(arguments: ["/app/libtables.so.1.2", "/srv/data"]) func aWaitForAPageOfItsFileIsNoCostOfAnInitialiser(
    path: String
  ) {
    var launch = SampleLaunch(exit: 60_000_000, isInstrumented: false)
    launch.initializer("tables", image: "/app/libtables.so.1", from: 1_000_000, to: 22_500_000)
    launch.pause(from: 1_200_000, to: 22_200_000)
    launch.look("page-fault", at: 4_000_000, state: "D")
    launch.fault(at: 22_205_000, path: path)
    let timeline = LaunchTimeline(trace: launch.trace())
    let isOther = path == "/srv/data"
    #expect(timeline.findings.contains { $0.id == FindingName.slowStaticInitializer } == isOther)
    #expect((Savings([timeline]).savings.first { $0.change == .lazyInitializer }?.share ?? 0 > 0.1) == isOther)
  }

  /// The table of libraries has the time with waits, so the finding says what it leaves out.
  @Test func aFindingSaysHowMuchOfARelocationWaited() throws {
    var launch = SampleLaunch(exit: 10_000_000)
    launch.interval(
      "relocate", from: 1_000_000, to: 6_000_000, category: Self.category, [("path", .string("/lib/libheavy.so"))])
    launch.pause(from: 2_000_000, to: 4_000_000, .uninterruptible)
    let findings = LaunchTimeline(trace: launch.trace()).findings
    let finding = try #require(findings.first { $0.id == FindingName.relocationHeavyLibrary })
    #expect(
      finding.advice.hasPrefix(
        "Relocating libheavy.so takes 3.0 ms of the launch's 10.0 ms (30 %), without 2.0 ms of waits."))
  }

  /// The name of one library may begin with that of another.
  @Test func aLibraryDoesNotTakeTheWaitsOfOneWithASimilarName() throws {
    var launch = SampleLaunch(exit: 10_000_000)
    for (name, start) in [("/lib/libheavy.so.1", 1_000_000), ("/lib/libheavy.so.12", 4_000_000)] {
      launch.interval(
        "relocate", from: Int64(start), to: Int64(start) + 3_000_000, category: Self.category, [("path", .string(name))]
      )
    }
    launch.pause(from: 1_100_000, to: 3_900_000, .preempted)
    let timeline = LaunchTimeline(trace: launch.trace())
    let finding = try #require(timeline.findings.first { $0.id == FindingName.relocationHeavyLibrary })
    #expect(finding.subject == "libheavy.so.12" && finding.actual == 3_000_000)
    #expect(finding.start == timeline.start + 4_000_000)
  }

  /// An initialiser or a dlopen that waits is slow. One that lost its processor to another program is not.
  @Test(arguments: [SwitchKind.sleeping, .preempted])
  func aProcessorThatAnotherProgramHadIsNoCost(reason: SwitchKind) {
    var launch = SampleLaunch(exit: 60_000_000)
    launch.initializer("libplugin.so init", image: "/lib/libplugin.so", from: 1_000_000, to: 3_000_000)
    launch.pause(from: 1_500_000, to: 2_700_000, reason)
    launch.interval("dlopen", from: 5_000_000, to: 22_000_000, category: Self.category)
    launch.pause(from: 8_000_000, to: 18_000_000, reason)
    let findings = LaunchTimeline(trace: launch.trace()).findings.map(\.id)
    for id in [FindingName.slowStaticInitializer, FindingName.dlopenAtLaunch] {
      #expect(findings.contains(id) == (reason == .sleeping), "\(id): \(findings)")
    }
  }

  /// `python3` is a link to `python3.11`.
  @Test func aProgramBehindALinkIsNoLibrary() throws {
    var launch = SampleLaunch(exit: 10_000_000)
    launch.instant("exec", at: 0, category: "launchprof.point", [("path", .string("/usr/lib/suite/server-3.11"))])
    launch.interval(
      "relocate", from: 1_000_000, to: 3_000_000, category: Self.category,
      [("path", .string("/usr/lib/suite/server-3.11"))])
    let finding = try #require(
      LaunchTimeline(trace: launch.trace()).findings.first { $0.id == FindingName.relocationHeavyLibrary })
    #expect(finding.advice.contains("Use less static data that contains addresses"), "\(finding.advice)")
  }

  @Test func withoutTheAgentWhatIsKnownIsThere() {
    let table = timeline(isTimed: false).libraries
    #expect(!table.hasRelocations)
    #expect(table.libraries.allSatisfy { $0.relocation == nil })
    #expect(table.libraries.contains { $0.size == 8192 })
    #expect(!timeline(isTimed: false).findings.contains { $0.id == FindingName.relocationHeavyLibrary })
  }

  /// Loading has its own findings. It is not work of the program that is over budget.
  @Test func aLongRelocationIsOneFinding() {
    var launch = SampleLaunch(exit: 60_000_000)
    launch.interval(
      "relocate", from: 1_000_000, to: 41_000_000, category: Self.category, [("path", .string("/lib/libheavy.so"))])
    let frames: [SampleLaunch.Frame] = [
      .init("dl_main", image: "/lib64/ld-linux-x86-64.so.2"),
      .init("_dl_relocate_object", image: "/lib64/ld-linux-x86-64.so.2"),
    ]
    launch.samples(frames, from: 1_000_000, to: 41_000_000)
    let findings = LaunchTimeline(trace: launch.trace()).findings.map(\.id)
    #expect(findings.contains(FindingName.relocationHeavyLibrary))
    #expect(!findings.contains(FindingName.mainThreadOverBudget))
  }

  @Test func aTraceWithoutLibrariesHasNone() {
    #expect(LaunchTimeline(trace: SampleLaunch.server().trace()).libraries.openings.isEmpty)
  }

  /// This was a trap: the share had no limit.
  @Test func relocationsOfOneLibraryMayBeInsideOfEachOther() throws {
    let long: Int64 = 1 << 50
    var launch = SampleLaunch()
    launch.launcher(exit: long, [("exec_ns", .uint(UInt64(launch.origin + long - 10_000_000)))])
    for depth in 0..<1000 as Range<Int64> {
      launch.interval(
        "relocate", from: depth, to: long, category: Self.category, [("path", .string("/lib/libheavy.so"))])
    }
    let timeline = LaunchTimeline(trace: launch.trace())
    let finding = try #require(timeline.findings.first { $0.id == FindingName.relocationHeavyLibrary })
    #expect(finding.advice.contains("(100 %)"), "\(finding.advice), \(timeline.total)")
  }
}
