// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// Findings about waits say where the program's own code waited.
struct WaitPlaceTests: WaitingSuite {
  @Test func aLongWaitHasItsFunctionAndLine() throws {
    var launch = launch()
    launch.pause(from: 10 * millisecond, to: 60 * millisecond)
    let own = [Frame("connect()"), Frame("backOff()", file: "/src/server.c", line: 8)]
    launch.waitStack(entry + own + sleep, at: 10 * millisecond)
    let finding = try finding(FindingName.mainThreadWaiting, launch)
    #expect(finding.subject == "clock_nanosleep")
    #expect(finding.file == "/src/server.c" && finding.line == 8)
    #expect(finding.evidence.filter { $0.kind == .stack }.map(\.text) == ["connect() > backOff() > usleep"])
    #expect(
      finding.advice == "The program slept in backOff(). Wait for the event that it needs instead of a fixed time.")
  }

  /// The first thread of a Swift program with an async `main` is parked there.
  @Test func startUpCodeIsNoFunctionOfTheProgram() throws {
    var launch = launch()
    launch.pause(from: 10 * millisecond, to: 60 * millisecond)
    launch.look("rt_sigsuspend", at: 20 * millisecond)
    launch.waitStack(
      Array(entry.prefix(2)) + [Frame("dispatch_main", image: "/usr/lib/libdispatch.so")], at: 10 * millisecond)
    let timeline = LaunchTimeline(trace: launch.trace())
    let wait = try #require(timeline.states.waits.first)
    #expect(timeline.place(of: wait)?.own == nil)
    #expect(!timeline.findings.contains { $0.advice.contains("_start") }, "\(timeline.findings)")
  }

  /// The C library of a static program is in its file. Its functions are not the program's own.
  @Test(arguments: [
    ["usleep", "__nanosleep", "__clock_nanosleep"], ["__pthread_mutex_lock", "__lll_lock_wait"], ["flock"],
    ["__syscall_cp_c"], ["read"],
  ])
  func aStaticProgramWaitsInItsOwnFunction(library: [String]) throws {
    var launch = launch()
    launch.pause(from: 10 * millisecond, to: 60 * millisecond)
    launch.look("clock_nanosleep", at: 20 * millisecond)
    launch.waitStack(
      [Frame("_start"), Frame("__libc_start_main"), Frame("main"), Frame("backOff", file: "/src/server.c", line: 8)]
        + library.map { Frame($0) }, at: 10 * millisecond)
    let finding = try finding(FindingName.mainThreadWaiting, launch)
    #expect(finding.evidence.filter { $0.kind == .stack }.map(\.text) == ["backOff > \(library[0])"])
    #expect(finding.advice.hasPrefix("The program slept in backOff. ") && finding.line == 8, "\(finding.advice)")
  }

  /// Most waits are too short for a look. Then only the function of the C library says what they were for.
  @Test(arguments: [
    (["fsync"], "fsync", ThreadState.blocked), (["__open64_nocancel"], "open", .blocked),
    (["pread64"], "pread64", .blocked), (["__libc_pwrite"], "pwrite64", .blocked),
    (["__GI_ppoll", "__syscall_cancel", "__internal_syscall_cancel", "__syscall_cancel_arch"], "ppoll", .waiting),
    (["__vfork"], "vfork", .waiting), (["__spawnix", "clone3"], "clone3", .waiting), (["__read"], "read", .waiting),
    (["__pthread_rwlock_rdlock@GLIBC_2.2.5"], "futex", .lock), (["connect"], "connect", .waiting),
  ])
  func theFunctionSaysWhatTheWaitWasFor(library: [String], call: String, state: ThreadState) throws {
    var launch = launch()
    launch.pause(from: 10 * millisecond, to: 60 * millisecond)
    launch.waitStack(
      entry + [Frame("load")] + library.map { Frame($0, image: "/usr/lib/libc.so.6") }, at: 10 * millisecond)
    let wait = try #require(LaunchTimeline(trace: launch.trace()).states.waits.first)
    #expect(wait.systemCall == call && wait.state == state)
  }

  /// What other waits in the same call were for.
  @Test(arguments: [("/usr/lib/python/json.py", ThreadState.blocked), ("pipe:[17]", .waiting)])
  func readsAreOfTheSameKindAsThoseThatALookFound(path: String, state: ThreadState) throws {
    var launch = launch()
    launch.pause(from: 10 * millisecond, to: 20 * millisecond)
    launch.look("read", at: 15 * millisecond, path: path)
    launch.pause(from: 60 * millisecond, to: 80 * millisecond)
    launch.waitStack(entry + [Frame("load"), Frame("__read", image: "/usr/lib/libc.so.6")], at: 60 * millisecond)
    let waits = LaunchTimeline(trace: launch.trace()).states.waits
    #expect(waits.map(\.systemCall) == ["read", "read"] && waits.map(\.state) == [state, state])
  }

  /// An open of a FIFO waits for another program, not for a disk.
  @Test(arguments: [("fifo:/run/gate", ThreadState.waiting), ("/etc/hosts", .blocked)])
  func opensAreOfTheSameKindAsThoseThatALookFound(path: String, state: ThreadState) throws {
    var launch = launch()
    launch.pause(from: 10 * millisecond, to: 50 * millisecond)
    launch.look("openat", at: 15 * millisecond, path: path)
    launch.pause(from: 60 * millisecond, to: 80 * millisecond)
    launch.waitStack(entry + [Frame("load"), Frame("__open64", image: "/usr/lib/libc.so.6")], at: 60 * millisecond)
    let timeline = LaunchTimeline(trace: launch.trace())
    #expect(timeline.states.waits.map(\.state) == [state, state])
    let isForDisk = timeline.findings.contains { $0.id == FindingName.mainThreadBlockedIO }
    #expect(isForDisk == (state == .blocked), "\(timeline.findings)")
  }

  /// In another program, such a name can be one of its own functions.
  @Test func aFunctionOfADynamicProgramMayHaveAnyName() throws {
    var launch = launch()
    launch.pause(from: 10 * millisecond, to: 60 * millisecond)
    launch.look("clock_nanosleep", at: 20 * millisecond)
    launch.waitStack(entry + [Frame("__wait_for_server")] + sleep, at: 10 * millisecond)
    let finding = try finding(FindingName.mainThreadWaiting, launch)
    #expect(finding.advice.hasPrefix("The program slept in __wait_for_server. "))
  }

  /// The wait for the process that prints it looked like the program's own, and like the cause of the failure.
  @Test func theBacktraceOfACrashIsNoWaitOfTheProgram() throws {
    var launch = SampleLaunch()
    launch.pause(from: 20 * millisecond, to: 80 * millisecond)
    launch.look("wait4", at: 30 * millisecond)
    let handler = [
      Frame("__restore_rt", image: "/usr/lib/libc.so.6"),
      Frame("(anonymous namespace)::handle_fatal_signal(int, siginfo_t*, void*)", image: "/usr/lib/libswiftCore.so"),
      Frame("_swift_spawnBacktracer", image: "/usr/lib/libswiftCore.so"),
      Frame("wait4", image: "/usr/lib/libc.so.6"),
    ]
    launch.waitStack(entry + handler, at: 20 * millisecond)
    launch.launcher(exit: 100 * millisecond, outcome: "signalled", signal: 4, isInstrumented: false)
    let failed = try finding(FindingName.failedLaunch, launch)
    #expect(failed.advice.hasSuffix("Swift's backtrace names the place. To print it took 80 % of the launch."))
    #expect(!LaunchTimeline(trace: launch.trace()).findings.contains { $0.id == FindingName.mainThreadWaiting })
  }

  /// No look found them, because each is short. Their stacks say the call, and the function with most of the time.
  @Test func shortWaitsOfTheThreadThatGoesOn() throws {
    var launch = SampleLaunch()
    let pool = launch.thread(4720, name: "pool")
    launch.turn(from: 9 * millisecond, to: 10 * millisecond, on: pool, cpu: 2)
    for wait in 0..<40 as Range<Int64> {
      let start = (10 + wait * 2) * millisecond
      launch.turn(from: start + 3 * millisecond / 2, to: start + 2 * millisecond, on: pool, cpu: 2)
      let function = Frame(wait % 4 == 0 ? "poll()" : "retry()", file: "/src/pool.c", line: wait % 4 == 0 ? 3 : 5)
      launch.waitStack(
        [Frame("start_thread", image: "/usr/lib/libc.so.6"), function] + sleep, at: start, on: pool)
    }
    launch.turn(from: 90 * millisecond, to: 110 * millisecond, on: pool, cpu: 2)
    launch.pause(from: 10 * millisecond, to: 200 * millisecond)
    launch.look("rt_sigsuspend", at: 15 * millisecond)
    launch.mark("ready", at: 100 * millisecond, on: pool)
    launch.launcher(exit: 300 * millisecond)
    let timeline = LaunchTimeline(trace: launch.trace())
    let finding = try #require(timeline.findings.first { $0.id == FindingName.launchWaiting })
    #expect(finding.subject == "clock_nanosleep" && finding.occurrences == 40)
    #expect(finding.actual == 60 * millisecond)
    #expect(finding.file == "/src/pool.c" && finding.line == 5)
    #expect(finding.advice.hasPrefix("The program slept in retry(). "))
    // The main thread's own wait is no finding of its own.
    #expect(!timeline.findings.contains { $0.id == FindingName.mainThreadWaiting })
  }

  /// A user who sees no stacks of waits learns how to see them, unless the launch was recorded without samples.
  @Test(arguments: [0, 1000] as [UInt64]) func howToSeeWhereTheProgramSlept(rate: UInt64) throws {
    var launch = SampleLaunch()
    launch.pause(from: 10 * millisecond, to: 60 * millisecond)
    launch.look("clock_nanosleep", at: 20 * millisecond)
    launch.launcher(
      exit: 100 * millisecond, isInstrumented: false, [("observer", .string("perf")), ("sample_rate", .uint(rate))])
    let finding = try finding(FindingName.mainThreadWaiting, launch)
    let hint = "To see where, record as root, or with kernel.perf_event_paranoid of 1."
    #expect(finding.advice.hasSuffix(hint) == (rate > 0))
  }

  /// Where ptrace is forbidden as well, the advice was to record with --detail stacks, even after that had failed.
  @Test(arguments: ["none", "ptrace"]) func stopsForStacksNeedPtrace(means: String) throws {
    var launch = SampleLaunch()
    launch.pause(from: 10 * millisecond, to: 60 * millisecond)
    launch.look("clock_nanosleep", at: 20 * millisecond)
    launch.launcher(
      exit: 100 * millisecond, isInstrumented: false,
      [
        ("observer", .string(means)), ("wait_states", .string("times")),
        ("observer_shortcoming", .string("perf events are not available")),
      ])
    let canStop = means == "ptrace"
    let waiting = try finding(FindingName.mainThreadWaiting, launch)
    #expect(waiting.advice.contains("record with --detail stacks") == canStop)
    let whole = try finding(FindingName.notInstrumented, launch)
    #expect(whole.advice.contains("record --detail stacks copies") == canStop)
  }

  /// The stack is that of another wait, or has no function of the program.
  @Test func aPlaceThatIsNotKnownIsNotNamed() throws {
    var launch = launch()
    launch.pause(from: 10 * millisecond, to: 60 * millisecond)
    launch.look("clock_nanosleep", at: 20 * millisecond)
    launch.waitStack(entry + ["early()"] + sleep, at: 5 * millisecond)
    let other = try finding(FindingName.mainThreadWaiting, launch)
    #expect(other.file == nil && !other.evidence.contains { $0.kind == .stack })
    #expect(other.advice == "The program slept. Wait for the event that it needs instead of a fixed time.")
    launch.waitStack(sleep, at: 10 * millisecond)
    let foreign = try finding(FindingName.mainThreadWaiting, launch)
    #expect(foreign.file == nil)
    #expect(
      foreign.evidence.filter { $0.kind == .stack }.map(\.text) == [
        "usleep > nanosleep > clock_nanosleep@@GLIBC_2.17"
      ])
  }

  /// An event loop waited 70 ms in `poll`, and 2 ms for a lock in `load()`, which was the place of the finding.
  @Test func thePlaceIsThatOfTheCauseThatIsNamed() throws {
    var launch = SampleLaunch(exit: 400 * millisecond, isInstrumented: false)
    launch.pause(from: 10 * millisecond, to: 12 * millisecond)
    launch.look("futex", at: 11 * millisecond)
    launch.waitStack(entry + [Frame("load()", file: "/src/load.c", line: 3)], at: 10 * millisecond)
    launch.pause(from: 20 * millisecond, to: 300 * millisecond)
    launch.look("poll", at: 30 * millisecond)
    launch.waitStack(entry + [Frame("loop()", file: "/src/loop.c", line: 9)], at: 20 * millisecond)
    let finding = try finding(FindingName.mainThreadWaiting, launch)
    #expect(finding.subject == "poll" && finding.file == "/src/loop.c" && finding.line == 9)
    #expect(finding.evidence.filter { $0.kind == .stack }.map(\.text) == ["loop()"])
  }
}
