// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// How a launch's time divides into parts.
struct BreakdownTests {
  private let millisecond: Int64 = 1_000_000

  private func rows(_ launch: SampleLaunch, _ aspect: Breakdown.Aspect, mainThreadOnly: Bool = false) -> [String] {
    let timeline = LaunchTimeline(trace: launch.trace())
    return timeline.breakdown(by: aspect, mainThreadOnly: mainThreadOnly).rows.map {
      "\($0.name) \($0.total / millisecond) \($0.selfTime / millisecond) \($0.count)"
    }
  }

  private func sampled() -> SampleLaunch {
    var launch = SampleLaunch()
    let json = "/usr/lib/libJSON.so"
    launch.launcher(exit: 100 * millisecond, isInstrumented: false)
    launch.samples(["main", "app.load() -> ()"], from: 0, to: 10 * millisecond)
    launch.samples(
      ["main", "app.load() -> ()", .init("closure #1 in JSON.decode", image: json), .init("scan", image: json)],
      from: 10 * millisecond, to: 40 * millisecond)
    launch.samples(
      ["main", .init("JSON.walk", image: json), .init("JSON.walk", image: json)], from: 40 * millisecond,
      to: 45 * millisecond)
    let worker = launch.thread(5000, name: "worker")
    launch.samples(["start_thread", "work"], from: 0, to: 20 * millisecond, on: worker)
    return launch
  }

  @Test func byLibrary() {
    #expect(rows(sampled(), .library, mainThreadOnly: true) == ["libJSON.so 35 35 35", "notes-server 45 10 45"])
    #expect(rows(sampled(), .library) == ["libJSON.so 35 35 35", "notes-server 65 30 65"])
  }

  @Test func byModule() {
    #expect(
      rows(sampled(), .module, mainThreadOnly: true) == [
        "libJSON.so 30 30 30", "app 40 10 40", "JSON 35 5 35", "notes-server 45 0 45",
      ])
  }

  @Test func bySymbolWhatCallsItselfIsCountedOnce() {
    #expect(
      rows(sampled(), .symbol, mainThreadOnly: true) == [
        "scan 30 30 30", "app.load() -> () 40 10 40", "JSON.walk 5 5 5", "main 45 0 45",
        "closure #1 in JSON.decode 30 0 30",
      ])
  }

  @Test func withoutSamplesIntervalsAreCounted() {
    var launch = SampleLaunch(preinit: millisecond)
    launch.mark("main", at: 10 * millisecond)
    launch.initializer("libslow.so initializer 1", image: "/lib/libslow.so", from: 2 * millisecond, to: 6 * millisecond)
    launch.interval("parse", from: 12 * millisecond, to: 20 * millisecond)
    launch.mark("ready", at: 30 * millisecond)
    #expect(
      rows(launch, .library)
        == ["Gallery 8 8 1", "libslow.so 4 4 1"].map {
          $0.replacing("Gallery", with: "notes-server")
        })
    #expect(rows(launch, .symbol) == ["parse 8 8 1", "libslow.so initializer 1 4 4 1"])
  }

  /// All relocations have one name in the file, and had one node in the tree.
  @Test func eachLibraryHasItsOwnRelocations() {
    var launch = SampleLaunch(preinit: millisecond)
    for (image, start, end) in [("/lib/liba.so", 1, 3), ("/lib/libb.so", 3, 8), ("/lib/liba.so", 8, 9)]
      as [(String, Int64, Int64)]
    {
      launch.interval(
        "relocate", from: start * millisecond, to: end * millisecond, category: "launchprof.library",
        [("path", .string(image))])
    }
    launch.initializer("liba.so init", image: "/lib/liba.so", from: 9 * millisecond, to: 10 * millisecond)
    launch.interval("parse", from: 12 * millisecond, to: 20 * millisecond)
    launch.interval("parse", from: 14 * millisecond, to: 16 * millisecond)
    launch.mark("ready", at: 30 * millisecond)
    #expect(rows(launch, .library) == ["notes-server 8 8 1", "libb.so 5 5 1", "liba.so 4 4 3"])
    #expect(
      rows(launch, .symbol) == [
        "parse 8 8 1", "relocate libb.so 5 5 1", "relocate liba.so 3 3 2", "liba.so init 1 1 1",
      ])
    let timeline = LaunchTimeline(trace: launch.trace())
    let tree = timeline.largeFlame
    func library(_ name: String) -> String? {
      timeline.spanLibraries(of: (0..<tree.count).filter { tree.name(of: $0) == name }).first ?? nil
    }
    #expect(library("relocate liba.so") == "liba.so" && library("relocate libb.so") == "libb.so")
    #expect(library("liba.so init") == "liba.so" && library("parse") == "notes-server")
  }

  /// V8 says in which file a function is. There is no image.
  @Test func theLibraryOfAScriptIsItsFile() {
    var launch = SampleLaunch(exit: 100 * millisecond, isInstrumented: false)
    func script(_ name: String, _ file: String) -> SampleLaunch.Frame {
      SampleLaunch.Frame(name, image: "", file: file, line: 1)
    }
    let main = script("(anonymous)", "file:///app/index.js")
    launch.samples([main, script("Module._load", "node:internal/loader")], from: 0, to: 4 * millisecond)
    launch.samples(
      [main, script("(anonymous)", "file:///app/lib/index.js")], from: 4 * millisecond, to: 9 * millisecond)
    launch.samples([script("(program)", "")], from: 9 * millisecond, to: 10 * millisecond)
    launch.samples([script("app.load() -> ()", "/app/load.swift")], from: 10 * millisecond, to: 12 * millisecond)
    let scripts = ["/app/lib/index.js 5 5 5", "node:internal/loader 4 4 4", "/app/index.js 9 0 9"]
    #expect(rows(launch, .library) == [scripts[0], scripts[1], "unknown 3 3 3", scripts[2]])
    #expect(rows(launch, .module) == [scripts[0], scripts[1], "app 2 2 2", "unknown 1 1 1", scripts[2]])
    let code = LaunchTimeline(trace: launch.trace()).sampledCode
    #expect(Set((code?.libraries ?? []).compactMap(\.self)).count == 4)
  }

  /// `perf script` writes only the fields that it is asked for.
  @Test(arguments: [Breakdown.Aspect.symbol, .library, .thread]) func samplesWithoutStacksAreSaidToHaveNone(
    aspect: Breakdown.Aspect
  ) throws {
    let text = (1...20).map { "app 10 5.\(100 + $0)000: 1000000 cpu-clock: \n" }.joined()
    let trace = try Array(text.utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) }
    let breakdown = LaunchTimeline(trace: trace).breakdown(by: aspect)
    #expect(trace.samples.count == 20 && breakdown.rows.isEmpty)
    #expect(breakdown.shortcoming == "the samples of the trace have no stacks, and there are no intervals")
  }

  /// A process that executes another program has two functions `_start` without a caller.
  @Test func functionsOfOneNameAreOfTheirOwnFiles() {
    let (shell, tool) = ("/bin/bash", "/bin/tool")
    var launch = SampleLaunch(exit: 100 * millisecond, isInstrumented: false)
    launch.samples([.init("_start", image: shell), .init("main", image: shell)], from: 0, to: 4 * millisecond)
    launch.samples(
      [.init("_start", image: tool), .init("main", image: tool), .init("work", image: tool)],
      from: 4 * millisecond, to: 30 * millisecond)
    #expect(rows(launch, .library) == ["tool 26 26 26", "bash 4 4 4"])
    #expect(rows(launch, .module) == ["tool 26 26 26", "bash 4 4 4"])
    #expect(rows(launch, .symbol) == ["work 26 26 26", "main 30 4 30", "_start 30 0 30"])
    let code = LaunchTimeline(trace: launch.trace()).sampledCode
    let names = code.map { code in (0..<code.tree.count).map { code.tree.name(of: $0) } } ?? []
    #expect(names == ["main thread", "_start", "main", "work"])
    #expect(code?.libraries == [nil, nil, nil, "tool"])
  }

  /// Each line of the file is a stack, with the number of its samples.
  @Test func samplesWithoutTimesAreCounted() throws {
    let text = "main;load 150\nmain;save;load 30\nmain 5\n"
    let timeline = try LaunchTimeline(trace: Array(text.utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) })
    let symbols = timeline.breakdown(by: .symbol)
    #expect(symbols.counted == "samples" && symbols.unit == "samples" && symbols.whole == 185)
    #expect(symbols.rows.map(\.name) == ["load", "main", "save"])
    #expect(symbols.rows.map(\.count) == [180, 185, 30] && symbols.rows.map(\.total) == [180, 185, 30])
    let runtime = LaunchSet([timeline]).breakdown(by: .runtime)
    #expect(runtime?.shortcoming?.contains("needs samples that measure time") == true)
    let threads = timeline.breakdown(by: .thread)
    #expect(threads.unit == "samples" && threads.counted == "samples" && threads.whole == 185)
    #expect(threads.rows.map(\.total) == [185] && threads.rows.map(\.selfTime) == [185])
    #expect(threads.rows.map(\.count) == [185])
  }

  /// The last sample weighs something, too.
  @Test func aSampledThreadIsThereOnce() {
    var launch = SampleLaunch()
    launch.samples(["main", "load"], from: 0, to: 10 * millisecond)
    let timeline = LaunchTimeline(trace: launch.trace())
    #expect(timeline.breakdown(by: .thread).counted == "samples")
    #expect(rows(launch, .thread) == ["main thread 10 10 10"])
  }

  /// The samples of perf show when a thread ran. They do not show for whom it waited, nor when it had no processor.
  @Test func samplesAloneGiveNoCriticalPath() throws {
    let text =
      "app 7 1.0: 1000000 cpu-clock: \n\t 1 main (/app)\n\napp 7 1.050: 1000000 cpu-clock: \n\t 1 main (/app)\n\n"
    let timeline = try LaunchTimeline(trace: Array(text.utf8).withUnsafeBytes { try TraceReader().read(bytes: $0) })
    #expect(timeline.breakdown(by: .state).rows.contains { $0.name == "running" })
    #expect(timeline.breakdown(by: .thread).rows.map(\.critical) == [nil])
    let measured = try #require(Measurement.all(LaunchSet([timeline])).first)
    #expect(measured.values[.total] == 51e6 && measured.values[.onCore] == nil)
  }

  @Test func byPhaseAddsUp() {
    let timeline = LaunchTimeline(trace: SampleLaunch.held().trace())
    let phases = timeline.breakdown(by: .phase)
    #expect(phases.rows.map(\.name) == ["load", "static-init", "main", "open-database", "read-templates", "ready"])
    #expect(phases.rows.reduce(0) { $0 + $1.selfTime } == timeline.total)
    #expect(phases.rows.allSatisfy { ($0.running ?? 0) + ($0.waiting ?? 0) == $0.total })
  }

  /// They have no rows. Their time was in no row's own time.
  @Test func aPhasesOwnTimeHasItsInitializers() {
    var launch = SampleLaunch(preinit: millisecond)
    launch.phase("static-init", from: millisecond, to: 31 * millisecond)
    launch.initializer("init", image: "/usr/bin/notes-server", from: 2 * millisecond, to: 22 * millisecond)
    launch.mark("main", at: 31 * millisecond)
    launch.mark("ready", at: 100 * millisecond)
    let timeline = LaunchTimeline(trace: launch.trace())
    let phases = timeline.breakdown(by: .phase)
    #expect(phases.rows.first { $0.name == "static-init" }?.selfTime == 30 * millisecond)
    #expect(phases.rows.reduce(0) { $0 + $1.selfTime } == timeline.total)
  }

  @Test func byThreadTheCriticalTimesAddUp() {
    let timeline = LaunchTimeline(trace: SampleLaunch.held().trace())
    let threads = timeline.breakdown(by: .thread)
    #expect(threads.rows.map(\.name) == ["main thread", "worker (4720)"])
    #expect(threads.rows.map(\.selfTime) == [101 * millisecond, 41_200_000])
    #expect(threads.rows.map(\.critical) == [191 * millisecond, 39 * millisecond])
    #expect(threads.rows.reduce(0) { $0 + ($1.critical ?? 0) } == timeline.total)
  }

  @Test func theMainActorsThreadHasItsCriticalTime() {
    var (launch, worker) = SampleLaunch.mainActorElsewhere()
    launch.turn(from: 19 * millisecond, to: 61 * millisecond, on: worker)
    let rows = LaunchTimeline(trace: launch.trace()).breakdown(by: .thread).rows
    // From 10 ms on, the first thread waits for the one on which the main actor runs at 20 ms.
    #expect(rows.first { $0.name == "pool (4720)" }?.critical == 50 * millisecond)
    #expect(rows.reduce(0) { $0 + ($1.critical ?? 0) } == 80 * millisecond)
  }

  /// A thread that lived for 4 ms had 60 ms of the critical path: it had waited for its first processor.
  @Test func aThreadLivesFromItsCreationOn() {
    var launch = SampleLaunch(exit: 100 * millisecond, isInstrumented: false)
    let worker = launch.thread(5000, name: "worker")
    launch.wakeup(at: 20 * millisecond, of: worker, by: launch.main)
    launch.pause(from: 25 * millisecond, to: 80 * millisecond)
    launch.switched(.init(.switchedIn, at: 70 * millisecond, on: worker, cpu: 1))
    launch.switched(.init(.exited, at: 75 * millisecond, on: worker, cpu: 1))
    let row = LaunchTimeline(trace: launch.trace()).breakdown(by: .thread).rows.first { $0.name == "worker (5000)" }
    #expect(row?.total == 55 * millisecond && row?.selfTime == 5 * millisecond)
  }

  /// If a tool's switches begin in the middle of a launch, nothing is known about the time before.
  @Test func byThreadNothingIsInventedBeforeTheFirstSwitch() {
    var launch = SampleLaunch(preinit: millisecond)
    launch.mark("ready", at: 100 * millisecond)
    launch.turn(from: 50 * millisecond, to: 55 * millisecond, on: launch.thread(5000, name: "worker"))
    launch.pause(from: 60 * millisecond, to: 70 * millisecond)
    let timeline = LaunchTimeline(trace: launch.trace())
    let main = timeline.breakdown(by: .thread).rows.first { $0.name == "main thread" }
    #expect(main?.selfTime == 10 * millisecond)
    #expect(timeline.states.totals(from: 0, to: timeline.end)[.running] == 10 * millisecond)
  }

  @Test func byStateAddsUp() {
    let timeline = LaunchTimeline(trace: SampleLaunch.held().trace())
    let states = timeline.breakdown(by: .state)
    #expect(states.rows.reduce(0) { $0 + $1.total } == timeline.total)
    #expect(states.rows.first?.name == "running")
  }

  /// The loader names a library by a link, the kernel by the file.
  @Test func aLibraryIsOneRowByItsLinkAndItsFile() {
    var launch = SampleLaunch(exit: 100 * millisecond, isInstrumented: false)
    let category = "launchprof.library"
    let file: SampleLaunch.Annotations = [("path", .string("/lib/libcxx.so.6.0.30"))]
    launch.instant("map", at: millisecond, category: category, file)
    launch.interval("relocate", from: 2 * millisecond, to: 4 * millisecond, category: category, file)
    launch.initializer("init", image: "/lib/libcxx.so.6", from: 5 * millisecond, to: 10 * millisecond)
    #expect(rows(launch, .library).first == "libcxx.so.6.0.30 7 7 2")
  }

  /// The program may continue for long.
  @Test func samplesAfterTheLaunchAreNotOfTheLaunch() {
    var launch = SampleLaunch(preinit: millisecond)
    launch.interval("parse", from: 2 * millisecond, to: 4 * millisecond)
    launch.mark("ready", at: 5 * millisecond)
    launch.samples(["main", "serve"], from: 10 * millisecond, to: 20 * millisecond)
    #expect(rows(launch, .symbol) == ["parse 2 2 1"])
  }

  /// If a trace lacks the data for a breakdown, the breakdown says what is missing.
  @Test func whatATraceLacksIsSaid() {
    func shortcoming(_ launch: SampleLaunch, _ aspect: Breakdown.Aspect) -> String? {
      LaunchTimeline(trace: launch.trace()).breakdown(by: aspect).shortcoming
    }
    for aspect in [Breakdown.Aspect.library, .module, .symbol] {
      #expect(
        shortcoming(.launcherOnly(), aspect)?.hasPrefix("the launch has neither stack samples nor intervals") == true)
      #expect(shortcoming(.server(), aspect)?.hasPrefix("computed from recorded intervals") == true)
      #expect(shortcoming(sampled(), aspect) == nil)
    }
    #expect(shortcoming(.launcherOnly(), .thread)?.contains("no scheduler switches") == true)
    // Phases between milestones say nothing about what a thread did.
    var phases = SampleLaunch.launcherOnly()
    phases.mark("main", at: 10 * millisecond)
    #expect(rows(phases, .thread).isEmpty)
    #expect(shortcoming(.server(), .thread)?.hasPrefix("computed from intervals") == true)
    #expect(shortcoming(.launcherOnly(), .state)?.contains("no scheduler switches") == true)
    for aspect in [Breakdown.Aspect.thread, .state, .phase] { #expect(shortcoming(.held(), aspect) == nil) }
  }

  @Test func modulesOfNames() {
    let names =
      [
        ("static app.Main.run() -> ()", "app"), ("closure #1 in app.load() -> ()", "app"), ("memcpy", nil),
        ("libc.so.6+0x1f", nil), ("init_cpu_features.constprop.0", nil), ("pyinit_core.part.0.cold", nil),
        ("update_active.isra.1", nil), ("lookup.42", nil),
        ("std::vector<int>::push_back(int)", nil),
        ("(extension in FoundationEssentials):Foo.bar", "FoundationEssentials"),
        ("Swift.String.hash(into: inout Swift.Hasher) -> ()", "Swift"),
        ("static Swift.Int.+ infix(Swift.Int) -> ()", "Swift"),
        ("generic specialization <Swift.Int> of Swift.Array.append(__owned A) -> ()", "Swift"),
        ("(extension in Swift):Swift.Sequence.map<A>((A) -> A) -> ()", "Swift"),
        ("(extension in app):Swift.String.load() -> ()", "app"),
        ("closure #1 () -> () in Swift.Hasher.combine() -> ()", "Swift"),
        ("app.Folder.(read in _E7513D7C2EAD35B414FAFDBC505DB15F)() -> ()", "app"),
        ("closure #1 () -> () in app.Folder.(read in _E7513D7C2EAD35B414FAFDBC505DB15F)() -> ()", "app"),
      ] as [(String, String?)]
    for (name, module) in names {
      var launch = SampleLaunch(exit: 10 * millisecond, isInstrumented: false)
      launch.samples([.init(name)], from: 0, to: 5 * millisecond)
      let row = LaunchTimeline(trace: launch.trace()).breakdown(by: .module).rows.first
      #expect(row?.name == module ?? "notes-server", "\(name)")
    }
  }
}
