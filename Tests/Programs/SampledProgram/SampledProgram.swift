// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchProfiler
import LaunchSampler

/// A program that records and samples itself. Arguments: the trace, what it does, then words that choose options.
@main
struct SampledProgram {
  nonisolated(unsafe) static var sink = 0

  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst(2)
    var options = LaunchSampler.Options()
    if !arguments.contains("unrecorded") {
      try LaunchProfiler.start(into: .file(CommandLine.arguments[1]), stopsWhenCompleted: false)
    }
    if arguments.contains("beside") { options.worksBesideLauncher = true }
    if arguments.contains("running") { options.interrupts = .runningCode }
    if arguments.contains("complete") { options.unwinding = .complete }
    if arguments.contains("profiling-signal") { options.signal = SIGPROF }
    if arguments.contains("launch") { options.scope = .launch }
    if arguments.contains("limit") { options.limit = 10 }
    if arguments.contains("handled") { signal(SIGURG) { _ in } }
    if arguments.contains("invalid") { options.signal = SIGKILL }
    if arguments.contains("stopped") { LaunchSampler.stop() }
    let isWatched: Bool
    do { isWatched = try LaunchSampler.start(options) } catch {
      print(error)
      exit(3)
    }
    print("watched \(isWatched)")
    switch arguments.first {
    case "phase": LaunchProfiler.phase(.didFinishLaunching) { parseEverything(milliseconds: 80) }
    case "quick": for _ in 0..<40 { LaunchProfiler.phase(.didFinishLaunching) { parseEverything(milliseconds: 2) } }
    case "no-phase": parseEverything(milliseconds: 120)
    case "asleep": LaunchProfiler.phase(.didFinishLaunching) { waitForEver(milliseconds: 400) }
    case "idle": waitForEver(milliseconds: 80)
    case "actor":
      // Behind this the main actor has a thread that is not the first one.
      await Task.detached { await Task.yield() }.value
      LaunchProfiler.phase(.didFinishLaunching) { parseEverything(milliseconds: 80) }
    case "async":
      await LaunchProfiler.phase(.didFinishLaunching) {
        await Task.detached { await Task.yield() }.value
        parseEverything(milliseconds: 80)
        if arguments.contains("sleep") { try? await Task.sleep(for: .milliseconds(80)) }
      }
    case "async-first":
      await LaunchProfiler.phase(.didFinishLaunching) { () async in parseEverything(milliseconds: 80) }
    case "actor-no-phase":
      await Task.detached { await Task.yield() }.value
      parseEverything(milliseconds: 120)
    case "twice": do { try LaunchSampler.start() } catch { print(error) }
    default: print("modes: phase, quick, no-phase, asleep, idle, actor, async, async-first, actor-no-phase, twice")
    }
    LaunchProfiler.mark(.ready)
    parseEverything(milliseconds: 60)
    LaunchSampler.stop()
    let statistics = LaunchSampler.statistics
    print("samples \(statistics.samples) missed \(statistics.missed) dropped \(statistics.dropped)")
  }

  @inline(never)
  static func parseEverything(milliseconds: Int) {
    parseOne(milliseconds: milliseconds)
    sink += 1
  }

  @inline(never)
  static func parseOne(milliseconds: Int) {
    burn(milliseconds: milliseconds)
    sink += 1
  }

  /// Of CPU time, so that a loaded machine gives as many stacks.
  @inline(never)
  static func burn(milliseconds: Int) {
    let end = cpuTime() + milliseconds * 1_000_000
    while cpuTime() < end { for number in 0..<20_000 { sink = sink &* 31 &+ number } }
    sink += 1
  }

  @inline(never)
  static func waitForEver(milliseconds: Int) {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let end = now.tv_sec * 1_000_000_000 + now.tv_nsec + milliseconds * 1_000_000
    var until = timespec(tv_sec: end / 1_000_000_000, tv_nsec: end % 1_000_000_000)
    // It ends with EINTR at each stack.
    while clock_nanosleep(CLOCK_MONOTONIC, Int32(TIMER_ABSTIME), &until, nil) == EINTR {}
    sink += 1
  }

  static func cpuTime() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
