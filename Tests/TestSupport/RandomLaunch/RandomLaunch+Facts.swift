// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// What the recorder and the launcher say about the launch.
extension RandomLaunch {
  mutating func addFacts() {
    if random.chance(75) { addRecorder() }
    if random.chance(50) { addMetadata() }
    if random.chance(85) { addLauncher() }
  }

  private mutating func addRecorder() {
    launch.recorder(
      preinit: random.time(), startError: Int64(random.count(0...9_000_000)),
      source: random.pick(["launcher", "estimated"]), dropped: random.chance(15) ? random.count(1...99) : 0,
      untimed: random.chance(15) ? 3 : 0, isDebug: random.chance(15),
      startupCost: Double(random.count(0...500_000)))
  }

  private mutating func addMetadata() {
    let choices: SampleLaunch.Annotations = [
      ("version", .string("1.4.2")), ("build", .string("88")),
      ("reason", .string(random.pick(["terminal", "url", "unknown"]))),
      ("kind", .string(random.pick(["warm", "cold", "first", "resume", "uncertain", "odd"]))),
      ("context", .string(random.pick(["userLaunch", "backgroundLaunch", "prewarming", "uncertain"]))),
      ("launch_deadline", .string("passed")), ("tier", .string(random.pick(["free", "paid"]))),
      ("connection.urlContexts", .string("1 url")), ("first frame", .string("estimated")),
    ]
    launch.metadata(choices.filter { _ in random.chance(40) })
  }

  private mutating func addLauncher() {
    let exit = random.chance(80) ? random.length : random.time()
    launch.launcher(
      exit: exit,
      outcome: random.pick(["exited", "exited", "exited", "signalled", "timed-out", "failed-to-start", ""]),
      status: random.pick([0, 0, 0, 1, 127]), signal: random.pick([0, 9, 11, 15]), run: random.count(1...3), runs: 3,
      isWarmUp: random.chance(8), isInstrumented: random.chance(70), budgets: random.chance(40) ? budgets() : nil,
      maxResidentBytes: random.chance(80) ? 46_243_840 : nil, observation(until: exit) + resources() + circumstances())
  }

  private mutating func budgets() -> String {
    let limits = ["0", "1000", "2000000", "100000000"]
    let rules = [
      "interval\t*", "interval\tparse", "phase\t*", "phase\topen-database", "milestone\tready",
      "milestone\tfully-drawn",
      "milestone\tfirst-frame", "when\turl\t*\twarm\tinterval\tload",
    ]
    let kept = rules.filter { _ in random.chance(40) }.map { $0 + "\t" + random.pick(limits) }
    return (["format\t1"] + kept).joined(separator: "\n")
  }

  private mutating func observation(until exit: Int64) -> SampleLaunch.Annotations {
    guard random.chance(85) else { return [] }
    var facts: SampleLaunch.Annotations = [
      ("observer", .string(random.pick(["perf", "perf", "ptrace", "none"]))),
      ("wait_states", .string(random.pick(["kernel", "looks", "times"]))),
      ("sample_rate", .uint(random.pick([0, 100, 1000]))),
    ]
    let more: SampleLaunch.Annotations = [
      ("observer_shortcoming", .string("perf events are not allowed")),
      ("stopped_ns", .uint(UInt64(random.count(0...3_000_000)))),
      ("held_up_ns", .uint(UInt64(random.count(0...3_000_000)))),
      ("held_up_threads_ns", .uint(UInt64(random.count(0...3_000_000)))),
      ("lost_records", .uint(12)), ("samples_lost", .uint(3)), ("throttled_periods", .uint(2)),
      ("observed_until_ns", .uint(UInt64(launch.origin + random.time(in: 0...exit)))),
      ("recorded_start_ns", .uint(UInt64(launch.origin + random.time(in: 0...exit)))),
      ("globals", .string("uprobes")), ("lookups", .string("ptrace")), ("globals_call_cost_ns", .uint(2_000)),
      ("globals_inside_cost_ns", .uint(500)), ("conformance_calls", .uint(UInt64(random.count(0...90)))),
      ("conformance_repeats_ns", .uint(300_000)), ("type_name_calls", .uint(7)), ("cast_calls", .uint(40)),
      ("agent", .bool(true)), ("agent_untimed", .uint(2)), ("agent_lost", .uint(1)),
    ]
    facts += more.filter { _ in random.chance(25) }
    return facts
  }

  /// CPU time may be more than the processors could have given, or none.
  private mutating func resources() -> SampleLaunch.Annotations {
    let cpu = UInt64(random.time(in: 0...random.length))
    return [
      ("user_cpu_ns", .uint(random.chance(10) ? cpu * 50 : cpu)), ("system_cpu_ns", .uint(cpu / 10)),
      ("cpus", .uint(random.pick([1, 2, 8]))), ("usable_cpus", .uint(random.pick([1, 2]))),
    ]
  }

  private mutating func circumstances() -> SampleLaunch.Annotations {
    let image: [String: AnnotationValue] = [
      "libraries": .array([.string("libx.so"), .string("libz.so")]), "library_bytes": .uint(1 << 20),
      "relocations": .uint(1_200), "initializers": .uint(4), "bytes": .uint(1 << 16),
      "build_id": .string(random.pick(["ab12", "cd34"])), "toolchain": .string("Swift 6.3"),
    ]
    let rules = ["program", "window", "listen", "stdout", "notify", "pattern", "http", "exit"]
    let choices: SampleLaunch.Annotations = [
      ("ready_rule", .string(random.pick(rules))), ("ready_by_default", .bool(random.chance(50))),
      ("ready_argument", .string("8080")), ("ended_when_ready", .bool(true)), ("exit_success", .bool(true)),
      ("kind", .string(random.pick(["first", "page-cache cold", "first, page-cache cold"]))),
      ("cold_files", .uint(3)), ("cold_bytes", .uint(4096)), ("cold_unknown", .uint(1)), ("cold_missed", .uint(2)),
      ("session", .string(random.pick(["s1", "s2"]))), ("message", .string("no such file")),
      ("program", .string("/bin/sh")), ("image", .dictionary(image)), ("pid", .uint(9000)),
    ]
    return choices.filter { _ in random.chance(20) }
  }
}
