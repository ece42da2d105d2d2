// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

/// Milestones, loading, budgets that were exceeded, and the program's own events.
extension RandomLaunch {
  private static let milestones = [
    "ready", "ready", "first-frame", "fully-drawn", "main", "handed-over", "window-mapped", "listening",
    "first-output", "notified", "output-matched", "answered", "preinit", "exit", "half way",
  ]

  /// Any of them, none, or the same twice.
  mutating func addMilestones() {
    for _ in 0..<random.count(0...5) {
      let id = random.pick(Self.milestones)
      launch.instant(
        id, at: random.anyTime(), category: CategoryName.mark, on: random.chance(80) ? launch.main : anyThread(),
        random.chance(30)
          ? [
            ("error_ns", .uint(UInt64(random.count(0...5_000_000)))), ("detail", .string("port 8080")),
            ("source", .string("kernel")),
          ] : [])
    }
    if random.chance(30) {
      let ready = random.time()
      launch.mark("ready", at: ready)
      launch.mark("fully-drawn", at: random.time(in: ready...random.length + random.length / 10))
    }
  }

  /// The stages of the loader, mostly in order.
  mutating func addLoading() {
    guard random.chance(60) else { return }
    let points = ["exec", "loader-started", "relocated", "entry", "main"]
    for _ in 0..<random.pick([1, 1, 1, 2]) {
      var times = random.times(points.count, in: 0...random.length / Int64(random.count(1...10)))
      if random.chance(10) { times.reverse() }
      for (point, time) in zip(points, times) where random.chance(85) {
        launch.instant(
          point, at: time, category: "launchprof.point",
          [
            ("path", .string(random.pick(["/usr/bin/notes-server", "/usr/bin/env"]))),
            ("source", .string(random.pick(["kernel", "breakpoint", "ptrace", "estimated", "launcher", "audit"]))),
          ])
      }
      for _ in 0..<random.count(0...3) { addMapping(before: times[4]) }
    }
  }

  private mutating func addMapping(before end: Int64) {
    let path = random.pick(["/lib/libx.so", "/lib/liby.so", "/lib64/ld-linux-x86-64.so.2", "/lib/launchprof-agent.so"])
    let time = random.time(in: 0...(random.chance(80) ? end : random.length))
    launch.instant(
      "map", at: time, category: "launchprof.library",
      [
        ("path", .string(path)), ("size", .uint(UInt64(random.count(0...1_000_000)))), ("address", .pointer(0x7000)),
        ("needed", .array([.string("libx.so")])), ("agent", .bool(path.hasSuffix("agent.so"))),
        ("duration_ns", .uint(UInt64(random.count(0...2_000_000)))),
      ])
    if random.chance(40) {
      launch.interval(
        "relocate", from: time, to: random.time(in: time...max(time, end)), category: "launchprof.library",
        [("path", .string(path)), ("source", .string("kernel"))])
    }
  }

  /// Events of the program, and what the recorder says about budgets.
  mutating func addPoints() {
    for _ in 0..<random.count(0...4) {
      launch.instant(
        random.pick(["tick", "over", "cache miss"]), at: random.anyTime(), category: "app/startup", on: anyThread(),
        random.chance(50) ? [("message", .string("n"))] : [])
    }
    for _ in 0..<random.count(0...2) { addExceededBudget() }
  }

  private mutating func addExceededBudget() {
    let part = random.part(of: 0...random.length)
    let kind = random.pick(["interval", "phase", "milestone"])
    let name = random.pick(["parse", "load", "open-database", "ready"])
    let common: SampleLaunch.Annotations = [
      ("interval", .string(name)), ("kind", .string(kind)), ("budget_ns", .uint(UInt64(random.count(0...2_000_000)))),
      ("set_by", .string(random.pick(["host", "program", "file"]))),
    ]
    launch.instant("budget", at: random.anyTime(), category: "launchprof.budget", common)
    guard random.chance(50) else { return }
    launch.instant(
      "over-budget", at: part.upperBound, category: "launchprof.budget",
      common + [
        ("start_ns", .uint(UInt64(launch.origin + part.lowerBound))),
        ("duration_ns", .uint(UInt64(part.upperBound - part.lowerBound))),
        ("place", .string(random.pick(["elsewhere", "awaited", ""]))),
      ])
  }
}
