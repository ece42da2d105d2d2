// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// A launch of 10 ms of a program with five libraries:
/// `app → Foundation → swiftCore → c`, `app → FoundationNetworking → {curl → c, Foundation}`, `app → swiftCore`.
struct LoadingSavingsTests {
  private static let libraries: [(path: String, needed: [String], relocation: Int64)] = [
    ("/usr/bin/notes-server", ["libFoundation.so", "libFoundationNetworking.so", "libswiftCore.so"], 100_000),
    ("/swift/libFoundation.so", ["libFoundationEssentials.so", "libswiftCore.so"], 1_000_000),
    ("/swift/libFoundationNetworking.so", ["libcurl.so.4", "libFoundation.so"], 500_000),
    ("/swift/libswiftCore.so", ["libc.so.6"], 700_000),
    ("/swift/libFoundationEssentials.so", ["libswiftCore.so"], 400_000),
    ("/usr/lib/libcurl.so.4.8.0", ["libc.so.6"], 300_000),
    ("/usr/lib/libc.so.6", [], 200_000),
  ]
  private static let mapping: Int64 = 100_000

  /// Mapped from 0.5 ms on, 0.1 ms each, then relocated; initialisers of 1 ms follow, then `main`, and 1 ms of exit.
  private func timeline(
    _ libraries: [(path: String, needed: [String], relocation: Int64)] = Self.libraries, opens: Bool = false,
    pausing: Bool = false, opensEarly: Bool = false, initializers: [(image: String, time: Int64)] = [],
    sampled: [String] = [], reading: String? = nil, rivals: Int = 0, mapped: UInt64? = nil
  ) -> LaunchTimeline {
    var launch = SampleLaunch(exit: 10_000_000, isInstrumented: false)
    point("exec", 0)
    point("loader-started", 500_000)
    var time: Int64 = 500_000
    for (place, library) in libraries.enumerated() {
      if place > 0 { time += Self.mapping }
      launch.instant(
        "map", at: place == 0 ? 10_000 : time, category: "launchprof.library",
        [
          ("path", .string(library.path)), ("size", .uint(4096)), ("source", .string("kernel")),
          ("needed", .array(library.needed.map(AnnotationValue.string))),
        ] + (mapped.map { [("duration_ns", .uint($0))] } ?? []))
    }
    for library in libraries {
      launch.interval(
        "relocate", from: time, to: time + library.relocation, category: "launchprof.library",
        [("path", .string(library.path))])
      time += library.relocation
    }
    point("relocated", time)
    point("main", time + 1_000_000)
    if opens {
      launch.interval(
        "dlopen", from: 6_000_000, to: 8_000_000, category: "launchprof.library",
        [("path", .array([.string("/usr/lib/libplugin.so")])), ("source", .string("breakpoint"))])
    }
    if opensEarly {
      launch.interval(
        "dlopen", from: time + 100_000, to: time + 900_000, category: "launchprof.library",
        [("path", .array([.string("/usr/lib/libplugin.so")])), ("source", .string("breakpoint"))])
    }
    for initializer in initializers {
      launch.initializer("init", image: initializer.image, from: time, to: time + initializer.time)
      time += initializer.time
    }
    for (place, image) in sampled.enumerated() where !image.isEmpty {
      let start = time + Int64(place) * 250_000
      launch.samples(
        [
          .init("_dl_init", image: "/usr/lib/ld-linux-x86-64.so.2"), .init("f", image: image),
          .init("g", image: image),
        ],
        from: start, to: start + 250_000, every: 250_000)
    }
    if let reading {
      launch.pause(from: time + 50_000, to: time + 950_000)
      launch.fault(at: time + 951_000, path: reading)
    }
    if pausing { launch.pause(from: 6_000_000, to: 9_000_000, .preempted) }
    for number in 0..<rivals {
      let worker = launch.thread(Int32(5000 + number), name: "worker")
      launch.turn(from: 6_000_000, to: 9_000_000, on: worker, cpu: number)
    }
    return LaunchTimeline(trace: launch.trace())

    func point(_ name: String, _ time: Int64) {
      launch.instant(
        name, at: time, category: "launchprof.point",
        [("source", .string("kernel")), ("path", .string("/usr/bin/notes-server"))])
    }
  }

  private func predicted(_ change: LaunchChange, _ subject: String = "", in timeline: LaunchTimeline) -> Saving? {
    Savings([timeline]).savings.first { $0.change == change && $0.subject == subject }
  }

  @Test func aDroppedLibraryTakesWithItWhatOnlyItBrings() throws {
    let saving = try #require(predicted(.dropLibrary, "libFoundationNetworking.so", in: timeline()))
    #expect(saving.gone == ["libFoundationNetworking.so", "libcurl.so.4.8.0"])
    // Two mappings, 0.8 ms of relocations, and their part of the initialisers: (1.0 of 3.8 ms) of 1 ms.
    #expect(abs(saving.share - 0.126) < 0.002)
    #expect(!saving.isAtMost && saving.error > 0)
  }

  /// It stays in a launch without a loader, too.
  @Test func theAgentIsNotSaved() throws {
    var libraries = Self.small
    libraries.insert(("/opt/launchprof-agent.so", [], 0), at: 1)
    let saving = try #require(predicted(.staticExecutable, in: timeline(Self.small)))
    let observed = try #require(predicted(.staticExecutable, in: timeline(libraries)))
    #expect(observed.gone == saving.gone && abs(observed.share - saving.share) < 0.001)
  }

  /// Slow initialisers are those of the program, as launches with the agent show.
  @Test func theAgentsTimesOfInitialisersCount() throws {
    let closer = timeline(initializers: [("/usr/lib/libcurl.so.4.8.0", 50_000), ("/usr/bin/notes-server", 900_000)])
    let savings = Savings([timeline()], closer: [closer]).savings
    let saving = try #require(
      savings.first { $0.change == .dropLibrary && $0.subject == "libFoundationNetworking.so" })
    let estimated = try #require(predicted(.dropLibrary, "libFoundationNetworking.so", in: timeline()))
    // Two mappings, 0.8 ms of relocations, and 0.05 ms of initialisers.
    #expect(abs(saving.share - 0.105) < 0.002)
    #expect(saving.error < estimated.error)
  }

  /// Without the agent, samples show whose initialisers ran.
  @Test func samplesOfInitialisersCount() throws {
    let curl = "/usr/lib/libcurl.so.4.8.0"
    func saving(_ sampled: [String]) throws -> Saving {
      try #require(predicted(.dropLibrary, "libFoundationNetworking.so", in: timeline(sampled: sampled)))
    }
    func fourOf(_ library: String) -> [String] { Array(repeating: library, count: 4) }
    let none = try saving([]).share
    let all = try saving(fourOf(curl))
    // The whole phase of 1 ms instead of 1.0 of 3.8 ms of it.
    #expect(abs(all.share - none - 0.074) < 0.002)
    // A fifth of the prediction: nothing of it is a guess.
    #expect(all.error < 0.05)
    // libc only calls them.
    let calling = try saving(fourOf("/usr/lib/libc.so")).share
    #expect(abs(calling - none) < 0.001)
    let others = try saving(fourOf("/swift/libswiftCore.so")).share
    #expect(others < none - 0.02)
  }

  /// The kernel works for a slow initialiser of the program, between few samples. libcurl had half of that time.
  @Test func theProgramsOwnInitialisersAreNoneOfALibrary() throws {
    let own = "/usr/bin/notes-server"
    let saving = try #require(
      predicted(.dropLibrary, "libFoundationNetworking.so", in: timeline(sampled: [own])))
    let others = try #require(
      predicted(.dropLibrary, "libFoundationNetworking.so", in: timeline(sampled: Array(repeating: own, count: 4))))
    #expect(saving.share == others.share && saving.error == others.error)
  }

  /// The launcher's samples show user code only: an initialiser that reads a file has samples before and after it.
  @Test func timeBetweenSamplesOfOneLibraryIsThatOfItsInitialisers() throws {
    let curl = "/usr/lib/libcurl.so.4.8.0"
    func share(_ sampled: [String]) throws -> Double {
      try #require(predicted(.dropLibrary, "libFoundationNetworking.so", in: timeline(sampled: sampled))).share
    }
    // An empty name makes no sample.
    #expect(try share([curl, "", "", curl]) == share([curl, curl, curl, curl]))
    #expect(try share([curl, "", "", "/usr/bin/notes-server"]) < share([curl, "", "", curl]) - 0.02)
  }

  /// A cold launch reads its files in initialisers, and no sample sees that.
  @Test func whatWaitsForAFileIsNotSharedByAllLibraries() throws {
    func share(_ file: String) throws -> Double {
      try #require(predicted(.dropLibrary, "libFoundationNetworking.so", in: timeline(reading: file))).share
    }
    #expect(try share("/usr/bin/notes-server") < share("/srv/data") - 0.001)
  }

  /// A quiet machine does not take away the wait for a processor that the program's own threads had.
  @Test func threadsOfTheProgramAreNoOtherPrograms() {
    func ownTotal(_ rivals: Int) -> Int64 { Savings([timeline(pausing: true, rivals: rivals)]).ownTotal }
    #expect(ownTotal(0) == 7_000_000)
    // The program ran on one processor, which another of its threads had.
    #expect(ownTotal(1) == 10_000_000)
    #expect(ownTotal(2) == 10_000_000)
  }

  /// Without perf events, only the CPU time of the program says that it had other threads.
  @Test(arguments: [
    (cpu: 7, cpus: 2, own: 7), (cpu: 17, cpus: 2, own: 8.5), (cpu: 17, cpus: 1, own: 10), (cpu: 99, cpus: 2, own: 10),
  ])
  func withoutPerfEventsTheCPUTimeTellsOfThreads(cpu: UInt64, cpus: UInt64, own: Double) {
    var launch = SampleLaunch()
    launch.launcher(
      exit: 10_000_000, isInstrumented: false,
      [
        ("observer", .string("ptrace")), ("wait_states", .string("times")), ("cpus", .uint(cpus)),
        ("user_cpu_ns", .uint(cpu * 1_000_000)), ("system_cpu_ns", .uint(0)),
      ])
    launch.pause(from: 6_000_000, to: 9_000_000, .preempted)
    let savings = Savings([LaunchTimeline(trace: launch.trace())])
    #expect(abs(Double(savings.ownTotal) / 1e6 - own) <= 0.1, "\(savings.ownTotal)")
  }

  /// Launches with the agent were slower: a library does not cost more than there was.
  @Test func theAgentsTimesOfInitialisersFitIntoTheirPhase() throws {
    let closer = timeline(initializers: [
      ("/usr/lib/libcurl.so.4.8.0", 3_000_000), ("/usr/bin/notes-server", 1_000_000),
    ])
    let savings = Savings([timeline()], closer: [closer]).savings
    let saving = try #require(
      savings.first { $0.change == .dropLibrary && $0.subject == "libFoundationNetworking.so" })
    // Two mappings, 0.8 ms of relocations, and 0.75 ms of initialisers.
    #expect(abs(saving.share - 0.175) < 0.002)
  }

  /// What initialisers open is no cost of the libraries that the program links.
  @Test func openingsOfInitialisersAreNotShared() throws {
    let saving = try #require(predicted(.dropLibrary, "libFoundationNetworking.so", in: timeline(opensEarly: true)))
    // (1.0 of 3.8 ms) of 0.2 ms.
    #expect(abs(saving.share - 0.105) < 0.002)
  }

  @Test func swiftLibrariesGoWithAStaticStdlib() throws {
    let saving = try #require(predicted(.staticStdlib, in: timeline()))
    #expect(
      saving.gone == [
        "libFoundation.so", "libFoundationEssentials.so", "libFoundationNetworking.so", "libswiftCore.so",
      ])
    #expect(abs(saving.share - 0.379) < 0.002)
  }

  /// libcurl has no static form in any system.
  @Test func anExecutableWithFoundationNetworkingIsNotPredictedToBeStatic() {
    let savings = Savings([timeline()])
    #expect(!savings.savings.contains { $0.change == .staticExecutable })
    #expect(savings.refused.map(\.change) == [.staticExecutable])
  }

  private static let small =
    Array(Self.libraries[0...0]).map { ($0.path, ["libswiftCore.so"], $0.relocation) }
    + [Self.libraries[3], Self.libraries[6]]

  @Test func aStaticExecutableHasNoLoader() throws {
    let saving = try #require(predicted(.staticExecutable, in: timeline(Self.small)))
    #expect(saving.gone == ["libc.so.6", "libswiftCore.so"])
    // 1.2 ms of loading, without the program's own relocations, and most of the initialisers.
    #expect(abs(saving.share - 0.202) < 0.005)
    #expect(Savings([timeline(Self.small, opens: true)]).refused.map(\.change) == [.staticExecutable])
  }

  /// What the loader does before it maps the first file, a static program does, too: here 0.08 ms, and their part of the exit.
  @Test func aStaticExecutableStartsAsTheLoaderDoes() throws {
    let saving = try #require(predicted(.staticExecutable, in: timeline(Self.small)))
    let timed = try #require(predicted(.staticExecutable, in: timeline(Self.small, mapped: 20_000)))
    #expect((0.008..<0.0095).contains(saving.share - timed.share))
    #expect(timed.error - saving.error > 0.001)
  }

  /// `what-if` said that no change would save anything.
  @Test func aStaticExecutableNeedsNoLibraryOfSwift() throws {
    let program = timeline([("/usr/bin/notes-server", ["libc.so.6"], 100_000), Self.libraries[6]])
    #expect(try #require(predicted(.staticExecutable, in: program)).gone == ["libc.so.6"])
    #expect(predicted(.staticStdlib, in: program) == nil)
    #expect(predicted(.staticExecutable, in: timeline([Self.libraries[6]])) == nil)
  }

  @Test func essentialsTakeThePlaceOfFoundation() throws {
    let libraries =
      [("/usr/bin/notes-server", ["libFoundation.so", "libswiftCore.so"], Int64(100_000))]
      + [Self.libraries[1], Self.libraries[3], Self.libraries[4], Self.libraries[6]]
    let saving = try #require(predicted(.foundationEssentials, in: timeline(libraries)))
    #expect(saving.gone == ["libFoundation.so"])
    #expect(saving.error >= saving.share / 3)
    let dropped = try #require(predicted(.dropLibrary, "libFoundation.so", in: timeline(libraries)))
    #expect(dropped.gone == ["libFoundation.so", "libFoundationEssentials.so"])
  }

  /// The advice is to import less, and not to do without it.
  @Test func theAdviceOnFoundationPromisesWhatEssentialsSave() throws {
    var libraries =
      [("/usr/bin/notes-server", ["libFoundation.so", "libswiftCore.so"], Int64(100_000))]
      + [Self.libraries[1], Self.libraries[3], Self.libraries[4], Self.libraries[6]]
    libraries[1].2 = 2_000_000
    let timeline = timeline(libraries)
    let saving = try #require(predicted(.foundationEssentials, in: timeline))
    let finding = try #require(timeline.findings.first { $0.id == FindingName.relocationHeavyLibrary })
    let share = "\((saving.share * 1000).rounded() / 10)"
    #expect(finding.advice.contains("That saves \(share) % of the launch"), "\(finding.advice)")
  }

  /// Its Swift code would come twice.
  @Test func aSharedLibraryOfSwiftCodeForbidsAStaticStdlib() {
    let libraries =
      [("/usr/bin/notes-server", ["libMine.so", "libswiftCore.so"], Int64(100_000))]
      + [("/app/libMine.so", ["libswiftCore.so"], Int64(100_000)), Self.libraries[3], Self.libraries[6]]
    let savings = Savings([timeline(libraries)])
    #expect(!savings.savings.contains { $0.change == .staticStdlib })
    #expect(savings.refused.map(\.change) == [.staticExecutable, .staticStdlib])
    #expect(savings.refused.allSatisfy { $0.reason.hasPrefix("libMine.so") })
  }

  /// Time in which another program had the processor is no part of the launch.
  @Test func sharesAreThoseOfAQuietMachine() throws {
    let quiet = try #require(predicted(.dropLibrary, "libFoundationNetworking.so", in: timeline()))
    let busy = try #require(predicted(.dropLibrary, "libFoundationNetworking.so", in: timeline(pausing: true)))
    #expect(abs(quiet.share * 10 - busy.share * 7) < 0.02)
    let launch = Savings([timeline(pausing: true)])
    #expect(launch.ownTotal < launch.total && launch.isPartElsewhere && !Savings([timeline()]).isPartElsewhere)
  }

  @Test func aTraceWithoutLibrariesSaysSo() {
    let savings = Savings([LaunchTimeline(trace: SampleLaunch.server().trace())])
    #expect(savings.lacksLibraries && !savings.savings.contains { $0.change == .staticStdlib })
  }

  /// Static programs were told to record again, and to observe the launch.
  @Test func aStaticProgramLacksNoLibraries() {
    var launch = SampleLaunch()
    launch.launcher(exit: 23_400_000, isInstrumented: false, [("observer", .string("perf"))])
    let savings = Savings([LaunchTimeline(trace: launch.trace())])
    #expect(!savings.lacksLibraries)
  }

  @Test func theMedianOfSeveralLaunchesCounts() throws {
    let savings = Savings([timeline(), timeline(opens: true), timeline()])
    #expect(savings.launches == 3 && savings.total == 10_000_000)
    // Seen in one launch of three: the median saves nothing.
    #expect(!savings.savings.contains { $0.change == .deferOpening })
    #expect(savings.savings.map(\.share) == savings.savings.map(\.share).sorted(by: >))
  }
}
