// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
package import LaunchTrace

/// For each finding a launch that raises it. An id that is missing here fails the tests of all formats.
extension SampleLaunch {
  package static func trace(raising id: String) -> Trace? {
    switch id {
    case FindingName.failedLaunch, FindingName.debugBuild, FindingName.eventsDropped: return crash().trace()
    case FindingName.launchOverBudget, FindingName.slowStaticInitializer: return server().trace()
    case FindingName.unattributedTime:
      return ready { $0.phase("listen", from: 60 * millisecond, to: 70 * millisecond) }
    case FindingName.mainThreadBlockedIO, FindingName.mainThreadWaiting:
      return held().trace()
    case FindingName.launchWaiting: return sleepingPool()
    case FindingName.notInstrumented: return launcherOnly().trace()
    case FindingName.recorderOverhead: return ready(after: 2) { _ in }
    case FindingName.initializersUntimed: return ready(untimed: 3) { _ in }
    case FindingName.milestoneOverBudget:
      return ready(budgets: "milestone\tfully-drawn\t150000000") { $0.mark("fully-drawn", at: 200 * millisecond) }
    case FindingName.phaseOverBudget:
      return ready(budgets: "phase\topen-database\t20000000") { launch in
        launch.phase("open-database", from: 30 * millisecond, to: 60 * millisecond)
        launch.interval("migrate", from: 31 * millisecond, to: 59 * millisecond)
      }
    case FindingName.intervalOverBudget:
      return ready(budgets: "interval\tquery\t5000000") { launch in
        let worker = launch.thread(4720, name: "worker")
        launch.interval("query", from: 20 * millisecond, to: 60 * millisecond, on: worker)
      }
    case FindingName.oneTimeSetupRepeated:
      return ready {
        $0.metadata([("kind", .string("warm"))])
        $0.phase("one-time-setup", from: 30 * millisecond, to: 40 * millisecond)
      }
    case FindingName.mainThreadOverBudget: return unrecordedWork()
    case FindingName.mainThreadRunnable, FindingName.cpuContention: return contended()
    case FindingName.mainThreadInKernel:
      return ready(launcher: [("observer", .string("perf")), ("sample_rate", .uint(1000))]) {
        $0.pause(from: 5 * millisecond, to: 6 * millisecond)
        $0.samples(["main", "parse"], from: 20 * millisecond, to: 30 * millisecond)
      }
    case FindingName.relocationHeavyLibrary, FindingName.dlopenAtLaunch: return linked()
    case FindingName.slowLazyGlobal, FindingName.lazyGlobalContended: return globals()
    case FindingName.conformanceLookupsHeavy: return lookups()
    case FindingName.expensiveFirstUse: return firstUse()
    case FindingName.suspended:
      return ready {
        $0.builder.trace.clockSnapshots = [0, 5_000_000_000].map {
          ClockSnapshot(readings: [3: 1_000_000_000 + $0 / 10, 6: 1_000_000_000 + $0 / 10 + $0])
        }
      }
    case FindingName.traceDamaged:
      return ready {
        $0.builder.trace.diagnostics = [TraceDiagnostic(offset: 77, reason: "a string has no end")]
        $0.builder.trace.statistics.defects = 1
      }
    case FindingName.coldNotProven:
      return ready(launcher: [
        ("cold_files", .uint(3)), ("cold_bytes", .uint(40_960)), ("major_faults", .uint(0)), ("read_bytes", .uint(0)),
      ]) { _ in }
    default: return nil
    }
  }

  /// A program that is ready after 100 ms, with a phase at its beginning and what `add` adds.
  private static func ready(
    after milliseconds: Int64 = 100, untimed: Int = 0, budgets: String? = nil, launcher: Annotations = [],
    _ add: (inout SampleLaunch) -> Void
  ) -> Trace {
    var launch = SampleLaunch()
    launch.recorder(preinit: 100_000, untimed: untimed)
    launch.mark("main", at: millisecond)
    launch.phase("read-configuration", from: millisecond, to: 3 * millisecond / 2)
    launch.mark("ready", at: milliseconds * millisecond)
    add(&launch)
    launch.launcher(exit: 300 * millisecond, budgets: budgets.map { "format\t1\n\($0)\n" }, launcher)
    return launch.trace()
  }

  /// 60 ms in a function that nobody put an interval around.
  ///
  /// - Parameter folder: of its source file, Templates.swift.
  package static func unrecordedWork(in folder: String = "/src") -> Trace {
    ready {
      let parse = Frame("parseTemplates", file: folder + "/Templates.swift", line: 42)
      let inflate = Frame("inflate", image: "/usr/lib/libz.so.1")
      $0.samples(["main", "load", parse, inflate], from: 20 * millisecond, to: 80 * millisecond)
    }
  }

  /// The first thread rests from 10 ms on. A thread of a pool sleeps, and is ready after 100 ms.
  private static func sleepingPool() -> Trace {
    var launch = SampleLaunch()
    launch.recorder(preinit: 100_000)
    launch.mark("main", at: millisecond)
    let pool = launch.thread(4720, name: "pool")
    launch.turn(from: 9 * millisecond, to: 12 * millisecond, on: pool, cpu: 2)
    launch.look("clock_nanosleep", at: 20 * millisecond, on: pool)
    launch.turn(from: 92 * millisecond, to: 110 * millisecond, on: pool, cpu: 2)
    launch.pause(from: 10 * millisecond, to: 200 * millisecond)
    launch.look("rt_sigsuspend", at: 12 * millisecond)
    launch.mark("ready", at: 100 * millisecond, on: pool)
    launch.launcher(exit: 300 * millisecond)
    return launch.trace()
  }

  /// A child has the processor for which the main thread waits.
  private static func contended() -> Trace {
    ready { launch in
      let child = launch.thread(4721, name: "indexer")
      launch.pause(from: 20 * millisecond, to: 70 * millisecond, .preempted)
      launch.turn(from: 20 * millisecond, to: 70 * millisecond, on: child, cpu: 0)
    }
  }

  /// Libraries that take long to link and to open.
  private static func linked() -> Trace {
    ready { launch in
      let category = "launchprof.library"
      launch.instant("map", at: 50_000, category: category, [("path", .string("/lib/libheavy.so.1"))])
      launch.interval(
        "relocate", from: 10 * millisecond, to: 35 * millisecond, category: category,
        [("path", .string("/lib/libheavy.so.1"))])
      launch.interval(
        "dlopen", from: 40 * millisecond, to: 80 * millisecond, category: category,
        [("path", .string("/lib/libplugin.so")), ("source", .string("audit"))])
      launch.interval(
        "dlopen", from: 82 * millisecond, to: 86 * millisecond, category: category,
        [("path", .string("/lib/libsmall.so")), ("source", .string("audit"))])
    }
  }

  /// A lazy global that the main thread initialises, and one for which it waits.
  private static func globals() -> Trace {
    ready(launcher: [
      ("observer", .string("perf")), ("globals", .string("uprobes")), ("globals_call_cost_ns", .uint(2_000)),
      ("globals_inside_cost_ns", .uint(500)),
    ]) { launch in
      let worker = launch.thread(4722, name: "worker")
      launch.global("app.Catalogue.all", from: 10 * millisecond, to: 40 * millisecond, token: 1)
      launch.global("app.Index.all", from: 45 * millisecond, to: 90 * millisecond, on: worker, token: 2)
      launch.global("app.Index.all", from: 50 * millisecond, to: 90 * millisecond, token: 2, isWait: true)
    }
  }

  /// A formatter that the main thread makes and uses.
  private static func firstUse() -> Trace {
    ready {
      let format = Frame("Foundation.DateFormatter.init()", image: "/opt/libFoundation.so")
      $0.samples(["main", "app.start()", format], from: 20 * millisecond, to: 30 * millisecond)
    }
  }

  /// Types that the main thread describes.
  private static func lookups() -> Trace {
    ready(launcher: [
      ("observer", .string("perf")), ("lookups", .string("uprobes")), ("globals_call_cost_ns", .uint(2_000)),
      ("globals_inside_cost_ns", .uint(500)), ("conformance_calls", .uint(800)),
      ("conformance_repeats_ns", .uint(300_000)), ("type_name_calls", .uint(0)),
    ]) { launch in
      for place in 0..<20 {
        let start = Int64(10 + place) * millisecond
        launch.lookup(
          "app.Model\(place)", "Swift.CustomStringConvertible", from: start, to: start + millisecond / 2,
          callers: ["swift_dynamicCast", "Swift._print_unlocked<A>(A) -> ()", "app.Registry.key(Any.Type) -> String"])
      }
    }
  }
}
