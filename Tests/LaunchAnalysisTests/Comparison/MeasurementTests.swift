// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// The values of a launch that are compared.
struct MeasurementTests {
  private static let millisecond: Int64 = 1_000_000

  private func measure(_ change: (inout SampleLaunch) -> Void) -> Measurement {
    var launch = SampleLaunch(exit: 100 * Self.millisecond, isInstrumented: false)
    change(&launch)
    return Measurement.all(LaunchSet(samples: [launch]))[0]
  }

  /// What is measured one by one counts as what is measured together.
  @Test func launchesAreMeasuredOneByOne() {
    var samples: [SampleLaunch] = [.crash(), .server(), .server()]
    for kind in ["first", "resume"] {
      var launch = SampleLaunch()
      launch.launcher(exit: 100 * Self.millisecond, isInstrumented: false, [("kind", .string(kind))])
      samples.append(launch)
    }
    for count in 0...samples.count {
      let together = Measurement.all(LaunchSet(samples: Array(samples.suffix(count))))
      let single = samples.suffix(count).flatMap { Measurement.all(LaunchSet(samples: [$0])) }
      let set = Measurement.set(single)
      #expect(set.map(\.leftOut) == together.map(\.leftOut))
      #expect(set.map(\.values) == together.map(\.values))
    }
  }

  @Test func onCoreTimeIsWithoutTheTimeThatOthersHadTheProcessor() {
    let measured = measure { launch in
      launch.pause(from: 10 * Self.millisecond, to: 17 * Self.millisecond, .preempted)
      // Time asleep is the program's own.
      launch.pause(from: 30 * Self.millisecond, to: 50 * Self.millisecond, .sleeping)
      launch.pause(from: 60 * Self.millisecond, to: 64 * Self.millisecond, .uninterruptible)
      // After the launch.
      launch.pause(from: 120 * Self.millisecond, to: 140 * Self.millisecond, .preempted)
    }
    #expect(measured.values[.total] == 100e6)
    #expect(measured.values[.onCore] == 93e6)
  }

  @Test func theThreadThatIsWaitedForMayWaitForAProcessorToo() {
    let measured = measure { launch in
      let worker = launch.thread(4720, name: "worker")
      launch.switched(.init(.switchedIn, at: 8 * Self.millisecond, on: worker, cpu: 1))
      launch.pause(from: 20 * Self.millisecond, to: 35 * Self.millisecond, .preempted, on: worker, cpu: 1)
      launch.switched(.init(.sleeping, at: 50 * Self.millisecond, on: worker, cpu: 1))
      launch.pause(from: 10 * Self.millisecond, to: 50 * Self.millisecond)
      launch.wakeup(at: 50 * Self.millisecond, by: worker)
      // Nobody waits for this one.
      let other = launch.thread(4721, name: "other")
      launch.switched(.init(.switchedIn, at: 60 * Self.millisecond, on: other, cpu: 1))
      launch.pause(from: 61 * Self.millisecond, to: 80 * Self.millisecond, .preempted, on: other, cpu: 1)
    }
    #expect(measured.values[.total] == 100e6)
    #expect(measured.values[.onCore] == 85e6)
  }

  @Test func smallPathsOfALargeTraceAreLeftOut() {
    func flame(paths: Int64) -> [[String]: Int64] {
      measure { launch in
        launch.interval("long", from: 0, to: 50 * Self.millisecond)
        for path in 0..<paths {
          let start = 50 * Self.millisecond + path * 5000
          launch.interval("short \(path)", from: start, to: start + 1000)
        }
      }.flame
    }
    #expect(flame(paths: 10).count >= 12)
    let large = flame(paths: 5000)
    let long = large.first { $0.key.last == "long" }
    #expect(long?.value == 50 * Self.millisecond && large.count < 10, "\(large.count)")
  }

  /// To look through all slices around each one would take hours.
  @Test func intervalsMayNestToAnyDepth() {
    let measured = measure { launch in
      for depth in 0..<40_000 as Range<Int64> {
        launch.interval("call \(depth)", from: depth, to: 100 * Self.millisecond - depth)
      }
      launch.interval("call 39999", from: 45_000, to: 46_000)
    }
    #expect(measured.values[Metric(.interval, ["call 0"])] == 100e6)
    #expect(measured.values[Metric(.interval, ["call 39999"])] == 100e6 - 2 * 39_999)
  }

  /// Each initialiser of the program's own file was gone, and another one new.
  @Test func initialisersOfAProgramWithAnotherNameAreTheSame() throws {
    func launch(_ program: String, _ table: Int64) -> SampleLaunch {
      var launch = SampleLaunch(program: program)
      launch.launcher(exit: 100 * Self.millisecond, [("program", .string("/opt/\(program)"))])
      launch.phase("static-init", from: 0, to: 60 * Self.millisecond)
      let titles = ["table (\(program))", "\(program) initializer 1", "\(program) init", "icu (libicu.so.72)"]
      for (place, title) in titles.enumerated() {
        let start = Int64(place) * 15 * Self.millisecond
        launch.initializer(title, image: "/opt/\(program)", from: start, to: start + table * Self.millisecond)
      }
      // A name of the program's own choice.
      launch.interval("load (\(program))", from: 70 * Self.millisecond, to: 80 * Self.millisecond)
      return launch
    }
    let comparison = LaunchComparison(base: [launch("notes", 10)], head: [launch("notes-next", 12)])
    let times = Dictionary(comparison.flame.nodes.map { ($0.name, [$0.base, $0.head].map { $0 / Self.millisecond }) }) {
      $1
    }
    for title in ["table (notes-next)", "notes-next initializer 1", "notes-next init", "icu (libicu.so.72)"] {
      #expect(times[title] == [10, 12], "\(title)")
    }
    #expect(times["load (notes)"] == [10, 0] && times["load (notes-next)"] == [0, 10])
  }

  @Test func aLibraryIsItsInitialisersAndRelocations() {
    let measured = measure { launch in
      launch.interval(
        "relocate", from: 2 * Self.millisecond, to: 5 * Self.millisecond, category: "launchprof.library",
        [("path", .string("/usr/lib/libz.so.1"))])
      launch.initializer("init", image: "/usr/lib/libz.so.1", from: 6 * Self.millisecond, to: 7 * Self.millisecond)
      launch.interval("relocate", from: 9 * Self.millisecond, to: 11 * Self.millisecond)
    }
    #expect(measured.values[Metric(.library, ["libz.so.1"])] == 4e6)
    // The program's own interval of that name.
    #expect(measured.values[Metric(.interval, ["relocate"])] == 2e6)
  }

  /// The loader names a library by its link: budgets of either name passed with a part of its time.
  @Test func aLibraryIsOneUnderBothOfItsNames() {
    let measured = measure { launch in
      launch.instant(
        "map", at: Self.millisecond, category: "launchprof.library", [("path", .string("/usr/lib/libz.so.1.2.13"))])
      launch.interval(
        "relocate", from: 2 * Self.millisecond, to: 5 * Self.millisecond, category: "launchprof.library",
        [("path", .string("/usr/lib/libz.so.1.2.13"))])
      launch.initializer("init", image: "/usr/lib/libz.so.1", from: 6 * Self.millisecond, to: 7 * Self.millisecond)
    }
    let library = Metric(.library, ["libz.so.1.2.13"])
    #expect(measured.values.filter { $0.key.group == .library } == [library: 4e6])
    let known = Set(measured.values.keys)
    for name in ["libz.so.1.2.13", "libz.so.1"] { #expect(Metric.named("library/" + name, among: known) == library) }
    #expect(Metric.named("library/libx.so.1", among: known) == nil && Metric.named("libz.so.1", among: known) == nil)
  }

  /// In a crafted trace, each interval has another name. Real ones have hundreds.
  @Test func ofTooManyNamesTheShortestAreLeftOut() {
    let measured = measure { launch in
      for place in 0..<20_000 as Range<Int64> {
        launch.interval("work \(place)", from: 3000 * place, to: 3000 * place + 50 + place / 10)
      }
    }
    #expect(measured.lacksShortParts && measured.values.count < 9000)
    #expect(measured.values[Metric(.interval, ["work 19999"])] == 2049)
    #expect(measured.values[Metric(.interval, ["work 0"])] == nil)
    #expect(!measure { $0.interval("work", from: 0, to: 50) }.lacksShortParts)
  }

  @Test func setsThatWereDecidedOneByOneAreOneSet() {
    func launch(_ leftOut: LaunchSet.LeftOut?, kind: String?) -> Measurement {
      var provenance = Provenance(round: 1)
      provenance.fields[.kind] = kind
      return Measurement(
        name: "", leftOut: leftOut, provenance: provenance, endMilestone: "exit", values: [:], flame: [:],
        isCPUOfLaunch: true)
    }
    func leftOut(_ launches: [Measurement]) -> [LaunchSet.LeftOut?] { Measurement.set(launches).map(\.leftOut) }
    let (cold, failed) = (launch(nil, kind: "page-cache cold"), launch(.failed, kind: nil))
    #expect(leftOut([cold, failed, launch(nil, kind: nil)]) == [.cold, .failed, nil])
    #expect(leftOut([cold, failed]) == [nil, .failed])
    // The launches because of which these were left out are not in this set.
    #expect(leftOut([launch(.cold, kind: nil), launch(.cold, kind: "cold"), failed]) == [nil, nil, .failed])
  }

  /// What the launcher or a child does on its threads does not make the program's counts vary.
  @Test func threadsAreThoseOfTheProgram() {
    let measured = measure { launch in
      _ = launch.thread(4720, name: "worker")
      for child in [5000, 5001] as [Int32] { _ = launch.builder.thread(child, ofProcess: 5000, name: "child") }
      launch.pause(from: 10 * Self.millisecond, to: 17 * Self.millisecond)
    }
    #expect(measured.threads == 2)
  }

  @Test func withoutSwitchesNobodyKnowsIt() {
    let measured = measure { _ in }
    #expect(measured.values[.onCore] == nil && measured.values[.total] == 100e6 && measured.threads == nil)
    #expect(measured.loaded == nil && measured.values[.mappedLibraries] == nil)
  }

  @Test func onCoreTimeIsComparedWhereBothSidesKnowIt() throws {
    var launches = ComparedLaunches(seed: 31)
    let base = launches.rounds(20, side: "base")
    let head = launches.rounds(20, side: "head").map { launch in
      var launch = launch
      launch.pause(from: 5 * Self.millisecond, to: 12 * Self.millisecond, .preempted)
      return launch
    }
    let mixed = LaunchComparison(base: base, head: head)
    #expect(!mixed.parts.contains { $0.metric == .onCore })
    let known = LaunchComparison(base: head, head: head)
    let part = try #require(known.parts.first { $0.metric == .onCore })
    #expect(part.metric.unit == .nanoseconds && part.shift.estimate.absolute == 0)
    #expect(abs((known.total?.shift.base ?? 0) - part.shift.base - 7e6) < 1e5)
  }
}
