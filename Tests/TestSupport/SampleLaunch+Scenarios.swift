// SPDX-License-Identifier: Apache-2.0

package import LaunchTrace

/// Launches that tests of several modules look at.
extension SampleLaunch {
  static let millisecond: Int64 = 1_000_000
  /// ns.
  private static func time(_ microseconds: Int64) -> Int64 { microseconds * 1000 }

  /// A server that takes 412 ms to be ready, with one thing over budget on the main thread and the same on a worker.
  package static func server(scale: Int64 = 1000, run: Int = 1, runs: Int = 1) -> SampleLaunch {
    /// Thousandths of a millisecond at the usual scale.
    func time(_ microseconds: Int64) -> Int64 { microseconds * scale }
    var launch = SampleLaunch(preinit: time(8_320))
    launch.metadata([
      ("version", .string("1.4.2")), ("build", .string("88")), ("reason", .string("terminal")),
      ("kind", .string("warm")),
    ])
    launch.phase("static-init", from: time(8_350), to: time(11_900))
    launch.initializer(
      "libsqlite3.so.0 initializer 1", image: "/usr/lib/libsqlite3.so.0", from: time(8_400), to: time(8_410))
    launch.initializer(
      "libicuuc.so.72 initializer 1", image: "/usr/lib/libicuuc.so.72", from: time(8_500), to: time(11_020))
    launch.initializer(
      "notes-server initializer 3", image: "/usr/bin/notes-server", from: time(11_100), to: time(11_800))
    launch.mark("main", at: time(11_905))
    launch.interval("parse arguments", from: time(12_000), to: time(12_400))
    launch.phase("read-configuration", from: time(14_000), to: time(61_000), cpu: time(44_100))
    launch.interval("load launch.json", from: time(14_500), to: time(26_000))
    launch.interval("validate", from: time(27_000), to: time(60_000))
    for part in 0..<20 as Range<Int64> {
      launch.interval("validate section", from: time(27_500 + part * 1_600), to: time(28_900 + part * 1_600))
    }
    launch.phase("open-database", from: time(70_000), to: time(391_000), cpu: time(120_400))
    launch.interval("sqlite3_open", from: time(70_500), to: time(82_000))
    launch.interval("migrate", from: time(90_000), to: time(390_000))
    launch.interval("rebuild index", from: time(100_000), to: time(372_000))
    let worker = launch.thread(4720, name: "worker")
    launch.interval("warm cache", from: time(75_000), to: time(280_000), on: worker)
    launch.interval("decode", from: time(80_000), to: time(150_000), on: worker)
    let lane = launch.lane()
    launch.async("fetch flags", from: time(64_000), to: time(330_000), lane: lane, began: launch.main, ended: worker)
    launch.mark("ready", at: time(412_310))
    launch.interval("serve", from: time(412_400), to: time(900_000))
    launch.launcher(exit: time(910_000), outcome: "signalled", signal: 15, run: run, runs: runs)
    return launch
  }

  /// Killed while it migrated its database: nothing is closed.
  package static func crash() -> SampleLaunch {
    var launch = SampleLaunch()
    launch.recorder(preinit: 3 * millisecond, source: "estimated", dropped: 12, isDebug: true)
    launch.phase("static-init", from: 3 * millisecond, to: 4 * millisecond)
    launch.mark("main", at: 4 * millisecond)
    launch.phase("open-database", from: 6 * millisecond, to: nil)
    launch.interval("migrate", from: 7 * millisecond, to: nil)
    launch.interval("step 1", from: 8 * millisecond, to: 12 * millisecond)
    launch.interval("step 2", from: 12 * millisecond, to: nil)
    launch.launcher(exit: 61 * millisecond, outcome: "signalled", signal: 11)
    return launch
  }
}

extension SampleLaunch {
  /// A program with a window, started from inside: callbacks that nest, a main actor that moved, a frame, an extended
  /// launch.
  package static func interface() -> SampleLaunch {
    var launch = SampleLaunch(processID: 900, program: "Gallery")
    launch.recorder(preinit: time(5_100), startError: 4_100_000, source: "estimated")
    launch.metadata([("version", .string("2.0")), ("kind", .string("cold")), ("reason", .string("url"))])
    launch.phase("static-init", from: time(5_120), to: time(6_000))
    launch.mark("main", at: time(6_010))
    launch.interval("create delegate", from: time(6_500), to: time(7_900))
    launch.phase("will-finish-launching", from: time(8_000), to: time(9_000), cpu: time(950))
    launch.phase("did-finish-launching", from: time(9_000), to: time(48_000), cpu: time(30_000))
    launch.phase("state-restoration", from: time(20_000), to: time(40_000), cpu: time(15_000))
    launch.interval("décoder l’état 日本語 👩‍💻", from: time(21_000), to: time(39_000))
    let worker = launch.thread(905, name: "pool")
    launch.phase(
      "scene-connect", from: time(48_010), to: time(70_000), on: worker, cpu: time(20_000),
      [("main_actor", .bool(true))])
    launch.interval("make views", from: time(49_000), to: time(69_000), on: worker)
    let other = launch.thread(906, name: "pool")
    launch.phase("one-time-setup", from: time(30_000), to: time(60_000), on: other)
    launch.interval("write templates", from: time(31_000), to: time(59_000), on: other)
    let lane = launch.lane()
    launch.async(
      "thumbnail request", from: time(9_500), to: time(15_000), lane: lane, began: launch.main, ended: launch.main)
    launch.async("fetch", from: time(50_000), to: time(110_000), lane: lane, began: launch.main, ended: other)
    launch.mark("first-frame", at: time(83_000))
    launch.interval("load thumbnails", from: time(84_000), to: time(118_000), on: other)
    launch.mark("fully-drawn", at: time(120_000))
    launch.interval("idle", from: time(130_000), to: time(190_000))
    return launch
  }

  /// An async `main`: the first thread is parked from 10 ms on, and the main actor's phase from 20 to 60 ms runs on `worker`.
  package static func mainActorElsewhere() -> (launch: SampleLaunch, worker: TrackID) {
    var launch = SampleLaunch(preinit: millisecond)
    let worker = launch.thread(4720, name: "pool")
    launch.mark("main", at: 2 * millisecond)
    launch.phase(
      "scene-connect", from: 20 * millisecond, to: 60 * millisecond, on: worker, [("main_actor", .bool(true))])
    launch.mark("ready", at: 80 * millisecond)
    launch.launcher(exit: 100 * millisecond)
    launch.switched(.init(.sleeping, at: 10 * millisecond, on: launch.main))
    return (launch, worker)
  }

  /// A server that is ready after 100 ms, with many threads, each of which takes a little longer than the one before.
  package static func crowd(threads: Int32) -> SampleLaunch {
    var launch = SampleLaunch(preinit: 5 * millisecond)
    launch.mark("main", at: 20 * millisecond)
    launch.phase("listen", from: 21 * millisecond, to: 99 * millisecond)
    launch.mark("ready", at: 100 * millisecond)
    for number in 0..<threads {
      let thread = launch.thread(10_000 + number, name: "worker")
      let start = 22 * millisecond + Int64(number) * 10_000
      let end = start + 2 * millisecond + Int64(number) * 1000
      launch.phase("serve", from: start, to: end, on: thread)
      launch.interval("answer", from: start + 100_000, to: end - 100_000, on: thread)
    }
    return launch
  }

  /// A program that knows nothing of us.
  package static func launcherOnly() -> SampleLaunch { SampleLaunch(exit: 23_400_000, isInstrumented: false) }

  /// A program whose stacks were taken: work in a recorded interval, beside it in the same phase, and on another thread.
  package static func sampled() -> SampleLaunch {
    var launch = SampleLaunch(preinit: time(5_000))
    launch.mark("main", at: time(8_000))
    let worker = launch.thread(4720, name: "indexer")
    launch.phase("did-finish-launching", from: time(10_000), to: time(90_000))
    launch.interval("load templates", from: time(20_000), to: time(60_000))
    launch.interval("index", from: time(15_000), to: time(70_000), on: worker)
    let (entry, callback) = (["_start", "main"] as [Frame], Frame("AppDelegate.didFinishLaunching()"))
    let decode = Frame("inflate", image: "/usr/lib/libz.so.1")
    launch.samples(entry + [callback, "TemplateStore.load()", decode], from: time(20_000), to: time(45_000))
    launch.samples(entry + [callback, "TemplateStore.load()"], from: time(45_000), to: time(60_000))
    launch.samples(
      entry + [callback, Frame("Session.restore() async -> ()", file: "/src/Session.swift", line: 7)],
      from: time(62_000), to: time(88_000))
    launch.samples(
      ["start_thread", "Indexer.run()", "Indexer.tokenize(_:)"], from: time(15_000), to: time(70_000), on: worker)
    launch.mark("ready", at: time(100_000))
    launch.launcher(exit: time(120_000))
    return launch
  }

  /// A program that was watched from outside: held up by a lock, a cold file, other programs, and a sleep.
  package static func held() -> SampleLaunch {
    var launch = SampleLaunch(preinit: time(5_000))
    launch.mark("main", at: time(8_000))
    let worker = launch.thread(4720, name: "worker")
    launch.phase("open-database", from: time(10_000), to: time(90_000))
    launch.interval("lock database", from: time(12_000), to: time(53_000))
    launch.interval("rebuild index", from: time(11_000), to: time(52_000), on: worker)
    launch.phase("read-templates", from: time(90_000), to: time(170_000))
    launch.mark("ready", at: time(230_000))
    launch.switched(.init(.switchedIn, at: time(10_900), on: worker, cpu: 1))
    launch.switched(.init(.sleeping, at: time(52_100), on: worker, cpu: 1))
    launch.pause(from: time(13_000), to: time(52_000))
    launch.look("futex", at: time(15_000), owner: 4720)
    for part in 0..<20 as Range<Int64> {
      launch.pause(from: time(92_000 + part * 3_000), to: time(94_500 + part * 3_000))
    }
    launch.look("read", at: time(93_000), state: "D", path: "/srv/templates.pack")
    launch.look("read", at: time(150_000), state: "D", path: "/srv/templates.pack")
    for part in 0..<4 as Range<Int64> {
      launch.pause(from: time(172_000 + part * 8_000), to: time(177_000 + part * 8_000), .preempted)
    }
    launch.pause(from: time(205_000), to: time(225_000))
    launch.look("clock_nanosleep", at: time(210_000))
    launch.launcher(exit: time(260_000), outcome: "signalled", signal: 15)
    return launch
  }
}
