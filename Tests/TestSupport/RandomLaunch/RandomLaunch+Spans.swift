// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

/// Intervals, phases, and what else has a begin and an end.
extension RandomLaunch {
  private static let phases = [
    "static-init", "one-time-setup", "will-finish-launching", "did-finish-launching", "scene-connect",
    "state-restoration", "open-url", "layout", "open-database", "first-frame", "extended", "main", "ready", "exec",
  ]
  private static let intervals = ["parse", "load", "query", "validate section", "décoder 日本語", "unpack", "warm cache"]

  /// Properly nested, at the whole length of the launch and a little more.
  mutating func addSpans(to thread: TrackID) {
    for _ in 0..<random.count(0...3) {
      let range = random.part(of: 0...random.length + random.length / 5)
      addSpan(to: thread, in: range, depth: 0)
    }
  }

  private mutating func addSpan(to thread: TrackID, in range: ClosedRange<Int64>, depth: Int) {
    // What never ends contains all that follows.
    let isOpen = random.chance(4)
    add(on: thread, from: range.lowerBound, to: isOpen ? nil : range.upperBound)
    guard depth < 5, range.count > 1 || depth == 0 else { return }
    var start = range.lowerBound
    for _ in 0..<random.count(0...3) where start <= range.upperBound {
      let part = random.part(of: start...range.upperBound)
      addSpan(to: thread, in: part, depth: depth + 1)
      start = part.upperBound
    }
  }

  private mutating func add(on thread: TrackID, from start: Int64, to end: Int64?) {
    switch random.count(0...19) {
    case 0..<6: addPhase(on: thread, from: start, to: end)
    case 6:
      launch.initializer(
        "libx initializer", image: random.pick(["/lib/libx.so", "/lib/liby.so", ""]), from: start, to: end)
    case 7:
      launch.global(
        random.pick(["app.All", "app.Index"]), from: start, to: end, on: thread, token: UInt64(random.count(1...2)),
        isWait: random.chance(30))
    case 8:
      launch.lookup(
        random.pick(["app.Model", "app.Row"]), random.chance(70) ? "Swift.Hashable" : nil, from: start,
        to: end ?? start,
        on: thread, repeats: UInt64(random.count(0...9)), callsInside: UInt64(random.count(0...3)))
    case 9: addOpening(on: thread, from: start, to: end)
    case 10: addLaunchTask(on: thread, from: start, to: end)
    case 11: launch.interval("fill", from: start, to: end, on: thread, category: CategoryName.deferred)
    case 12: launch.interval("launch screen", from: start, to: end, on: thread, category: "launchprof.screen")
    case 13: launch.interval("request", from: start, to: end, on: thread, category: "tracing/NIO")
    default:
      launch.interval(
        random.pick(Self.intervals), from: start, to: end, on: thread,
        random.chance(20) ? [("message", .string("part \(random.count(1...9))"))] : [])
    }
  }

  private mutating func addPhase(on thread: TrackID, from start: Int64, to end: Int64?) {
    let cpu = random.chance(40) ? Int64(random.count(0...50)) * 100_000 : nil
    launch.phase(
      random.pick(Self.phases), from: start, to: end, on: thread, cpu: cpu,
      random.chance(30) ? [("main_actor", .bool(true))] : [])
  }

  private mutating func addOpening(on thread: TrackID, from start: Int64, to end: Int64?) {
    launch.interval(
      random.pick(["dlopen", "relocate"]), from: start, to: end, on: thread, category: "launchprof.library",
      [
        (
          "path",
          random.chance(50) ? .string("/lib/libx.so") : .array([.string("/lib/liby.so"), .string("/lib/libz.so")])
        ),
        ("source", .string(random.pick(["audit", "kernel", "breakpoint"]))),
        ("lacks_initializers", .bool(random.chance(30))),
      ])
  }

  private mutating func addLaunchTask(on thread: TrackID, from start: Int64, to end: Int64?) {
    let names = ["unpack", "connect", "index"]
    if random.chance(30) {
      launch.interval("wait", from: start, to: end, on: thread, category: "launchprof/launch-task-wait")
    }
    launch.interval(
      random.pick(names), from: start, to: end, on: thread, category: "launchprof.launch-task",
      random.chance(60) ? [("message", .string(random.pick(names) + "\n" + random.pick(names)))] : [])
  }

  /// Async intervals and extended tasks, one after the other on a lane. They begin on one thread and end on another.
  mutating func addLanes() {
    for _ in 0..<random.count(0...2) {
      let lane = launch.lane()
      var start: Int64 = 0
      for _ in 0..<random.count(1...3) {
        let part = random.part(of: start...random.length)
        addAsync(on: lane, from: part.lowerBound, to: part.upperBound)
        if random.chance(30) {
          let inner = random.part(of: part)
          addAsync(on: lane, from: inner.lowerBound, to: inner.upperBound)
        }
        start = part.upperBound
      }
      if random.chance(15) { addAsync(on: lane, from: start, to: nil) }
    }
  }

  private mutating func addAsync(on lane: TrackID, from start: Int64, to end: Int64?) {
    let category = random.pick(["app/startup", "launchprof.task", CategoryName.phase, "tracing/Vapor"])
    let began = random.pick(threads)
    launch.async(
      random.pick(Self.intervals), from: start, to: end, lane: lane, began: began,
      ended: random.chance(50) ? began : random.pick(threads), category: category)
  }
}
