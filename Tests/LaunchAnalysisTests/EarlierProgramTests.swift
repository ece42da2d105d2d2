// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// Programs that executed the launched one, such as a shell with a script.
struct EarlierProgramTests {
  private let millisecond: Int64 = 1_000_000

  /// Nobody can change the functions of a shell, or move them off the main thread.
  @Test func aShellThatExecutesTheProgramIsOneFinding() {
    var launch = SampleLaunch(exit: 200 * millisecond, isInstrumented: false)
    for (path, time) in [("/usr/bin/bash", 1), ("/opt/notes", 40)] as [(String, Int64)] {
      launch.instant(
        "exec", at: time * millisecond, category: "launchprof.point", [("path", .string(path))])
    }
    launch.instant("loader-started", at: 41 * millisecond, category: "launchprof.point")
    launch.samples(
      ["main", .init("execute_command", image: "/usr/bin/bash")], from: 5 * millisecond, to: 38 * millisecond)
    let found = LaunchTimeline(trace: launch.trace()).findings.filter {
      $0.id == FindingName.mainThreadOverBudget
    }
    #expect(found.map(\.subject) == ["bash"])
    #expect((30...39).contains((found.first?.actual ?? 0) / millisecond) && found.first?.path == ["exec"])
    #expect(found.first?.advice.hasPrefix("bash took this time before it executed notes. ") == true)
  }

  /// pyenv: most of the launch was bash, which ran for 4 ms and waited for its children. The first finding was one of those waits.
  @Test func theWaitsOfAScriptCountIfItIsALargePartOfTheLaunch() {
    func found(exit: Int64) -> [Finding] {
      var launch = SampleLaunch(exit: exit * millisecond, isInstrumented: false)
      for (path, time) in [("/usr/bin/bash", 1), ("/opt/notes", 40)] as [(String, Int64)] {
        launch.instant("exec", at: time * millisecond, category: "launchprof.point", [("path", .string(path))])
      }
      launch.instant("loader-started", at: 41 * millisecond, category: "launchprof.point")
      launch.pause(from: 3 * millisecond, to: 37 * millisecond)
      return LaunchTimeline(trace: launch.trace()).findings.filter { $0.subject == "bash" }
    }
    let ofLarge = found(exit: 100)
    #expect(ofLarge.count == 1 && (38...40).contains((ofLarge.first?.actual ?? 0) / millisecond))
    #expect(ofLarge.first?.evidence.contains { $0.text == "sleeping or waiting" } == true, "\(ofLarge)")
    #expect(found(exit: 1000).isEmpty)
  }

  /// Its evidence added up to 49.68 ms, and it took 37.91.
  @Test func whatDoesNotCountOfAScriptIsSaid() throws {
    var launch = SampleLaunch(exit: 100 * millisecond, isInstrumented: false)
    for (path, time) in [("/usr/bin/bash", 1), ("/opt/notes", 40)] as [(String, Int64)] {
      launch.instant("exec", at: time * millisecond, category: "launchprof.point", [("path", .string(path))])
    }
    launch.instant("loader-started", at: 41 * millisecond, category: "launchprof.point")
    launch.pause(from: 10 * millisecond, to: 20 * millisecond, .preempted)
    let finding = try #require(LaunchTimeline(trace: launch.trace()).findings.first { $0.subject == "bash" })
    let notes = finding.evidence.filter { $0.kind == .note }
    #expect(notes.map(\.text) == ["not counted: waiting for a CPU, stopped"])
    #expect(notes.map(\.time) == [10 * millisecond])
  }

  /// A static program may pass its points before the launcher watches them. Then the program before it was part of `static-init`.
  @Test(arguments: [nil, 45] as [Int64?]) func aProgramBeforeOneWithoutPointsIsInExec(main: Int64?) {
    var launch = SampleLaunch(exit: 100 * millisecond, isInstrumented: false)
    for (path, time) in [("/opt/version-manager", 1), ("/opt/notes", 40)] as [(String, Int64)] {
      launch.instant("exec", at: time * millisecond, category: "launchprof.point", [("path", .string(path))])
    }
    if let main { launch.instant("main", at: main * millisecond, category: "launchprof.point") }
    let timeline = LaunchTimeline(trace: launch.trace())
    let last = main == nil ? ["unattributed"] : ["static-init", "main"]
    #expect(timeline.phases.map(\.id) == ["exec"] + last, "\(timeline.phases.map(\.id))")
    let exec = timeline.phases[0]
    #expect(exec.end - timeline.start == 40 * millisecond && exec.children.map(\.id) == ["version-manager"])
  }

  /// /usr/bin/redis-server is a link to redis-check-rdb. Whoever launched redis-check-rdb, as the advice said, got another program.
  @Test func aProgramBehindALinkHasTheNameOfTheLink() {
    var launch = SampleLaunch(exit: 200 * millisecond, isInstrumented: false)
    let programs: [(String, String?, Int64)] = [
      ("/usr/bin/bash", nil, 1), ("/bin/busybox", "env", 40), ("/usr/bin/redis-check-rdb", "redis-server", 80),
    ]
    for (path, name, time) in programs {
      let names: [(String, AnnotationValue)] = name.map { [("name", .string($0))] } ?? []
      launch.instant(
        "exec", at: time * millisecond, category: "launchprof.point", [("path", .string(path))] + names)
    }
    launch.instant("loader-started", at: 81 * millisecond, category: "launchprof.point")
    launch.samples(["main"], from: 5 * millisecond, to: 78 * millisecond)
    let timeline = LaunchTimeline(trace: launch.trace())
    #expect(timeline.phases.first?.children.map(\.id) == ["bash", "env"])
    let advice = timeline.findings.filter { $0.id == FindingName.mainThreadOverBudget }.map(\.advice)
    #expect(advice.contains { $0.contains("before it executed env. Launch env without it") }, "\(advice)")
    #expect(advice.contains { $0.contains("before it executed redis-server. Launch redis-server ") }, "\(advice)")
  }
}
