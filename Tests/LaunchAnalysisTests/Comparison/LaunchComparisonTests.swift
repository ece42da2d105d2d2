// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

struct LaunchComparisonTests {
  private static func image(_ libraries: [String], relocations: Int) -> AnnotationValue {
    .dictionary([
      "libraries": .array(libraries.map(AnnotationValue.string)), "library_bytes": .uint(UInt64(libraries.count) << 20),
      "relocations": .uint(UInt64(relocations)), "initializers": .uint(4), "bytes": .uint(90_000),
      "toolchain": .string("clang 21"), "build_id": .string("ab12"),
    ])
  }

  /// Launches of one session, of a program with a build ID.
  private static func launches(_ session: String, arguments: [String], seed: UInt64) -> [SampleLaunch] {
    var launches = ComparedLaunches(seed: seed)
    return launches.session(session, 8) { plan in
      plan.launcher.append(("image", image(["libc.so.6"], relocations: 10)))
      plan.launcher.append(("arguments", .array(arguments.map(AnnotationValue.string))))
    }
  }

  @Test func aProgramUnderAnotherNameIsNoLibraryMore() throws {
    func launches(_ name: String) -> [Measurement] {
      (1...9).map { round in
        var provenance = Provenance(round: round)
        (provenance.program, provenance.session) = (name, name)
        return Measurement(
          name: "", leftOut: nil, provenance: provenance, endMilestone: "exit",
          values: [.total: 5e7, Metric(.library, [name]): 2e6, Metric(.library, ["libc.so.6"]): 1e6], flame: [:],
          isCPUOfLaunch: false)
      }
    }
    let comparison = LaunchComparison(base: launches("app"), head: launches("app-new"))
    #expect(comparison.parts.map(\.metric.id) == ["library/app-new", "library/libc.so.6"])
    #expect(comparison.parts.allSatisfy { $0.presence == .both })
  }

  @Test func whatIsTheSameDidNotChange() {
    let base = Self.launches("monday", arguments: ["-v"], seed: 5)
    let itself = LaunchComparison(base: base, head: base)
    #expect(itself.outcome == .decided(.noChange) && itself.sameness == .launches)
    let again = LaunchComparison(base: base, head: Self.launches("tuesday", arguments: ["-v"], seed: 6))
    #expect(again.outcome == .decided(.noChange) && again.decidedBy == "same-program")
    // With other arguments the program may take another time.
    let other = LaunchComparison(base: base, head: Self.launches("tuesday", arguments: [], seed: 6))
    #expect(other.outcome.isInconclusive && other.sameness == nil)
  }

  /// An interpreter is the same for ever, and its script is not.
  @Test func theSameInterpreterWithASlowerScriptIsInconclusive() {
    func launches(_ session: String, _ argument: String, factor: Double) -> [Measurement] {
      (1...10).map { round in
        var provenance = Provenance(round: round)
        (provenance.session, provenance.arguments) = (session, [argument])
        provenance.image = ImageDescription(
          libraries: [], libraryBytes: 0, relocations: 0, initializers: 0, bytes: 1, toolchain: nil, buildID: "ab")
        return Measurement(
          name: "", leftOut: nil, provenance: provenance, endMilestone: "exit",
          values: [.total: 1e8 * factor * (1 + 0.01 * Double(round * 7 % 10))], flame: [:], isCPUOfLaunch: false)
      }
    }
    func outcome(_ argument: String, _ factor: Double) -> LaunchComparison.Outcome {
      LaunchComparison(
        base: launches("monday", argument, factor: 1), head: launches("tuesday", argument, factor: factor)
      ).outcome
    }
    for argument in ["app.sh", "bin/app", "--config=app.yml"] {
      #expect(outcome(argument, 1.2).isInconclusive, "\(argument)")
      // What does not seem slower did not change.
      #expect(outcome(argument, 1) == .decided(.noChange), "\(argument)")
    }
    #expect(outcome("serve", 1.2) == .decided(.noChange))
  }

  /// Data that the program reads may have changed. Ten rounds of a noisy machine do not show that for sure.
  @Test func theSameProgramDoesNotEndRoundsThatSeemSlower() {
    func rounds(_ side: String, _ factor: Double) -> [Measurement] {
      (1...10).map { round in
        var provenance = Provenance(round: round)
        (provenance.session, provenance.side, provenance.arguments) = ("live", side, [])
        provenance.image = ImageDescription(
          libraries: [], libraryBytes: 0, relocations: 0, initializers: 0, bytes: 1, toolchain: nil, buildID: "ab")
        let noise = 1 + 0.1 * Double(round * (side == "head" ? 7 : 3) % 10)
        return Measurement(
          name: "", leftOut: nil, provenance: provenance, endMilestone: "exit", values: [.total: 5e7 * factor * noise],
          flame: [:], isCPUOfLaunch: false)
      }
    }
    var options = ComparisonOptions()
    (options.lookTail, options.isLastLook) = (1e-6, false)
    func outcome(_ factor: Double) -> LaunchComparison.Outcome {
      LaunchComparison(base: rounds("base", 1), head: rounds("head", factor), options: options).outcome
    }
    #expect(outcome(2).isInconclusive)
    #expect(outcome(1) == .decided(.noChange))
    options.isLastLook = true
    #expect(outcome(2) == .decided(.noChange))
  }

  /// Sessions of the same program: one was recorded beside other busy programs.
  @Test(arguments: [2, 0.4]) func waitingForAProcessorIsNoChangeOfTheSameProgram(factor: Double) {
    func launches(_ session: String, wall: Double, onCore: Double?, cpu: Double = 4e7, build: String = "ab")
      -> [Measurement]
    {
      (1...9).map { round in
        var provenance = Provenance(round: round)
        (provenance.session, provenance.arguments) = (session, [])
        provenance.image = ImageDescription(
          libraries: [], libraryBytes: 0, relocations: 0, initializers: 0, bytes: 1, toolchain: nil, buildID: build)
        let noise = 1 + 0.01 * Double(round)
        var values: [Metric: Double] = [.total: wall * noise, .cpu: cpu * noise]
        values[.onCore] = onCore.map { $0 * noise }
        return Measurement(
          name: "", leftOut: nil, provenance: provenance, endMilestone: "exit", values: values, flame: [:],
          isCPUOfLaunch: true)
      }
    }
    let base = launches("monday", wall: 1e8, onCore: 5e7)
    func compare(_ head: [Measurement]) -> LaunchComparison { LaunchComparison(base: base, head: head) }
    let sure = LaunchComparison.Outcome.decided(factor > 1 ? .regressed : .improved)
    let waited = compare(launches("tuesday", wall: 1e8 * factor, onCore: 5e7))
    #expect(waited.outcome == .decided(.noChange) && waited.decidedBy == "same-program" && waited.isOnlyWaiting)
    // More data is also more work, a longer wait for a disk, or more threads that work.
    for changed in [
      launches("tuesday", wall: 1e8 * factor, onCore: 5e7 * factor),
      launches("tuesday", wall: 1e8 * factor, onCore: 5e7, cpu: 4e7 * factor),
      // Unknown.
      launches("tuesday", wall: 1e8 * factor, onCore: nil),
    ] {
      let comparison = compare(changed)
      #expect(comparison.outcome == sure && !comparison.isOnlyWaiting)
    }
    // The threads of another program may wait for each other.
    let other = compare(launches("tuesday", wall: 1e8 * factor, onCore: 5e7, build: "cd"))
    #expect(other.outcome.isInconclusive && other.isOnlyWaiting && other.guilty.isEmpty && other.tailGrowth == nil)
  }

  /// Counts do not depend on how fast the machine is at that minute.
  @Test func theSpreadOfSessionsIsThatOfTimes() throws {
    var launches = ComparedLaunches(seed: 7)
    let comparison = LaunchComparison(base: launches.session("a", 10), head: launches.session("b", 10))
    let faults = try #require(comparison.parts.first { $0.metric.id == "minor-faults" })
    #expect(faults.shift.lower.relative == 0 && faults.shift.upper.relative == 0)
    #expect(try #require(comparison.total).shift.upper.relative > 0.2)
  }

  /// A launch without a kind is a usual one, and not one that may be of any kind.
  @Test(arguments: [(Provenance.Field.kind, "page-cache cold"), (.kind, "first"), (.context, "prewarming")])
  func usualLaunchesAreNotComparedWithOthers(_ field: Provenance.Field, _ value: String) throws {
    func launches(_ session: String, _ value: String?) -> [Measurement] {
      (1...9).map { round in
        var provenance = Provenance(round: round)
        (provenance.session, provenance.fields[field]) = (session, value)
        return Measurement(
          name: "", leftOut: nil, provenance: provenance, endMilestone: "exit", values: [.total: 5e7], flame: [:],
          isCPUOfLaunch: false)
      }
    }
    for (base, head) in [(value, nil), (nil, value)] {
      let comparison = LaunchComparison(base: launches("a", base), head: launches("b", head))
      #expect(comparison.outcome == .incomparable)
      let difference = try #require(comparison.differences.first)
      #expect(difference.base == [base ?? "usual"] && difference.head == [head ?? "usual"])
    }
    #expect(LaunchComparison(base: launches("a", "warm"), head: launches("b", nil)).differences.isEmpty)
  }

  /// Without perf events, relocation counts as loading, and no library has a time: nothing grew, nothing is gone.
  @Test func whatOnlyOneMeansSeesIsNotCompared() {
    let own = Metric(.interval, ["open database"])
    func launches(_ means: String?) -> [Measurement] {
      (1...9).map { round in
        var provenance = Provenance(round: round)
        provenance.session = means ?? ""
        var values: [Metric: Double] = [.total: 5e7, own: 5e6, Metric(.phase, ["load"]): 9e6]
        if means != "ptrace" {
          values[Metric(.phase, ["load"])] = 1e6
          values[Metric(.phase, ["relocate"])] = 8e6
          values[Metric(.library, ["libc.so.6"])] = 8e6
          values[Metric(.interval, ["dlopen"])] = 3e6
        }
        var launch = Measurement(
          name: "", leftOut: nil, provenance: provenance, endMilestone: "exit", values: values,
          flame: [["main thread", "load"]: Int64(values[Metric(.phase, ["load"])] ?? 0)], isCPUOfLaunch: false)
        launch.means = means
        return launch
      }
    }
    let comparison = LaunchComparison(base: launches("perf"), head: launches("ptrace"))
    #expect(comparison.parts.map(\.metric) == [own] && comparison.guilty.isEmpty)
    #expect(comparison.flame.nodes.isEmpty && comparison.means == ["perf", "ptrace"])
    #expect(LaunchComparison(base: launches("perf"), head: launches("perf")).parts.count == 5)
    // A history of an earlier version does not say.
    #expect(
      LaunchComparison(base: launches(nil), head: launches("ptrace")).guilty.contains { $0.metric.name == "load" })
  }

  @Test func theSameIsNoChange() {
    var launches = ComparedLaunches(seed: 4)
    let comparison = LaunchComparison(
      base: launches.rounds(60, side: "base"), head: launches.rounds(60, side: "head"))
    #expect(comparison.outcome == .decided(.noChange))
    #expect(comparison.guilty.isEmpty)
  }

  @Test func oneLaunchASideIsInconclusive() {
    var launches = ComparedLaunches(seed: 5)
    let comparison = LaunchComparison(
      base: launches.rounds(1, side: "base"), head: launches.rounds(1, side: "head") { $0.database += 90_000 })
    #expect(comparison.outcome == .decided(.inconclusive(.runs(11))))
  }

  @Test func twoSessionsAreHeldToWhatSessionsDifferBy() {
    var launches = ComparedLaunches(seed: 6)
    let base = launches.session("monday", 20)
    let slower = launches.session("tuesday", 20) { $0.database += 8_000 }
    let farSlower = launches.session("tuesday", 20) { $0.database += 60_000 }
    #expect(LaunchComparison(base: base, head: slower).outcome == .decided(.inconclusive(.unknown)))
    let comparison = LaunchComparison(base: base, head: farSlower)
    #expect(comparison.outcome == .decided(.regressed) && comparison.total?.shift.design == .spread)
    // For a machine that is known to be steadier.
    var options = ComparisonOptions()
    options.sessionSpread = 0.05
    #expect(LaunchComparison(base: base, head: slower, options: options).outcome == .decided(.regressed))
  }

  @Test func manySessionsAreTheUnit() {
    // Only the total: each part draws thousands of sessions.
    func side(_ name: String, total: Double) -> [Measurement] {
      (0..<21).map { launch in
        var provenance = Provenance(round: launch % 3 + 1)
        provenance.session = "\(name)\(launch / 3)"
        let noise = 1 + 0.005 * Double(launch * 5 % 7)
        return Measurement(
          name: "", leftOut: nil, provenance: provenance, endMilestone: "exit", values: [.total: total * noise],
          flame: [:], isCPUOfLaunch: false)
      }
    }
    let (base, head) = (side("b", total: 50e6), side("h", total: 58e6))
    let comparison = LaunchComparison(base: base, head: head)
    #expect(comparison.total?.shift.design == .sessions && comparison.total?.shift.count == 7)
    #expect(comparison.outcome == .decided(.regressed))
    #expect(LaunchComparison(base: base, head: head).total?.shift == comparison.total?.shift)
  }

  @Test func oneLaunchShowsALibraryMore() throws {
    var launches = ComparedLaunches(seed: 8)
    let few = Self.image(["libc.so.6", "libm.so.6"], relocations: 900)
    let more = Self.image(["libFoundation.so", "libc.so.6", "libm.so.6"], relocations: 60_000)
    let base = launches.rounds(1, side: "base") { $0.launcher.append(("image", few)) }
    let head = launches.rounds(1, side: "head") { $0.launcher.append(("image", more)) }
    let comparison = LaunchComparison(base: base, head: head)
    #expect(comparison.outcome == .decided(.regressed) && comparison.decidedBy == "libraries")
    let libraries = try #require(comparison.exact.first { $0.metric == .libraries })
    #expect(libraries.added == ["libFoundation.so"] && libraries.difference == 1)
    var options = ComparisonOptions()
    options.exact[.libraries] = 1
    options.exact[.relocations] = 100
    options.exact[.libraryBytes] = 1
    #expect(LaunchComparison(base: base, head: head, options: options).outcome != .decided(.regressed))
  }

  @Test func anotherMachineIsIncomparableUnlessAllowed() {
    var launches = ComparedLaunches(seed: 9)
    let base = launches.rounds(20, side: "base")
    let head = launches.rounds(20, side: "head") {
      $0.launcher += [("host", .string("other")), ("kernel", .string("7"))]
    }
    let comparison = LaunchComparison(base: base, head: head)
    #expect(comparison.outcome == .incomparable)
    #expect(comparison.differences.map(\.field) == [.machine, .kernel])
    #expect(comparison.differences.first?.base == ["build-7"] && comparison.differences.first?.head == ["other"])
    var options = ComparisonOptions()
    options.allowed = [.machine, .kernel]
    #expect(LaunchComparison(base: base, head: head, options: options).outcome == .decided(.noChange))
  }

  /// A server that listens long before it marks `ready` has two times. They are not one time that got better.
  @Test func whatMadeThemReadyIsNotComparedWithSomethingElse() {
    func launches(_ rule: String, end: String = "ready") -> [Measurement] {
      (1...9).map { round in
        var provenance = Provenance(round: round)
        provenance.session = rule
        (provenance.fields[.readyRule], provenance.fields[.end]) = (rule, end)
        return Measurement(
          name: "", leftOut: nil, provenance: provenance, endMilestone: end, values: [.total: 5e7], flame: [:],
          isCPUOfLaunch: false)
      }
    }
    let comparison = LaunchComparison(base: launches("program"), head: launches("listen"))
    #expect(comparison.outcome == .incomparable)
    #expect(comparison.differences.map(\.field) == [.readyRule])
    #expect(comparison.differences.first?.base == ["program"] && comparison.differences.first?.head == ["listen"])
    #expect(LaunchComparison(base: launches("listen"), head: launches("listen")).differences.isEmpty)
    // Other milestones have other rules.
    let others = LaunchComparison(base: launches("program"), head: launches("exit", end: "exit"))
    #expect(others.differences.map(\.field) == [.end])
  }

  @Test func theTraceSaysWhatMadeALaunchReady() {
    var launch = SampleLaunch(preinit: 1000)
    launch.mark("ready", at: 50_000_000)
    launch.launcher(exit: 100_000_000, [("ready_rule", .string("listen"))])
    #expect(LaunchTimeline(trace: launch.trace()).provenance.fields[.readyRule] == "listen")
  }

  @Test func launchesThatFailedDoNotCount() {
    var launches = ComparedLaunches(seed: 10)
    var number = 0
    let base = launches.rounds(20, side: "base") {
      number += 1
      $0.isWarmUp = number < 4
    }
    let comparison = LaunchComparison(base: base, head: launches.rounds(20, side: "head"))
    #expect(comparison.counted.base.count == 17 && comparison.total?.shift.count == 17)
    let none = LaunchComparison(base: [.crash(), .crash()], head: launches.rounds(20, side: "head"))
    #expect(none.outcome == .nothingToCompare && none.total == nil)
    #expect(LaunchComparison(base: [SampleLaunch](), head: []).outcome == .nothingToCompare)
  }

  @Test func launchesWithNoCommonPhaseAreCompared() {
    var launches = ComparedLaunches(seed: 11)
    let comparison = LaunchComparison(
      base: launches.rounds(12, side: "base"), head: (0..<12).map { _ in SampleLaunch.launcherOnly() })
    #expect(comparison.total != nil)
    #expect(
      comparison.parts.contains { $0.presence == .headOnly } && comparison.parts.contains { $0.presence == .baseOnly })
  }

  @Test func moreCPUTimeOnAnotherThreadIsNoRegression() {
    var launches = ComparedLaunches(seed: 12)
    let comparison = LaunchComparison(
      base: launches.rounds(60, side: "base"), head: launches.rounds(60, side: "head") { $0.cpu += 20_000 })
    #expect(comparison.cpu?.verdict == .regressed)
    #expect(comparison.outcome == .decided(.noChange) && comparison.decidedBy == "total")
  }
}
